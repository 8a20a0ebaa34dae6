"""Formats with a schedule: gone through from its start, leaving out what has been ordered."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import islice

from django.db.models import Exists, OuterRef, Q, QuerySet

from arena.pairing import Gauntlet, Pairing, RoundRobin, Schedule
from matches.models import Match, MatchStatus
from matches.models import Pairing as Row
from tournaments.formats.base import Format, Lineup, Meeting
from tournaments.models import Tournament

_COMPARED = 100
"""Most pairings of a schedule compared with the database at once."""

_PASSED = 2_000
"""Most that one pump passes over; where more are there already, the next pump goes on."""


class ScheduledFormat(Format):
    """Everything that is due can be counted beforehand."""

    @abstractmethod
    def schedule(self, tournament: Tournament, playing: Sequence[int]) -> Schedule:
        """All pairings of those who play now."""

    def due(self, tournament: Tournament, lineup: Lineup) -> list[Meeting]:
        """Up to `room` pairings not ordered yet, or of which something was called off."""
        found: list[Meeting] = []
        begin = tournament.position
        compared = lineup.room
        while len(found) < lineup.room and tournament.position - begin < _PASSED:
            schedule = self.schedule(tournament, lineup.versions).skip(tournament.position)
            looked_at = list(islice(schedule, min(compared, _COMPARED)))
            if not looked_at:
                break
            there = _already_ordered(tournament, looked_at)
            for pairing in looked_at:
                if len(found) == lineup.room:
                    break
                tournament.position += 1
                meeting = Meeting(pairing.lower, pairing.higher, pairing.cycle)
                if meeting not in there:
                    found.append(meeting)
            compared *= 2
        return found

    def planned(self, tournament: Tournament, playing: Sequence[int]) -> int | None:
        """All of the schedule."""
        return self.schedule(tournament, playing).total()

    def is_complete(self, tournament: Tournament, playing: Sequence[int]) -> bool:
        """Whether all of it has been looked at."""
        return tournament.position == self.planned(tournament, playing)

    def is_all_there(self, tournament: Tournament, versions: Sequence[int]) -> bool:
        """Whether there are as many pairings among them as planned: each is there once."""
        among = Row.objects.filter(tournament=tournament, low__in=versions, high__in=versions)
        there = among.exclude(Exists(_called_off())).count()
        return there == self.planned(tournament, versions)


class RoundRobinFormat(ScheduledFormat):
    """Everybody meets everybody."""

    def schedule(self, tournament: Tournament, playing: Sequence[int]) -> Schedule:
        """The circle method."""
        return RoundRobin(playing, tournament.cycles)


class GauntletFormat(ScheduledFormat):
    """The challenger meets everybody else."""

    def schedule(self, tournament: Tournament, playing: Sequence[int]) -> Schedule:
        """One against all; nothing while the challenger does not play."""
        challenger = tournament.challenger_id
        if challenger is None or challenger not in playing:
            return RoundRobin(())
        return Gauntlet(
            challenger, (each for each in playing if each != challenger), tournament.cycles
        )


def _already_ordered(tournament: Tournament, looked_at: list[Pairing]) -> set[Meeting]:
    """Which of these there are, but for those of which something was called off."""
    any_of = Q()
    for each in looked_at:
        any_of |= Q(low=each.lower, high=each.higher, cycle=each.cycle)
    rows = Row.objects.filter(any_of, tournament=tournament).exclude(Exists(_called_off()))
    return {Meeting(*row) for row in rows.values_list("low_id", "high_id", "cycle")}


def _called_off() -> "QuerySet[Match]":
    return Match.objects.filter(pairing=OuterRef("pk"), status=MatchStatus.CANCELLED)
