"""The luck-adjusted score: right in the mean, its bars honest, kept back where it is a guess."""

from math import log10

import numpy as np
import pytest

from arena.rating import LEAST_PAIRS, luck_adjusted, pair_statistics


def simulated(
    rng: np.random.Generator, pairs: int, skill: float, luck: float
) -> list[tuple[float, float]]:
    """Pairs of matches won where skill, luck that can be seen, and luck that can't, exceed 0."""
    seen = rng.normal(0, 1, pairs)
    results = [skill + luck * seen + rng.normal(0, 1, pairs) > 0 for _ in range(2)]
    return list(zip(np.mean(results, axis=0), 0.2 * luck * seen, strict=True))


def test_its_bars_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    win = np.mean([score for score, _ in simulated(rng, 2_000_000, 0.3, 1.0)])
    truth = -400 * log10(1 / win - 1)
    runs = 400
    found = [luck_adjusted(simulated(rng, LEAST_PAIRS, 0.3, 1.0)) for _ in range(runs)]
    hits = [told is not None and abs(told.elo - truth) <= told.error for told in found]
    # ± 3 standard errors of a proportion of so many runs.
    assert np.mean(hits) == pytest.approx(0.95, abs=3 * (0.95 * 0.05 / runs) ** 0.5)
    means = [told.elo for told in found if told is not None]
    assert np.mean(means) == pytest.approx(truth, abs=3 * float(np.std(means)) / runs**0.5)


def test_the_bar_is_shorter_by_what_is_removed() -> None:
    pairs = simulated(np.random.default_rng(12), 20_000, 0.0, 1.0)
    scores = [score for score, _ in pairs]
    plain = pair_statistics(*(scores.count(score) for score in (0, 0.5, 1)))
    told = luck_adjusted(pairs)
    assert told is not None
    assert 0.3 < told.removed < 0.7
    assert told.error == pytest.approx(plain.error * (1 - told.removed) ** 0.5, rel=0.02)


def test_luck_that_explains_nothing_removes_nothing() -> None:
    rng = np.random.default_rng(13)
    for _ in range(50):
        pairs = simulated(rng, LEAST_PAIRS, 0.5, 0.0)
        noise = [(score, float(rng.normal())) for score, _ in pairs]
        told = luck_adjusted(noise)
        assert told is None or told.removed < 0.03


def test_with_few_pairs_it_is_not_told() -> None:
    pairs = simulated(np.random.default_rng(14), LEAST_PAIRS, 0.3, 1.0)
    assert luck_adjusted(pairs) is not None
    assert luck_adjusted(pairs[:-1]) is None
    assert luck_adjusted([]) is None


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_fc115_one_sided_scores_give_no_figure_that_is_none(score: float, spread: float) -> None:
    lucks = np.random.default_rng(15).normal(0, spread, 600)
    told = luck_adjusted([(score, luck) for luck in lucks])
    assert told is None or (abs(told.elo) < 2000 and 0 < told.error < 1000)
