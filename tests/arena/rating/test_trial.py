"""A sequential test as its pairs come in: in their order, up to the decision and no further."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.rating import Decision, Hypotheses, Result, Trial, trial_of, weigh

ASKED = Hypotheses(0, 200)
scores = st.lists(st.integers(0, 2), max_size=120)


def results_of(pairs: list[int | None]) -> list[Result]:
    """A pair of matches for each score of the lower version; None: one of them was void."""
    found = []
    for pair, won in enumerate(pairs):
        winners = (won or 0) >= 1, won == 2
        for game in (0, 1):
            if won is None and game == 1:
                continue
            winner = game if winners[game] else 1 - game
            found.append(Result(pair, game, winner, 11, 5, "", "", 0))
    return found


@given(scores)
def test_it_stands_as_at_the_first_pair_that_decides(pairs: list[int]) -> None:
    trial = Trial(ASKED)
    for won in pairs:
        trial.add(won)
    counted = [0, 0, 0]
    for won in pairs:
        if weigh(*counted, ASKED).decision is not Decision.OPEN:
            break
        counted[won] += 1
    assert trial.scores == counted
    assert trial.weighed == weigh(*counted, ASKED)


questions = st.sampled_from(
    [ASKED, Hypotheses(), Hypotheses(-5, 0), Hypotheses(-200, 150), Hypotheses(-1200, 1200)]
)


@given(st.lists(scores, max_size=3), questions)
def test_many_pairs_at_once_are_taken_in_as_one_after_the_other(
    groups: list[list[int]], asked: Hypotheses
) -> None:
    at_once, singly = Trial(asked), Trial(asked)
    for group in groups:
        at_once.add_all(group)
        for won in group:
            singly.add(won)
    assert at_once.scores == singly.scores
    assert at_once.weighed == singly.weighed


def test_a_long_test_is_decided_at_the_same_pair_taken_in_at_once_or_singly() -> None:
    chance = Random(7)
    won = chance.choices((0, 1, 2), (24, 50, 26), k=3_000)
    for asked in (Hypotheses(0, 20), Hypotheses(0, 5), Hypotheses(-20, 0)):
        at_once, singly = Trial(asked), Trial(asked)
        at_once.add_all(won)
        for each in won:
            singly.add(each)
        assert (at_once.scores, at_once.weighed) == (singly.scores, singly.weighed)


@given(st.lists(st.one_of(st.none(), st.integers(0, 2)), max_size=80), st.randoms())
def test_the_order_of_arrival_leaves_no_trace(pairs: list[int | None], random: object) -> None:
    results = results_of(pairs)
    random.shuffle(results)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    trial = trial_of(results, ASKED, first_is_lower=True, until=len(pairs))
    straight = Trial(ASKED)
    for won in pairs:
        if won is not None:
            straight.add(won)
    assert trial.scores == straight.scores


@given(scores)
def test_asked_from_the_other_side_wins_are_losses(pairs: list[int]) -> None:
    results = results_of(list(pairs))
    mine = trial_of(results, Hypotheses(-1000, 1000), first_is_lower=True, until=len(pairs))
    its = trial_of(results, Hypotheses(-1000, 1000), first_is_lower=False, until=len(pairs))
    counted = min(sum(mine.scores), sum(its.scores))
    assert its.scores == mine.scores[::-1] or counted < len(pairs)


def test_pairs_behind_one_that_is_still_to_be_played_do_not_count() -> None:
    trial = trial_of(results_of([2, 1, 2, 0]), ASKED, first_is_lower=True, until=2)
    assert trial.scores == [0, 1, 1]


def test_a_match_without_a_winner_takes_its_pair_out() -> None:
    results = [*results_of([2]), Result(1, 0, None, 0, 0, "start", "start", 0),
               Result(1, 1, 1, 4, 11, "", "", 0)]  # fmt: skip
    assert trial_of(results, ASKED, first_is_lower=True, until=2).scores == [0, 0, 1]
