"""The sequential test: two versions meet until it is known whether the first is the better one."""

from typing import ClassVar

from arena.rating import Decision
from matches.models import Pairing, PairingStatus
from tournaments.formats.base import Lineup, Meeting
from tournaments.formats.schedules import RoundRobinFormat
from tournaments.models import Tournament
from tournaments.trials import trial_now


class SequentialFormat(RoundRobinFormat):
    """Two versions, at most so many pairs; which of the two is the first, the challenger says."""

    most_entries: ClassVar[int | None] = 2
    may_be_open: ClassVar[bool] = False

    def is_named(self, tournament: Tournament, version: int) -> bool:
        """Both are: two versions of one bot may be held against each other."""
        return True

    def due(self, tournament: Tournament, lineup: Lineup) -> list[Meeting]:
        """Nothing while a pairing is parked: pairs count in their order, so that what follows it
        would be played for nothing until a person has looked at it.
        """
        parked = Pairing.objects.filter(tournament=tournament, status=PairingStatus.PARKED)
        return [] if parked.exists() else super().due(tournament, lineup)

    def is_decided(self, tournament: Tournament) -> bool:
        """Whether the pairs so far say yes or no."""
        return trial_now(tournament).trial.weighed.decision is not Decision.OPEN
