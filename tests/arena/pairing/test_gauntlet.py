"""One against all others."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import DuplicateEntry, Gauntlet, Pairing, PairingRangeError

fields = st.lists(st.integers(1, 10**9), unique=True, min_size=1, max_size=25)


@given(fields, st.integers(0, 4))
def test_the_challenger_meets_each_other_once_a_cycle_and_they_do_not_meet(
    entries: list[int], cycles: int
) -> None:
    challenger, *others = entries
    taken = list(Gauntlet(challenger, others, cycles))
    assert all(challenger in (p.lower, p.higher) and p.lower < p.higher for p in taken)
    met = Counter((p.lower + p.higher - challenger, p.cycle) for p in taken)
    assert met == Counter((other, cycle) for cycle in range(1, cycles + 1) for other in others)
    assert len(taken) == Gauntlet(challenger, others, cycles).total()


@given(fields, st.data())
def test_the_others_play_evenly(entries: list[int], data: st.DataObject) -> None:
    challenger, *others = entries
    gauntlet = Gauntlet(challenger, others, 3)
    taken = islice(gauntlet, data.draw(st.integers(0, gauntlet.total())))
    played = Counter(dict.fromkeys(others, 0))
    played.update(p.lower + p.higher - challenger for p in taken)
    assert max(played.values(), default=0) - min(played.values(), default=0) <= 1


@given(fields, st.integers(0, 100))
def test_a_skip_goes_on_where_the_list_would(entries: list[int], gone: int) -> None:
    challenger, *others = entries
    everything = list(Gauntlet(challenger, others, 2))
    assert list(Gauntlet(challenger, others, 2).skip(gone)) == everything[gone:]


def test_the_order_depends_on_the_ids_alone() -> None:
    assert list(Gauntlet(5, [9, 2])) == [Pairing(2, 5, 1, 1), Pairing(5, 9, 1, 2)]
    assert list(Gauntlet(5, [2, 9])) == list(Gauntlet(5, [9, 2]))


def test_the_challenger_is_none_of_the_others() -> None:
    with pytest.raises(DuplicateEntry, match="entry 5 is listed twice"):
        Gauntlet(5, [2, 5])
    with pytest.raises(PairingRangeError, match="number of cycles is -1"):
        Gauntlet(5, [2], -1)
