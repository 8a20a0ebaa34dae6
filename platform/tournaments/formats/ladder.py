"""The ladder: without end, whoever needs a game most gets the next one."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import ClassVar

from django.db.models import Count, Max, Q

from arena.pairing import Contender, Ladder
from arena.pairing.ladder import UNRATED_ERROR
from arena.rating import CENTRE
from matches.models import Pairing
from ratings.models import Rating
from tournaments.formats.base import Format, Lineup, Meeting
from tournaments.models import Entry, Tournament

Both = tuple[int, int]


class LadderFormat(Format):
    """Games are counted day by day (UTC), with the secret that they are played with."""

    default_pairs: ClassVar[int] = 1
    """Short pairings: the sooner a place is free for somebody new."""

    def ahead(self, slots: int) -> int:
        """One waits, so that no slot does; what is ordered earlier is ordered without knowing who
        comes.
        """
        return slots + 1

    def due(self, tournament: Tournament, lineup: Lineup) -> list[Meeting]:
        """By the need for a game. Versions that have never had one do not wait for room: for them
        there is a place more a slot.
        """
        met = _met_today(tournament, lineup.commitment)
        ladder = Ladder(_contenders(tournament, lineup, met), met)
        for_new = min(lineup.slots, -(-ladder.new() // 2), lineup.room + lineup.slots)
        taken = list(islice(ladder, max(lineup.room, for_new, 0)))
        return _numbered(tournament, taken)

    def planned(self, tournament: Tournament, playing: Sequence[int]) -> int | None:
        """There is no end."""
        return None

    def is_complete(self, tournament: Tournament, playing: Sequence[int]) -> bool:
        """Never."""
        return False

    def is_all_there(self, tournament: Tournament, versions: Sequence[int]) -> bool:
        """Never."""
        return False


def _met_today(tournament: Tournament, commitment: str) -> Counter[Both]:
    rows = (
        Pairing.objects.filter(tournament=tournament, commitment=commitment)
        .values_list("low_id", "high_id")
        .annotate(times=Count("id"))
        .order_by()
    )
    return Counter({(low, high): times for low, high, times in rows})


def _contenders(tournament: Tournament, lineup: Lineup, met: Counter[Both]) -> list[Contender]:
    games: Counter[int] = Counter()
    for both, times in met.items():
        for version in both:
            games[version] += times
    rated = {
        version: (elo, error)
        for version, elo, error in Rating.objects.filter(
            snapshot__tournament=tournament
        ).values_list("version_id", "elo", "error")
    }
    return [_contender(entry, lineup, games, rated) for entry in lineup.entries]


def _contender(
    entry: Entry, lineup: Lineup, games: Counter[int], rated: dict[int, tuple[float, float]]
) -> Contender:
    since = entry.last_paired_at or entry.entered_at
    elo, error = rated.get(entry.version_id, (CENTRE, UNRATED_ERROR))
    return Contender(
        version=entry.version_id,
        games=games[entry.version_id],
        waited_s=(lineup.now - since).total_seconds(),
        new=entry.last_paired_at is None,
        elo=elo,
        error=error,
    )


def _numbered(tournament: Tournament, taken: list[Both]) -> list[Meeting]:
    """Each with the number of its meeting, over all days."""
    if not taken:
        return []
    any_of = Q()
    for low, high in set(taken):
        any_of |= Q(low=low, high=high)
    rows = Pairing.objects.filter(any_of, tournament=tournament).values_list("low_id", "high_id")
    cycles: Counter[Both] = Counter(
        {(low, high): last for low, high, last in rows.annotate(last=Max("cycle")).order_by()}
    )
    meetings = []
    for both in taken:
        cycles[both] += 1
        meetings.append(Meeting(*both, cycles[both]))
    return meetings
