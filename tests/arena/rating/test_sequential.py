"""The sequential test: right as often as it says, finite whatever comes, and it stops."""

from collections.abc import Iterator
from math import isfinite, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import BadCount, BadHypotheses, Decision, Hypotheses, in_words, weigh

SIMULATIONS = 300
counts = st.integers(0, 5_000)
hypotheses = st.builds(
    lambda elo0, gap, alpha, beta: Hypotheses(elo0, elo0 + gap, alpha, beta),
    st.floats(-500, 400),
    st.floats(0.5, 500),
    st.floats(0.001, 0.4),
    st.floats(0.001, 0.4),
)


def pairs_of(
    elo: float, correlation: float, random: np.random.Generator
) -> Iterator[tuple[int, int, int]]:
    """Counts of pairs lost, split and won after each pair, without an end."""
    win = 1 / (1 + 10 ** (-elo / 400))
    spread = correlation * win * (1 - win)
    chances = [(1 - win) ** 2 + spread, 2 * (win * (1 - win) - spread), win**2 + spread]
    seen = [0, 0, 0]
    while True:
        for outcome in random.choice(3, 256, p=chances):
            seen[outcome] += 1
            yield seen[0], seen[1], seen[2]


def decided(
    elo: float, correlation: float, asked: Hypotheses, random: np.random.Generator
) -> tuple[Decision, int]:
    """How one test ended, and after how many pairs."""
    for seen in pairs_of(elo, correlation, random):
        weighed = weigh(*seen, asked)
        if weighed.decision is not Decision.OPEN:
            return weighed.decision, weighed.pairs
    raise AssertionError("pairs have no end")


@pytest.mark.parametrize("correlation", [-0.3, 0.0, 0.3])
@pytest.mark.parametrize(("elo0", "elo1"), [(0.0, 80.0), (-50.0, 50.0), (100.0, 200.0)])
def test_wrong_answers_are_as_rare_as_promised(
    elo0: float, elo1: float, correlation: float
) -> None:
    asked = Hypotheses(elo0, elo1)
    random = np.random.default_rng([round(elo1), round(10 * correlation) + 10])
    wrong = {Decision.BETTER: 0, Decision.NOT_BETTER: 0}
    for _ in range(SIMULATIONS):
        for truth, error in ((elo0, Decision.BETTER), (elo1, Decision.NOT_BETTER)):
            wrong[error] += decided(truth, correlation, asked, random)[0] is error
    # So far above alpha and beta chance alone comes once in a thousand.
    margin = 3.1 * sqrt(SIMULATIONS * 0.05 * 0.95)
    assert wrong[Decision.BETTER] <= 0.05 * SIMULATIONS + margin
    assert wrong[Decision.NOT_BETTER] <= 0.05 * SIMULATIONS + margin
    assert sum(wrong.values()) > 0  # a test that is never wrong asks for far too many pairs


@pytest.mark.slow
def test_the_question_asked_by_default_is_answered_wrongly_as_rarely_as_promised() -> None:
    asked, random = Hypotheses(), np.random.default_rng(66)
    for truth, error in ((asked.elo0, Decision.BETTER), (asked.elo1, Decision.NOT_BETTER)):
        wrong = sum(decided(truth, -0.2, asked, random)[0] is error for _ in range(SIMULATIONS))
        assert wrong <= 0.05 * SIMULATIONS + 3.1 * sqrt(SIMULATIONS * 0.05 * 0.95)


def test_halfway_between_the_two_leads_either_answer_may_come() -> None:
    asked, random = Hypotheses(0, 80), np.random.default_rng(6)
    answers = [decided(40.0, -0.2, asked, random)[0] for _ in range(200)]
    assert 0.3 < answers.count(Decision.BETTER) / 200 < 0.7


def test_the_answer_comes_soonest_where_the_truth_is_far_from_the_question() -> None:
    asked, random = Hypotheses(0, 40), np.random.default_rng(4)
    needed = {
        elo: np.mean([decided(elo, -0.2, asked, random)[1] for _ in range(40)])
        for elo in (20.0, 40.0, 120.0)
    }
    assert needed[120.0] < needed[40.0] < needed[20.0]


