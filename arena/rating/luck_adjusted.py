"""A score of pairs with the luck of the cards taken off: an extra beside the plain one.

The luck of a pair (`arena.rating.luck`) is 0 in the mean whatever the bots do, so a multiple of it
may be taken from each pair's score: the mean stays right, and the spread gets smaller. The best
multiple depends on the bots. It is taken from the other pairs (cross-fitting), never from the
one it is used on, so that it can't follow that pair's noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from typing import Final

import numpy as np

from arena.rating.pairs import Z_95

LEAST_PAIRS: Final = 500
"""With fewer pairs the multiple is a guess, and so is the variance removed."""

_FOLDS: Final = 10
"""Pairs are dealt to so many groups in turn; each gets its multiple from all the others."""


@dataclass(frozen=True, slots=True)
class LuckAdjusted:
    """What a number of pairs says about A against B once luck is taken off."""

    elo: float
    """Elo of A less that of B."""
    error: float
    """Half-width of the 95 % interval of `elo`, in Elo."""
    removed: float
    """The part of the variance of the pair scores that is gone: of the pairs needed, as well."""


def luck_adjusted(pairs: Sequence[tuple[float, float]]) -> LuckAdjusted | None:
    """Pairs as (A's mean score in it, 0, ½ or 1; A's luck in it, in the same unit).

    None where it would be unreliable: below `LEAST_PAIRS`, or where luck explains nothing.
    One pair at 1–1 without luck is added, as in `pair_statistics`.
    """
    if len(pairs) < LEAST_PAIRS:
        return None
    scores, lucks = np.array([*pairs, (0.5, 0.0)]).T
    adjusted = np.empty_like(scores)
    for fold in range(_FOLDS):
        own = np.arange(len(scores)) % _FOLDS == fold
        adjusted[own] = scores[own] - _slope(scores[~own], lucks[~own]) * lucks[own]
    score, variance, before = float(adjusted.mean()), float(adjusted.var()), float(scores.var())
    if not (variance < before and 0 < score < 1):
        return None
    slope = 400 / (log(10) * score * (1 - score))
    return LuckAdjusted(
        elo=400 * log10(score / (1 - score)),
        error=Z_95 * sqrt(variance / len(scores)) * slope,
        removed=1 - variance / before,
    )


def _slope(scores: np.ndarray, lucks: np.ndarray) -> float:
    """Of the regression of scores on luck; 0 where luck is always the same."""
    spread = lucks - lucks.mean()
    square = float(spread @ spread)
    return float(spread @ scores) / square if square else 0.0
