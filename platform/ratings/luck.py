"""The luck-adjusted scores of a version's meetings: an extra, which ranks nobody.

Counted from the matches when a page asks, for meetings that have pairs enough, and only as many
pairs as one page may cost. What counts is what counts for the ratings: FINISHED, with a winner, and
of whole pairs; and of these the pairs whose luck is known.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, F, Q, Sum, Value, When

from arena.rating import (
    LEAST_PAIRS,
    LuckAdjusted,
    PairStatistics,
    luck_adjusted,
    pair_statistics,
)
from bots.models import Version
from matches.models import Match, MatchStatus, Pairing
from ratings.queries import Versus

MOST_PAIRS: Final = 50_000
"""Pairs that are read at most for one page, of all meetings together: half a second's work."""

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
    """The luck-adjusted scores of a version in its meetings, of `queries.versus`. One query."""
    chosen, left_out = _looked_at(meetings)
    pairs = _pairs(tournament, version, [each.opponent.pk for each in chosen])
    found = [
        LuckOfMeeting(each.opponent, _plain(own), adjusted)
        for each in meetings
        if (own := pairs.get(each.opponent.pk)) and (adjusted := luck_adjusted(own))
    ]
    most = max((len(own) for own in pairs.values()), default=0)
    return LuckOfVersion(found, most, left_out)


def _looked_at(meetings: Sequence[Versus]) -> tuple[Sequence[Versus], int]:
    """Those with pairs enough, and how many of these are one too many; else the longest.

    The shorter ones go first: the longer a meeting, the less luck is left in its plain score.
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

    Added up by the database, a row a pair. Two numbers have the same sum in any order, so what
    comes out does not depend on which match was booked first.
    """
    pairings = Pairing.objects.filter(tournament=tournament).filter(
        Q(low=version, high__in=opponents) | Q(high=version, low__in=opponents)
    )
    rows = (
        Match.objects.filter(
            pairing__in=pairings,
            status=MatchStatus.FINISHED,
            winner__isnull=False,
            luck__isnull=False,
        )
        .values_list("pairing__low_id", "pairing__high_id", "pairing_id", "pair")
        .annotate(
            matches=Count("id"),
            won=Sum(Case(When(winner=F("game"), then=Value(1)), default=Value(0))),
            luck_of_low=Sum(Case(When(game=0, then=F("luck")), default=-F("luck"))),
        )
        .filter(matches=2)
        .order_by("pair", "pairing_id")
    )
    found: dict[int, list[ScoreAndLuck]] = defaultdict(list)
    for low, high, _, _, _, won, luck in rows.iterator():
        if version == low:
            found[high].append((won / 2, luck / 2))
        else:
            found[low].append((1 - won / 2, -luck / 2))
    return dict(found)


def _plain(pairs: Sequence[ScoreAndLuck]) -> PairStatistics:
    scores = [score for score, _ in pairs]
    return pair_statistics(*(scores.count(score) for score in (0, 0.5, 1)))
