"""Ratings of a whole table at once: Bradley–Terry, maximum a posteriori, in Elo units.

A match is won by i against j with probability 1 / (1 + 10^((r_j - r_i) / 400))
(Bradley & Terry 1952); the strengths r come, a priori, from a normal distribution.
The fit depends on the counts alone, so it can be repeated by anyone from the
results, and on the order of their arrival not at all.

The two matches of a mirrored pair depend on each other. Their correlation is
estimated from all pairs of the table together, and each match of a pair counts for
as many independent ones as it is worth (quasi-likelihood, Wedderburn 1974), in the
fit and in the error bars alike. docs/explanation/rating.md gives the formulas.
"""

from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.rating import correlation
from arena.rating.errors import NotConverged
from arena.rating.pair_table import PairTable
from arena.rating.ratings import Ratings

Floats = NDArray[np.float64]

ELO = 400 / log(10)
"""Elo points in one unit of the logistic curve."""

PRIOR_SPREAD = 400.0
"""Standard deviation of strengths a priori, in Elo.

Wide enough to leave anybody with a few dozen results alone, narrow enough to keep
one who has won all or nothing within sight.
"""

_NEWTON_STEPS = 100

_LONGEST = 1.5
"""No step changes a difference of strengths by more, in units of the logistic curve.

The curvature of the logistic curve can't grow by more than e^u along a step of length
u, from which follows that steps up to 1.79 lead upwards always: Newton's method needs
no other safeguard (Bach 2010, "Self-concordant analysis for logistic regression").
"""

_CLOSE, _SETTLED = 1e-3, 1e-9
"""A step shorter than this is the last; the error left is of the order of its square.

Close is near enough to take the pair correlation from, settled is the result.
"""


def fit(table: PairTable, anchor: int | None = None) -> Ratings:
    """Ratings of all versions of the table.

    The version `anchor` has 1500 and no error, all others are measured from it;
    without one the mean of all versions is 1500. Raise `UnknownVersion` for an
    anchor that is not in the table.
    """
    posterior = _Posterior(table)
    if table.pairs.any():
        posterior.respect_pairs()
    return Ratings(
        table, ELO * posterior.theta, ELO**2 * posterior.covariance(), posterior.correlation, anchor
    )


class _Posterior:
    """The posterior of the strengths given a table, and where it is highest.

    Strengths are in units of the logistic curve here, `theta` the most probable ones.
    """

    def __init__(self, table: PairTable) -> None:
        """Settle as if the two matches of a pair were independent."""
        self._table = table
        self._size = len(table.versions)
        self._precision = (ELO / PRIOR_SPREAD) ** 2
        self.correlation = 0.0
        self._weigh(np.ones(len(table.keys)))
        self.theta = self._against_the_average()
        self._settle(_CLOSE)

    def respect_pairs(self) -> None:
        """Take the pair correlation from the residuals, weigh by it, and settle anew."""
        covariance = self.covariance()
        lower, higher = self._table.lower, self._table.higher
        own = np.diagonal(covariance)
        of_difference = own[lower] + own[higher] - 2 * covariance[lower, higher]
        chance = self._chance()
        leverage = 2 * chance * (1 - chance) * of_difference
        fading = correlation.fading(chance)
        self.correlation = correlation.estimate(self._table, chance, leverage, fading)
        self._weigh(1 / (1 + self.correlation * fading))
        self._settle(_SETTLED)

    def covariance(self) -> Floats:
        """Posterior covariance of the strengths, by the curvature at the top."""
        return _floats(np.linalg.inv(self._information(self._chance())))

    def _weigh(self, worth: Floats) -> None:
        """Count each meeting's results in independent matches, so many to a match of a pair."""
        won, split, _, single_won, _ = self._table.counts
        self._won: Floats = worth * (2 * won + split) + single_won
        self._played: Floats = worth * (2 * self._table.pairs) + self._table.singles

    def _against_the_average(self) -> Floats:
        """Where to start: strengths as if all opponents were of middling strength."""
        wins = self._per_version(self._won, self._played - self._won)
        losses = self._per_version(self._played - self._won, self._won)
        return _floats(np.log((wins + 1) / (losses + 1)))

    def _settle(self, shortest: float) -> None:
        """Newton's method until a step is shorter than that."""
        for _ in range(_NEWTON_STEPS):
            chance = self._chance()
            surplus = self._won - self._played * chance
            slope = self._per_version(surplus, -surplus) - self._precision * self.theta
            step = _floats(np.linalg.solve(self._information(chance), slope))
            change = np.abs(step[self._table.lower] - step[self._table.higher])
            step *= min(1.0, _LONGEST / np.max(change, initial=_LONGEST))
            self.theta = self.theta + step
            if np.max(np.abs(step), initial=0.0) < shortest:
                return
        raise NotConverged(f"no maximum found in {_NEWTON_STEPS} Newton steps")

    def _chance(self) -> Floats:
        """For each meeting the lower id's chance to win a match."""
        weight = np.exp(self.theta)
        of_lower, of_higher = weight[self._table.lower], weight[self._table.higher]
        return _floats(of_lower / (of_lower + of_higher))

    def _information(self, chance: Floats) -> Floats:
        """Second derivative of the log-posterior, negated: what results and prior tell."""
        told = self._played * chance * (1 - chance)
        matrix = np.zeros((self._size, self._size))
        matrix.reshape(-1)[self._table.keys] = -told
        matrix += matrix.T
        np.fill_diagonal(matrix, self._per_version(told, told) + self._precision)
        return matrix

    def _per_version(self, of_lower: Floats, of_higher: Floats) -> Floats:
        """Sums over the meetings of each version."""
        lower = np.bincount(self._table.lower, of_lower, self._size)
        higher = np.bincount(self._table.higher, of_higher, self._size)
        return _floats(lower + higher)


def _floats(array: ArrayLike) -> Floats:
    """The same array; numpy's own types leave its element type open."""
    return np.asarray(array, dtype=np.float64)
