"""Mirroring is worth it: the two results of a pair of house bots' matches pull apart."""

from math import sqrt

import pytest
from house_matches import meeting


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other", "pairs"), [("random", "random", 500), ("tactician", "greedy", 250)]
)
def test_the_two_results_of_a_pair_correlate_negatively_and_that_saves_matches(
    one: str, other: str, pairs: int
) -> None:
    told = meeting(one, other, pairs)
    # With p the chance to win a match, a pair's mean has the variance p(1-p)(1+c)/2: what is saved
    # is −c, whose standard error is about 1/√pairs where there is no correlation.
    assert told.saving is not None
    assert told.saving > 1.96 / sqrt(pairs)
    assert 0.1 < told.saving < 0.35
