"""The circle method, seen through the iterator."""

from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import DuplicateEntry, Pairing, PairingRangeError, RoundRobin

entry_lists = st.lists(st.integers(1, 10**9), unique=True, max_size=25)


@given(entry_lists, st.integers(0, 3))
def test_everybody_meets_everybody_once_a_cycle(entries: list[int], cycles: int) -> None:
    met = Counter((p.lower, p.higher, p.cycle) for p in RoundRobin(entries, cycles))
    everybody = list(combinations(sorted(entries), 2))
    assert met == Counter((*two, cycle) for cycle in range(1, cycles + 1) for two in everybody)
    assert met.total() == RoundRobin(entries, cycles).total()


@given(entry_lists)
def test_nobody_plays_twice_in_a_round(entries: list[int]) -> None:
    seen = Counter((p.round, who) for p in RoundRobin(entries) for who in (p.lower, p.higher))
    assert all(times == 1 for times in seen.values())


@given(st.lists(st.integers(1, 10**9), unique=True, min_size=2, max_size=25), st.data())
def test_everyone_plays_soon_and_evenly(entries: list[int], data: st.DataObject) -> None:
    robin = RoundRobin(entries, 2)
    taken = islice(robin, data.draw(st.integers(0, robin.total())))
    played = Counter(dict.fromkeys(entries, 0))
    played.update(who for p in taken for who in (p.lower, p.higher))
    assert max(played.values()) - min(played.values()) <= 2


@given(entry_lists, st.integers(0, 3), st.integers(0, 1000))
def test_a_skip_goes_on_where_the_list_would(entries: list[int], cycles: int, gone: int) -> None:
    everything = list(RoundRobin(entries, cycles))
    robin = RoundRobin(entries, cycles).skip(gone)
    assert robin.position == min(gone, len(everything))
    assert list(robin) == everything[gone:]
    assert robin.position == robin.total()


@given(entry_lists.flatmap(lambda e: st.tuples(st.just(e), st.permutations(e))))
def test_the_order_of_entering_changes_nothing(two: tuple[list[int], list[int]]) -> None:
    assert list(RoundRobin(two[0])) == list(RoundRobin(two[1]))


@pytest.mark.parametrize("entries", [[], [7]])
def test_a_tournament_of_none_or_one_has_no_pairings(entries: list[int]) -> None:
    robin = RoundRobin(entries, cycles=5)
    assert robin.total() == 0
    assert list(robin.skip(3)) == []


def test_two_entries_meet_once_a_cycle() -> None:
    assert list(RoundRobin([9, 4], 2)) == [Pairing(4, 9, 1, 1), Pairing(4, 9, 2, 1)]


def test_a_huge_tournament_is_taken_up_near_its_end_without_a_list() -> None:
    robin = RoundRobin(range(1, 100_001), cycles=10)
    assert robin.total() == 10 * 100_000 * 99_999 // 2
    last = list(robin.skip(robin.total() - 2))
    assert [p.cycle for p in last] == [10, 10]
    assert all(p.round == 99_999 for p in last)


def test_after_the_last_pairing_the_iterator_stays_at_its_end() -> None:
    robin = RoundRobin([1, 2])
    assert next(robin) == Pairing(1, 2, 1, 1)
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(robin)


def test_an_entry_listed_twice_is_refused_by_name() -> None:
    with pytest.raises(DuplicateEntry, match="entry 3 is listed twice"):
        RoundRobin([3, 1, 3])


def test_negative_counts_are_refused() -> None:
    with pytest.raises(PairingRangeError, match="number of cycles is -1"):
        RoundRobin([1, 2], cycles=-1)
    with pytest.raises(PairingRangeError, match="to skip is -2"):
        RoundRobin([1, 2]).skip(-2)
