"""Ladder: there is no end, and whoever needs a game most gets the next one.

Who plays next: a version that has never played; then whoever has waited too long, the longest
first; then whoever has the fewest games. Against whom: of those with the fewest games too, the one
against whom a pair shrinks the error of the two ratings most, where a pairing that there has been
already counts the less the more often it was. Games are counted from some moment that the caller
chooses (a day's beginning, say), so that who comes late catches up with a day and not with a year.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import exp, log

from arena.pairing.errors import DuplicateEntry

LONGEST_GAP_S = 1_800.0
"""Who has waited longer goes before those with fewer games, whatever keeps them busy.

Where there are more versions than games can be played in that time, everybody plays in turn.
"""

EVEN = 2
"""Opponents are chosen among those who have at most so many games more than the fewest."""

UNRATED_ERROR = 784.0
"""Half-width of the 95 % interval of a version without results: that of the ratings' prior."""

_ELO = 400 / log(10)
_Z_95 = 1.96


@dataclass(frozen=True, slots=True)
class Contender:
    """A version that may be given a game."""

    version: int
    games: int
    """Pairings counted, those under way among them."""
    waited_s: float
    """Since it was given its last pairing, or has been there."""
    new: bool = False
    """Whether it has never been given one."""
    elo: float = 1500.0
    error: float = UNRATED_ERROR
    """Half-width of its rating's 95 % interval."""


class Ladder(Iterator[tuple[int, int]]):
    """Who meets next, the lower id first; without end where there are two contenders.

    What has been taken counts at once. With the same contenders the same pairings come out.
    """

    def __init__(
        self, contenders: Iterable[Contender], met: Mapping[tuple[int, int], int] | None = None
    ) -> None:
        """`met` holds how often two have met, by (lower, higher). Raise `DuplicateEntry`."""
        self._there: dict[int, Contender] = {}
        for each in contenders:
            if each.version in self._there:
                raise DuplicateEntry(each.version)
            self._there[each.version] = each
        self._met = dict(met or {})

    def new(self) -> int:
        """How many have never been given a game."""
        return sum(each.new for each in self._there.values())

    def __next__(self) -> tuple[int, int]:
        if len(self._there) < 2:
            raise StopIteration
        first = min(self._there.values(), key=_urgency)
        others = [each for each in self._there.values() if each is not first]
        fewest = min(each.games for each in others)
        opponent = min(
            (each for each in others if each.games <= fewest + EVEN),
            key=lambda each: (not each.new, -self._worth(first, each), each.games, each.version),
        )
        for each in (first, opponent):
            self._there[each.version] = replace(each, games=each.games + 1, waited_s=0.0, new=False)
        both = _key(first, opponent)
        self._met[both] = self._met.get(both, 0) + 1
        return both

    def _worth(self, one: Contender, other: Contender) -> float:
        """By how much a pair shrinks the variance of the difference of the two, if they had not
        met; the less the more often they have.
        """
        variance = _variance(one) + _variance(other)
        chance = 1 / (1 + exp((other.elo - one.elo) / _ELO))
        told = 2 * chance * (1 - chance)
        shrunk = told * variance**2 / (1 + told * variance)
        return shrunk / (1 + self._met.get(_key(one, other), 0))


def _urgency(each: Contender) -> tuple[int, float, float, int]:
    if each.new:
        return 0, -each.waited_s, 0, each.version
    if each.waited_s > LONGEST_GAP_S:
        return 1, -each.waited_s, 0, each.version
    return 2, each.games, -each.waited_s, each.version


def _variance(of: Contender) -> float:
    """Of its strength, in units of the logistic curve."""
    return float((min(of.error, UNRATED_ERROR) / _Z_95 / _ELO) ** 2)


def _key(one: Contender, other: Contender) -> tuple[int, int]:
    return min(one.version, other.version), max(one.version, other.version)
