"""The figures printed for two bots, by the formulas of the protocol page."""

from math import erf, isfinite, log, log10, sqrt
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import BadCount, pair_statistics

counts = st.integers(0, 10_000)


@given(counts, counts, counts)
def test_the_figures_follow_the_written_formulas(lost: int, split: int, won: int) -> None:
    means = [0.0] * lost + [0.5] * (split + 1) + [1.0] * won
    s = fmean(means)
    se = pstdev(means) / sqrt(len(means))
    told = pair_statistics(lost, split, won)
    assert told.pairs == lost + split + won
    assert told.score == pytest.approx(s)
    assert told.score_error == pytest.approx(se, abs=1e-12)
    assert told.elo == pytest.approx(-400 * log10(1 / s - 1), abs=1e-9)
    assert told.error == pytest.approx(1.96 * se * 400 / (log(10) * s * (1 - s)), abs=1e-9)
    if se:
        assert told.los == pytest.approx((1 + erf((s - 0.5) / se / sqrt(2))) / 2)


@given(counts, counts, counts)
def test_seen_by_the_other_side_all_is_mirrored(lost: int, split: int, won: int) -> None:
    one, other = pair_statistics(lost, split, won), pair_statistics(won, split, lost)
    assert one.elo == pytest.approx(-other.elo, abs=1e-6)
    assert one.error == pytest.approx(other.error)
    assert one.los == pytest.approx(1 - other.los)


@pytest.mark.parametrize("scores", [(0, 0, 0), (0, 0, 1), (0, 0, 300), (300, 0, 0), (0, 300, 0)])
def test_fc115_one_sided_or_empty_scores_stay_finite(scores: tuple[int, int, int]) -> None:
    told = pair_statistics(*scores)
    assert all(map(isfinite, (told.elo, told.error, told.los, told.score)))
    assert 0 <= told.los <= 1


def test_without_a_pair_nothing_speaks_for_either() -> None:
    told = pair_statistics(0, 0, 0)
    assert (told.elo, told.error, told.los, told.saving) == (0, 0, 0.5, None)


def test_pairs_that_split_more_often_than_chance_save_matches() -> None:
    assert pair_statistics(20, 60, 20).saving == pytest.approx(0.2)


def test_independent_matches_save_nothing() -> None:
    assert pair_statistics(25, 50, 25).saving == pytest.approx(0)


def test_a_saving_is_not_told_where_it_cannot_be() -> None:
    assert pair_statistics(0, 1, 0).saving is None
    assert pair_statistics(0, 0, 40).saving is None


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(BadCount, match="can't be negative: 1, -2, 3"):
        pair_statistics(1, -2, 3)


def test_of_bots_that_are_alike_no_minus_is_shown() -> None:
    assert str(pair_statistics(0, 4, 0).elo) == "0.0"
