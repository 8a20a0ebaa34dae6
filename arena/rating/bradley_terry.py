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
"""No step changes the gap of two who have met by more, in units of the logistic curve.

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
        table,
        ELO * posterior.theta,
        ELO**2 * posterior.covariance(),
        posterior.correlation,
        posterior.saved,
        anchor,
    )


class _Posterior:
    """The posterior of the strengths given a table, and where it is highest.

    Strengths are in units of the logistic curve here, `theta` the most probable ones; `saved` is
    by how many independent matches all pairs together are worth more than their own number.
    Sums go over the whole square of versions, so the time depends on their number
    alone, however many of them have met and how often.
    """

    def __init__(self, table: PairTable) -> None:
        """Settle as if the two matches of a pair were independent."""
        self._table = table
        self._precision = (ELO / PRIOR_SPREAD) ** 2
        self.correlation = 0.0
        self.saved = 0.0
        self._weigh(np.ones(len(table.lower)))
        # To start with, as if all opponents were of middling strength.
        self.theta: Floats = np.log((self._won.sum(axis=1) + 1) / (self._won.sum(axis=0) + 1))
        self._settle(_CLOSE)

    def respect_pairs(self) -> None:
        """Take the pair correlation from the residuals, weigh by it, and settle anew."""
        covariance = self.covariance()
        lower, higher = self._table.lower, self._table.higher
        own = np.diagonal(covariance)
        of_difference = own[lower] + own[higher] - 2 * covariance[lower, higher]
        chance = self._chance()[lower, higher]
        leverage = 2 * chance * (1 - chance) * of_difference
        fading = correlation.fading(chance)
        self.correlation = correlation.estimate(self._table, chance, leverage, fading)
        worth = 1 / (1 + self.correlation * fading)
        self.saved = 2 * float(self._table.pairs @ (worth - 1))
        self._weigh(worth)
        self._settle(_SETTLED)

    def covariance(self) -> Floats:
        """Posterior covariance of the strengths, by the curvature at the top."""
        _, information = self._derivatives()
        return _floats(np.linalg.inv(information))

    def _weigh(self, worth: Floats) -> None:
        """Count wins in independent matches, so many to a match of a pair.

        `_won[i, j]` are those of i against j, `_played` both sides' together.
        """
        table, size = self._table, len(self._table.versions)
        won, split, lost, single_won, single_lost = table.counts
        self._won = np.zeros((size, size))
        self._won[table.lower, table.higher] = worth * (2 * won + split) + single_won
        self._won[table.higher, table.lower] = worth * (2 * lost + split) + single_lost
        self._played = self._won + self._won.T

    def _settle(self, shortest: float) -> None:
        """Newton's method until a step is shorter than that."""
        for _ in range(_NEWTON_STEPS):
            slope, information = self._derivatives()
            step = _floats(np.linalg.solve(information, slope))
            changes = np.abs(step[self._table.lower] - step[self._table.higher])
            step *= _LONGEST / np.max(changes, initial=_LONGEST)
            self.theta = self.theta + step
            if np.max(np.abs(step), initial=0.0) < shortest:
                return
        raise NotConverged(f"no maximum found in {_NEWTON_STEPS} Newton steps")

    def _chance(self) -> Floats:
        """Of the row's version to win a match against the column's."""
        weight = np.exp(self.theta)
        return _floats(weight[:, None] / (weight[:, None] + weight))

    def _derivatives(self) -> tuple[Floats, Floats]:
        """Slope of the log-posterior, and its curvature negated: what results and prior tell."""
        chance = self._chance()
        expected = self._played * chance
        slope = self._won.sum(axis=1) - expected.sum(axis=1) - self._precision * self.theta
        chance -= 1
        expected *= chance
        np.fill_diagonal(expected, self._precision - expected.sum(axis=1))
        return slope, expected


def _floats(array: ArrayLike) -> Floats:
    """The same array; numpy's own types leave its element type open."""
    return np.asarray(array, dtype=np.float64)