def test_pairs_that_mirror_each_other_decide_sooner() -> None:
    asked, random = Hypotheses(0, 40), np.random.default_rng(5)
    mirrored, single = (
        np.mean([decided(40.0, correlation, asked, random)[1] for _ in range(60)])
        for correlation in (-0.5, 0.0)
    )
    assert mirrored < single


@given(counts, counts, counts, hypotheses)
def test_fc115_the_ratio_is_finite_whatever_the_pairs(
    lost: int, split: int, won: int, asked: Hypotheses
) -> None:
    weighed = weigh(lost, split, won, asked)
    assert isfinite(weighed.llr)
    assert weighed.pairs == lost + split + won
    assert in_words(weighed, asked)


@pytest.mark.parametrize(
    ("scores", "decision"),
    [
        ((0, 0, 0), Decision.OPEN),
        ((0, 0, 1), Decision.OPEN),
        ((0, 0, 300), Decision.BETTER),
        ((300, 0, 0), Decision.NOT_BETTER),
        ((0, 300, 0), Decision.NOT_BETTER),
    ],
)
def test_fc115_one_sided_pairs_get_the_answer_that_they_give(
    scores: tuple[int, int, int], decision: Decision
) -> None:
    assert weigh(*scores, Hypotheses(0, 20)).decision is decision


@given(counts, counts, counts, st.floats(1, 200))
def test_seen_by_the_other_side_the_ratio_is_mirrored(
    lost: int, split: int, won: int, elo: float
) -> None:
    asked = Hypotheses(-elo, elo)
    one, other = weigh(lost, split, won, asked).llr, weigh(won, split, lost, asked).llr
    assert one == pytest.approx(-other, abs=1e-6, rel=1e-6)


def test_the_ratio_is_that_of_the_most_likely_chances_found_by_search() -> None:
    def best(lost: int, split: int, won: int, elo: float) -> float:
        mean = 1 / (1 + 10 ** (-elo / 400))
        upper = min(mean, 1 - mean)
        halves = np.linspace(1e-9, 2 * upper - 1e-9, 400_001)
        wins = mean - halves / 2
        losses = 1 - halves - wins
        return float(np.max(lost * np.log(losses) + split * np.log(halves) + won * np.log(wins)))

    for scores in ((30, 80, 50), (3, 10, 9), (120, 60, 20)):
        searched = best(*scores, 35) - best(*scores, -5)
        assert weigh(*scores, Hypotheses(-5, 35)).llr == pytest.approx(searched, abs=1e-4)


def test_the_bounds_are_those_of_wald() -> None:
    asked = Hypotheses(0, 20, alpha=0.05, beta=0.1)
    assert (asked.lower, asked.upper) == (log(0.1 / 0.95), log(0.9 / 0.05))


def test_a_question_that_is_none_is_refused() -> None:
    for elo0, elo1 in ((20, 20), (20, 0), (float("nan"), 10), (0, 1e9)):
        with pytest.raises(BadHypotheses, match="elo0 must be below elo1"):
            Hypotheses(elo0, elo1)
    for alpha in (0.0, 0.5, -1.0, float("nan")):
        with pytest.raises(BadHypotheses, match="alpha and beta must lie between"):
            Hypotheses(alpha=alpha)
    with pytest.raises(BadCount):
        weigh(-1, 0, 0, Hypotheses())


def test_the_answer_is_plain() -> None:
    asked = Hypotheses(0, 20)
    assert in_words(weigh(0, 0, 300, asked), asked, "new", "old").startswith(
        "Yes: new is better than old, by more than 0 Elo"
    )
    assert "No: new is not better than old by 20 Elo" in in_words(
        weigh(300, 0, 0, asked), asked, "new", "old"
    )
    assert "Not decided yet, after 1 pair." in in_words(weigh(0, 1, 0, asked), asked)


@pytest.mark.parametrize(("risk", "said"), [(0.05, "5 %"), (0.001, "0.1 %"), (0.125, "12.5 %")])
def test_the_answer_tells_how_often_it_may_be_wrong_as_it_was_asked(risk: float, said: str) -> None:
    asked = Hypotheses(0, 20, risk, risk)
    for pairs in ((0, 0, 900), (900, 0, 0)):
        assert f"(wrong in at most {said} of such tests)" in in_words(weigh(*pairs, asked), asked)
