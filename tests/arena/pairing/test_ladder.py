"""Who gets the next game on a ladder, and against whom."""

from collections import Counter
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import (
    FAULTS_IN_A_ROW,
    LONGEST_GAP_S,
    Contender,
    DuplicateEntry,
    Ladder,
    is_to_be_paused,
)
from arena.pairing.ladder import EVEN

contenders = st.lists(
    st.builds(
        lambda games, **fields: Contender(games=0 if fields["new"] else games, **fields),
        version=st.integers(1, 10**6),
        games=st.integers(0, 500),
        waited_s=st.floats(0, 1e6),
        new=st.booleans(),
        elo=st.floats(-1e4, 1e4),
        error=st.floats(0, 1e4),
    ),
    min_size=2,
    max_size=12,
    unique_by=lambda each: each.version,
)


def rested(version: int, games: int = 0, **known: float) -> Contender:
    return Contender(version, games, waited_s=60.0, **known)  # type: ignore[arg-type]  # floats


@given(contenders, st.integers(1, 30))
def test_two_different_contenders_meet_the_lower_first(there: list[Contender], many: int) -> None:
    versions = {each.version for each in there}
    taken = list(islice(Ladder(there), many))
    assert len(taken) == many
    assert all(low < high and {low, high} <= versions for low, high in taken)


@given(contenders, st.permutations(range(12)))
def test_the_order_in_which_they_are_named_changes_nothing(
    there: list[Contender], order: list[int]
) -> None:
    shuffled = [there[place] for place in order if place < len(there)]
    assert list(islice(Ladder(there), 20)) == list(islice(Ladder(shuffled), 20))


@given(contenders)
def test_who_has_never_played_goes_first(there: list[Contender]) -> None:
    ladder = Ladder(there)
    new = {each.version for each in there if each.new}
    assert ladder.new() == len(new)
    for low, high in islice(ladder, (len(new) + 1) // 2):
        assert new & {low, high}
        new -= {low, high}
    assert not new
    assert ladder.new() == 0


@given(contenders)
def test_then_whoever_has_waited_too_long_the_longest_first(there: list[Contender]) -> None:
    known = [
        Contender(each.version, each.games, each.waited_s, False, each.elo, each.error)
        for each in there
    ]
    late = [each for each in known if each.waited_s > LONGEST_GAP_S]
    if late:
        longest = max(each.waited_s for each in late)
        first = {each.version for each in late if each.waited_s == longest}
        assert first & set(next(Ladder(known)))


@given(contenders)
def test_then_whoever_has_the_fewest_games(there: list[Contender]) -> None:
    known = [rested(each.version, each.games, elo=each.elo) for each in there]
    fewest = min(each.games for each in known)
    assert {each.version for each in known if each.games == fewest} & set(next(Ladder(known)))


@given(st.lists(st.integers(1, 10**6), unique=True, min_size=3, max_size=20), st.integers(1, 400))
def test_from_an_even_start_all_stay_even(versions: list[int], many: int) -> None:
    played = Counter(dict.fromkeys(versions, 0))
    for both in islice(Ladder([rested(each) for each in versions]), many):
        played.update(both)
    assert max(played.values()) - min(played.values()) <= EVEN + 1


def test_a_pairing_counts_the_less_the_more_often_it_was() -> None:
    taken = list(islice(Ladder([rested(each) for each in (1, 2, 3, 4)]), 12))
    met = Counter(taken)
    assert len(met) == 6
    assert max(met.values()) - min(met.values()) <= 1
    assert all(one != other for one, other in pairwise(taken))


def test_equals_with_wide_errors_are_preferred_to_whose_meeting_tells_little() -> None:
    me = rested(1, elo=1500.0, error=100.0)
    far, sure = rested(2, elo=2500.0, error=100.0), rested(3, elo=1500.0, error=10.0)
    near = rested(4, elo=1520.0, error=100.0)
    assert next(Ladder([me, far, sure, near])) == (1, 4)
    assert next(Ladder([me, far, sure])) == (1, 3)


def test_one_alone_has_nobody_to_meet() -> None:
    assert list(Ladder([rested(7)])) == list(Ladder([])) == []


def test_a_contender_named_twice_is_refused() -> None:
    with pytest.raises(DuplicateEntry, match="entry 3"):
        Ladder([rested(3), rested(3, games=1)])


@given(st.lists(st.booleans(), max_size=8))
def test_only_faults_in_a_row_up_to_now_pause(newest_first: list[bool]) -> None:
    in_a_row = 0
    for fault in newest_first:
        if not fault:
            break
        in_a_row += 1
    assert is_to_be_paused(newest_first) == (in_a_row >= FAULTS_IN_A_ROW)
