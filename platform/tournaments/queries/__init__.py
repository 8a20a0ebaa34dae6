"""Reads of tournaments: lists, standings, progress. Each takes a fixed number of queries."""

from tournaments.queries.lists import (
    entered_by,
    entries,
    running_tournaments,
    tournament,
    tournaments,
)
from tournaments.queries.progress import Progress, ProgressState, progress
from tournaments.queries.seeds import LadderDay, SeedCheck, days, seed_check
from tournaments.queries.standings import StandingRow, matches_saved, standings
from tournaments.queries.trials import TrialStands, trial

__all__ = [
    "LadderDay",
    "Progress",
    "ProgressState",
    "SeedCheck",
    "StandingRow",
    "TrialStands",
    "days",
    "entered_by",
    "entries",
    "matches_saved",
    "progress",
    "running_tournaments",
    "seed_check",
    "standings",
    "tournament",
    "tournaments",
    "trial",
]
