"""Reads of a sequential test."""

from dataclasses import dataclass

from arena.rating import Hypotheses, Weighed
from bots.models import Version
from tournaments.models import Tournament, TournamentFormat
from tournaments.queries.lists import entries
from tournaments.trials import trial_now


@dataclass(frozen=True, slots=True)
class TrialStands:
    """How a test stands. `first` is the version of which it is asked; one has not entered: None."""

    first: Version | None
    second: Version | None
    asked: Hypotheses
    weighed: Weighed
    lost: int
    """Pairs counted that the first one lost 0–2."""
    split: int
    won: int
    most_pairs: int
    """So many are played at most."""


def trial(of: Tournament) -> TrialStands | None:
    """How a sequential test stands; None where it is none. Three queries."""
    if of.format != TournamentFormat.SEQUENTIAL:
        return None
    entered = [entry.version for entry in entries(of)]
    first = next((version for version in entered if version.pk == of.challenger_id), None)
    second = next((version for version in entered if version.pk != of.challenger_id), None)
    stands = trial_now(of).trial
    lost, split, won = stands.scores
    return TrialStands(
        first,
        second,
        stands.asked,
        stands.weighed,
        lost,
        split,
        won,
        of.cycles * of.pairs_per_pairing,
    )
