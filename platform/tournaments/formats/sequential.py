"""The sequential test: two versions meet until it is known whether the first is the better one."""

from collections.abc import Sequence
from typing import ClassVar

from arena.pairing import RoundRobin, Schedule
from arena.rating import Decision
from matches.services.orders import cancel_pairings
from tournaments.formats.base import Lineup, Meeting
from tournaments.formats.schedules import ScheduledFormat
from tournaments.models import Tournament
from tournaments.trials import trial_now


class SequentialFormat(ScheduledFormat):
    """Two versions, at most so many pairs; which of the two is the first, the challenger says."""

    about_one: ClassVar[bool] = True
    most_entries: ClassVar[int | None] = 2
    may_be_open: ClassVar[bool] = False
    may_end_early: ClassVar[bool] = True

    def is_named(self, tournament: Tournament, version: int) -> bool:
        """Both are: two versions of one bot may be held against each other."""
        return True

    def schedule(self, tournament: Tournament, playing: Sequence[int]) -> Schedule:
        """One pairing after the other."""
        return RoundRobin(playing, tournament.cycles)

    def due(self, tournament: Tournament, lineup: Lineup) -> list[Meeting]:
        """Nothing once it is decided."""
        return [] if self._is_decided(tournament) else super().due(tournament, lineup)

    def is_complete(self, tournament: Tournament, playing: Sequence[int]) -> bool:
        """Decided, or not decided by all pairs that were allowed."""
        return self._is_decided(tournament) or super().is_complete(tournament, playing)

    def close(self, tournament: Tournament) -> None:
        """What is no part of the answer any more is called off, what is being played too."""
        if self._is_decided(tournament):
            cancel_pairings(tournament.pk, running=True)

    def _is_decided(self, tournament: Tournament) -> bool:
        return trial_now(tournament).trial.weighed.decision is not Decision.OPEN
