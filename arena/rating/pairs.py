"""Statistics of mirrored pairs between two bots, A and B.

Both matches of a pair use the same decks with the seats exchanged, so the two
results depend on each other and only pairs are independent. Every standard
error here therefore comes from pairs, never from single matches.
"""

from dataclasses import dataclass
from math import erf, log, log10, sqrt

from arena.rating.errors import BadCount

Z_95 = 1.96
"""A normal variable lies within ± this many standard deviations 95 % of the time."""


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """What a number of pairs says about A against B."""

    pairs: int
    """Pairs really played."""
    score: float
    """A's mean score a match, in 0..1, with one pair at 1–1 added."""
    score_error: float
    """Standard error of `score`."""
    elo: float
    """Elo of A less that of B."""
    error: float
    """Half-width of the 95 % interval of `elo`, in Elo."""
    los: float
    """Likelihood of superiority: how sure it is that A is the better one, in 0..1."""
    saving: float | None
    """The part of the matches that mirroring saved, from the pairs really played.

    As many pairs of independent matches would have to be more numerous by this
    part for the same error; negative where the two results of a pair agree more often
    than chance would have it. None where it can't be told: fewer than two pairs,
    or A won all or nothing.
    """


def pair_statistics(lost: int, split: int, won: int) -> PairStatistics:
    """Statistics of the pairs in which A won 0, 1 and 2 matches.

    One pair at 1–1 is added, so that all is finite, also after none or after any
    number of one-sided pairs. Raise `BadCount` for a negative count.
    """
    if min(lost, split, won) < 0:
        raise BadCount(f"pair scores can't be negative: {lost}, {split}, {won}")
    pairs = lost + split + won
    score, variance = _moments(lost, split + 1, won)
    score_error = sqrt(variance / (pairs + 1))
    slope = 400 / (log(10) * score * (1 - score))
    return PairStatistics(
        pairs=pairs,
        score=score,
        score_error=score_error,
        elo=400 * log10(score / (1 - score)),  # not −0.0 where both are alike
        error=Z_95 * score_error * slope,
        los=superiority(score - 0.5, score_error),
        saving=_saving(lost, split, won),
    )


def superiority(difference: float, error: float) -> float:
    """Probability that a normal variable of this mean and standard deviation is above 0.

    Where both are 0 nothing speaks for either side: one half.
    """
    if error == 0:
        return 0.5
    return (1 + erf(difference / error / sqrt(2))) / 2


def _moments(lost: int, split: int, won: int) -> tuple[float, float]:
    """Mean and variance of the pair means 0, ½ and 1; the variance of equal ones is 0 exactly."""
    pairs = lost + split + won
    halves = split + 2 * won
    variance = (pairs * (split + 4 * won) - halves * halves) / (4 * pairs * pairs)
    return halves / (2 * pairs), variance


def _saving(lost: int, split: int, won: int) -> float | None:
    if lost + split + won < 2:
        return None
    score, variance = _moments(lost, split, won)
    independent = score * (1 - score) / 2
    return None if independent == 0 else 1 - variance / independent
