"""Is A better than B? A sequential test on mirrored pairs, which stops as soon as it knows.

Two hypotheses about the lead of A over B in Elo, H0: `elo0` and H1: `elo1`, are weighed
by the generalised likelihood ratio: under each, the three outcomes of a pair get the
most likely chances that have its mean score, and the logarithm of the ratio of the two
likelihoods is compared with two bounds (Wald 1945). No model of the correlation of
the two results of a pair is needed, because it is fitted along with the rest
(Van den Bergh, *A practical introduction to the GSPRT*; as used for chess engines).
"""

from dataclasses import dataclass
from enum import StrEnum
from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.rating.errors import BadCount, BadHypotheses

_UNSEEN = 1e-3
"""Pairs that an outcome which has not come up counts as: nothing is taken for impossible."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is asked: a lead of `elo0` (H0) or of `elo1` (H1), in Elo of a match.

    `alpha` is how often H1 may be accepted though the lead is `elo0`, `beta` how often H0
    though it is `elo1`. Raises `BadHypotheses`.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise BadHypotheses(
                f"elo0 must be below elo1, both within ±{_MOST_ELO:.0f}: {self.elo0}, {self.elo1}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadHypotheses(
                f"alpha and beta must lie between 0 and 0.5: {self.alpha}, {self.beta}"
            )

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is accepted."""
        return log((1 - self.beta) / self.alpha)


_MOST_ELO = 1_200.0
"""A thousand matches to one: beyond it no number of pairs tells anything apart."""


class Decision(StrEnum):
    """Where the test stands."""

    OPEN = "open"
    BETTER = "better"
    """H1 is accepted: the lead of A fits `elo1` rather than `elo0`."""
    NOT_BETTER = "not_better"
    """H0 is accepted: the lead of A fits `elo0` rather than `elo1`."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a number of pairs says to the question."""

    pairs: int
    llr: float
    """Logarithm of the likelihood ratio of H1 to H0; finite whatever the pairs."""
    decision: Decision


def weigh(lost: int, split: int, won: int, asked: Hypotheses) -> Weighed:
    """Weighs the pairs in which A won 0, 1 and 2 matches. Raises `BadCount`."""
    if min(lost, split, won) < 0:
        raise BadCount(f"pair scores can't be negative: {lost}, {split}, {won}")
    pairs = lost + split + won
    llr = 0.0
    if pairs:
        counts = [max(float(count), _UNSEEN) for count in (lost, split, won)]
        llr = _log_likelihood(counts, _score(asked.elo1)) - _log_likelihood(
            counts, _score(asked.elo0)
        )
    decision = Decision.OPEN
    if llr >= asked.upper:
        decision = Decision.BETTER
    elif llr <= asked.lower:
        decision = Decision.NOT_BETTER
    return Weighed(pairs, llr, decision)


def llr_of_many(counts: NDArray[np.int64], asked: Hypotheses) -> NDArray[np.float64]:
    """The ratio of `weigh` for each row (pairs in which A won 0, 1, 2 matches) of shape (n, 3).

    It may differ from that of `weigh` in the last digits, which decides: this only tells which rows
    are worth a look.
    """
    seen = np.maximum(counts, _UNSEEN)
    return _log_likelihoods(seen, _score(asked.elo1)) - _log_likelihoods(seen, _score(asked.elo0))


def in_words(weighed: Weighed, asked: Hypotheses, first: str = "A", second: str = "B") -> str:
    """The plain answer, in one sentence."""
    match weighed.decision:
        case Decision.BETTER:
            return (
                f"Yes: {first} is better than {second}, by more than {asked.elo0:g} Elo "
                f"(wrong in at most {100 * asked.alpha:.3g} % of such tests)."
            )
        case Decision.NOT_BETTER:
            return (
                f"No: {first} is not better than {second} by {asked.elo1:g} Elo "
                f"(wrong in at most {100 * asked.beta:.3g} % of such tests)."
            )
        case Decision.OPEN:
            return f"Not decided yet, after {weighed.pairs} pair{'s' * (weighed.pairs != 1)}."


def _score(elo: float) -> float:
    """The mean score of a match at a lead in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def _log_likelihood(counts: list[float], mean: float) -> float:
    """Of the most likely chances of 0, ½ and 1 that have this mean, less a constant.

    They are n_i / (n (1 + t d_i)) with d_i the outcome less the mean (Lagrange), where t is the
    one number that gives them the mean.
    """
    offsets = (-mean, 0.5 - mean, 1 - mean)
    tilt = _tilt(counts, offsets)
    return -sum(
        count * log(1 + tilt * offset) for count, offset in zip(counts, offsets, strict=True)
    )


def _tilt(counts: list[float], offsets: tuple[float, float, float]) -> float:
    """The root t of Σ n_i d_i / (1 + t d_i) that leaves all chances positive.

    Multiplied out it is a quadratic equation, with one root between the poles.
    """
    low, middle, high = offsets
    square = low * middle * high * sum(counts)
    linear = sum(
        count * own * (low + middle + high - own)
        for count, own in zip(counts, offsets, strict=True)
    )
    constant = sum(count * own for count, own in zip(counts, offsets, strict=True))
    # Neither root is taken as a difference of nearly equal numbers.
    root = sqrt(max(linear * linear - 4 * square * constant, 0.0))
    larger = -(linear + (root if linear > 0 else -root)) / 2
    roots = [constant / larger if larger else 0.0, larger / square if square else inf]
    return next(t for t in roots if -1 / high < t < -1 / low)


def _log_likelihoods(counts: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """`_log_likelihood`, row by row."""
    offsets = np.array((-mean, 0.5 - mean, 1 - mean))
    square = offsets.prod() * counts.sum(axis=1)
    linear = counts @ (offsets * (offsets.sum() - offsets))
    constant = counts @ offsets
    root = np.sqrt(np.maximum(linear * linear - 4 * square * constant, 0.0))
    larger = -(linear + np.where(linear > 0, root, -root)) / 2
    one = np.divide(constant, larger, out=np.zeros_like(larger), where=larger != 0)
    other = np.divide(larger, square, out=np.full_like(larger, inf), where=square != 0)
    tilt = np.where((-1 / offsets[2] < one) & (one < -1 / offsets[0]), one, other)
    likelihoods: NDArray[np.float64] = -(counts * np.log(1 + tilt[:, None] * offsets)).sum(axis=1)
    return likelihoods
