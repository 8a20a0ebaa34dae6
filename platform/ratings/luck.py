"""The luck-adjusted scores of a version's meetings: an extra, which ranks nobody.

Counted from the matches when a page asks, for meetings that have pairs enough, and only as many
pairs as one page may cost. What counts is what counts for the ratings: FINISHED, with a winner, and
of whole pairs; and of these the pairs whose luck is known.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.db.models import Case, Count, F, Min, QuerySet, Sum, Value, When

from arena.rating import (
    LEAST_PAIRS,
    LuckAdjusted,
    PairStatistics,
    luck_adjusted,
    pair_statistics,
)
from bots.models import Version
from matches.models import Match, MatchStatus, Pairing
from ratings.models import Snapshot
from ratings.queries import Versus

MOST_PAIRS: Final = 20_000
"""Pairs that are read at most for one page, of all meetings together: 0.2 s. With so many in one
meeting its plain error is ± 3 Elo, and nobody needs a smaller one.
"""

ScoreAndLuck = tuple[float, float]
"""Of a pair, as the version saw it: its mean score, 0, ½ or 1, and its mean luck."""


@dataclass(frozen=True, slots=True)
class LuckOfMeeting:
    """A version against another by their own pairs alone, with luck and without it."""

    opponent: Version
    plain: PairStatistics
    """Of the same pairs."""
    adjusted: LuckAdjusted


@dataclass(frozen=True, slots=True)
class LuckOfVersion:
    """What can be told of a version's meetings; in the order of those that were asked about."""

    meetings: Sequence[LuckOfMeeting]
    most_pairs: int
    """Pairs with known luck in the meeting that has most of those looked at."""
    left_out: int
    """Meetings with pairs enough that were not looked at, because of `MOST_PAIRS`."""

    @property
    def too_few(self) -> bool:
        """Whether no meeting that was looked at has pairs enough."""
        return self.most_pairs < LEAST_PAIRS and not self.left_out


def luck_of(tournament: int, version: int, meetings: Sequence[Versus]) -> LuckOfVersion:
    """The luck-adjusted scores of a version in its meetings, of `queries.versus`.

    Three queries at most, and nothing where there are no meetings.
    """
    if not meetings:
        return LuckOfVersion((), 0, 0)
    chosen, left_out = _looked_at(meetings)
    refit_at = Snapshot.objects.values_list("refit_at", flat=True).get(tournament=tournament)
    scores = _scores(tournament, version, tuple(each.opponent.pk for each in chosen), refit_at)
    found = []
    for each in meetings:
        plain, adjusted = scores.get(each.opponent.pk, (None, None))
        if plain is not None and adjusted is not None:
            found.append(LuckOfMeeting(each.opponent, plain, adjusted))
    most = max((plain.pairs for plain, _ in scores.values()), default=0)
    return LuckOfVersion(found, most, left_out)


@lru_cache(maxsize=256)
def _scores(
    tournament: int, version: int, opponents: tuple[int, ...], refit_at: datetime
) -> dict[int, tuple[PairStatistics, LuckAdjusted | None]]:
    """Plain and adjusted, by opponent. Kept until the next refit, which follows whatever changes a
    result; `refit_at` says which it is.
    """
    pairs = _pairs(tournament, version, opponents)
    return {opponent: (_plain(own), luck_adjusted(own)) for opponent, own in pairs.items()}


def _looked_at(meetings: Sequence[Versus]) -> tuple[Sequence[Versus], int]:
    """Those with pairs enough, and how many of these are one too many; else the longest.

    The shorter ones go first: the longer a meeting, the smaller its plain error.
    """
    enough = sorted(
        (each for each in meetings if each.pairs >= LEAST_PAIRS), key=lambda each: each.pairs
    )
    if not enough:
        return sorted(meetings, key=lambda each: each.pairs)[-1:], 0
    chosen, pairs = 0, 0
    for each in enough:
        pairs += each.pairs
        if pairs > MOST_PAIRS:
            break
        chosen += 1
    return enough[:chosen], len(enough) - chosen


def _pairs(
    tournament: int, version: int, opponents: Sequence[int]
) -> dict[int, list[ScoreAndLuck]]:
    """Whole pairs whose luck is known, by opponent, in the order of their numbers.

    The lower version of a pairing and the higher one are asked for in a query each: for either in
    one, SQLite would look through all pairings of the tournament.
    """
    pairings = Pairing.objects.filter(tournament=tournament)
    as_low = _rows(pairings.filter(low=version, high__in=[pk for pk in opponents if pk > version]))
    as_high = _rows(pairings.filter(high=version, low__in=[pk for pk in opponents if pk < version]))
    found: dict[int, list[ScoreAndLuck]] = defaultdict(list)
    for _, _, _, _, opponent, won, luck in as_low:
        found[opponent].append((won / 2, luck / 2))
    for _, _, _, opponent, _, won, luck in as_high:
        found[opponent].append((1 - won / 2, -luck / 2))
    return dict(found)


def _rows(pairings: "QuerySet[Pairing]") -> Iterator[tuple[Any, ...]]:
    """Pair, pairing, 2 matches; both versions; matches won by the lower, and luck as it saw it.

    Added up by the database, a row a pair. Two numbers have the same sum in either order, so what
    comes out does not depend on which match was booked first.
    """
    return (
        Match.objects.filter(
            pairing__in=pairings,
            status=MatchStatus.FINISHED,
            winner__isnull=False,
            luck__isnull=False,
        )
        .values_list("pair", "pairing_id")
        .annotate(
            matches=Count("id"),
            low=Min("pairing__low_id"),
            high=Min("pairing__high_id"),
            won=Sum(Case(When(winner=F("game"), then=Value(1)), default=Value(0))),
            luck_of_low=Sum(Case(When(game=0, then=F("luck")), default=-F("luck"))),
        )
        .filter(matches=2)
        .order_by("pair", "pairing_id")
        .iterator()
    )


def _plain(pairs: Sequence[ScoreAndLuck]) -> PairStatistics:
    scores = [score for score, _ in pairs]
    return pair_statistics(*(scores.count(score) for score in (0, 0.5, 1)))
