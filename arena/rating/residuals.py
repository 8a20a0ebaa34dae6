"""Meetings whose results do not fit the ratings: who does better or worse than he should.

One number for each version cannot say that A always beats B; and if somebody loses to a friend on
purpose, it is there that it shows. Each meeting is held against what the ratings expect of it, and
the threshold allows for how many meetings there are (Bonferroni).
"""

from dataclasses import dataclass
from math import exp, lgamma, log
from statistics import NormalDist

import numpy as np

from arena.rating import correlation
from arena.rating.pair_table import PairTable
from arena.rating.ratings import Ratings

FALSE_ALARMS = 0.01
"""How likely it is that an honest table shows any meeting at all."""

_CLOSE = 2.5
"""Standard deviations from which on the exact chance is computed."""


@dataclass(frozen=True, slots=True)
class Residual:
    """A meeting that does not fit. `score` and `expected` are parts of the matches, in 0..1."""

    low: int
    high: int
    matches: int
    score: float
    """What the low version won."""
    expected: float
    """What its rating says that it should have won."""
    deviations: float
    """How far off it is, in standard deviations of a normal variable; below 0: it won less."""


def residuals(table: PairTable, ratings: Ratings) -> list[Residual]:
    """The meetings beyond the threshold, the oddest first.

    The ratings follow every result, also those they are held against here, so the threshold is
    rather too high than too low.
    """
    pairs = 2 * table.pairs
    matches = pairs + table.singles
    won, split, _, single_won, _ = table.counts
    wins = 2 * won + split + single_won
    gap = ratings.strengths[table.lower] - ratings.strengths[table.higher]
    chance = 1 / (1 + 10 ** (-gap / 400))
    # Matches of a pair depend on each other: so many independent ones say as much.
    worth = 1 / (1 + ratings.pair_correlation * correlation.fading(chance))
    number = np.maximum(pairs * worth + table.singles, 1e-9)
    rough = (wins - matches * chance) / matches.clip(1) * np.sqrt(number / (chance * (1 - chance)))
    threshold = FALSE_ALARMS / max(len(matches), 1)
    found = []
    for place in np.flatnonzero(np.abs(rough) > _CLOSE):
        n, p = round(float(number[place])), float(chance[place])
        score = float(wins[place] / matches[place])
        tail = _tail(n, p, round(n * score), above=score > p)
        if 2 * tail < threshold:
            size = -NormalDist().inv_cdf(max(tail, 1e-300))
            found.append(
                Residual(
                    int(table.versions[table.lower[place]]),
                    int(table.versions[table.higher[place]]),
                    int(matches[place]), score, p, size if score > p else -size,
                )
            )  # fmt: skip
    return sorted(found, key=lambda one: -abs(one.deviations))


def _tail(n: int, p: float, wins: int, *, above: bool) -> float:
    """Chance of so many wins of n or more (above), or of so many or fewer."""
    which = range(wins, n + 1) if above else range(wins + 1)
    whole = lgamma(n + 1)
    return min(
        sum(
            exp(whole - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p))
            for k in which
        ),
        1.0,
    )
