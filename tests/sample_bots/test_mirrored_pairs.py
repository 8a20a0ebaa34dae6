"""Mirroring is worth it, and so is a look at the luck that it leaves: by matches of house bots."""

from math import sqrt

import numpy as np
import pytest
from house_matches import meeting, scores_and_lucks

MEETINGS = pytest.mark.parametrize(
    ("one", "other", "pairs"), [("random", "random", 500), ("tactician", "greedy", 250)]
)


@pytest.mark.slow
@MEETINGS
def test_the_two_results_of_a_pair_correlate_negatively_and_that_saves_matches(
    one: str, other: str, pairs: int
) -> None:
    told = meeting(one, other, pairs)
    # With p the chance to win a match, a pair's mean has the variance p(1-p)(1+c)/2: what is saved
    # is −c, whose standard error is about 1/√pairs where there is no correlation.
    assert told.saving is not None
    assert told.saving > 1.96 / sqrt(pairs)
    assert 0.1 < told.saving < 0.35


@pytest.mark.slow
@MEETINGS
def test_the_luck_that_mirroring_leaves_is_a_good_part_of_the_rest(
    one: str, other: str, pairs: int
) -> None:
    scores, lucks = np.array(scores_and_lucks(one, other, pairs)).T
    # The weights were fitted on other deals and nothing is fitted here: no cross-fitting needed.
    removed = 1 - np.var(scores - lucks) / np.var(scores)
    assert 0.05 < removed < 0.5
    assert abs(lucks.mean()) < 3.3 * lucks.std() / sqrt(pairs)  # once in a thousand by chance
