"""The counts that a rating is made from."""

import numpy as np
import pytest

from arena.rating import BadCount, Meeting, PairTable, SelfMeeting


def test_meetings_of_the_same_two_are_summed_whoever_is_named_first() -> None:
    table = PairTable([Meeting(7, 3, 1, 2, 4, 5, 6), Meeting(3, 7, 10, 20, 40, 50, 60)])
    assert table.versions.tolist() == [3, 7]
    assert table.counts.T.tolist() == [[14, 22, 41, 56, 65]]
    assert table.pairs.tolist() == [77]
    assert table.singles.tolist() == [121]


def test_each_version_s_tally_is_seen_by_itself() -> None:
    table = PairTable([Meeting(1, 2, won=3, split=1), Meeting(3, 1, won=2, singles_lost=1)])
    assert table.tally().T.tolist() == [[3, 1, 2, 1, 0], [0, 1, 3, 0, 0], [2, 0, 0, 0, 1]]


def test_versions_that_have_not_played_are_in_the_table_too() -> None:
    table = PairTable([Meeting(5, 9, won=1)], versions=[12, 9, 2])
    assert table.versions.tolist() == [2, 5, 9, 12]


def test_an_array_of_columns_is_as_good_as_rows() -> None:
    rows = [Meeting(4, 2, 1, 0, 3), Meeting(1, 4, 0, 2, 0, 1, 1)]
    one, other = PairTable(rows), PairTable(np.array(rows))
    assert (one.lower.tolist(), one.higher.tolist()) == ([0, 1], [2, 2])
    assert (other.lower.tolist(), other.higher.tolist()) == ([0, 1], [2, 2])
    assert one.counts.tolist() == other.counts.tolist()


def test_the_caller_s_array_is_left_alone() -> None:
    array = np.array([Meeting(4, 2, 1, 0, 3)])
    PairTable(array)
    assert array.tolist() == [[4, 2, 1, 0, 3, 0, 0]]


def test_an_empty_table_holds_nothing() -> None:
    table = PairTable()
    assert (table.versions.size, table.counts.shape, table.pairs.size) == (0, (5, 0), 0)


def test_results_against_itself_are_refused() -> None:
    with pytest.raises(SelfMeeting, match="version 8"):
        PairTable([Meeting(1, 2), Meeting(8, 8, won=1)])


def test_negative_results_are_refused() -> None:
    with pytest.raises(BadCount, match="first=1, second=2, won=-1"):
        PairTable([Meeting(1, 2, won=-1)])


def test_rows_of_another_shape_are_refused() -> None:
    with pytest.raises(BadCount, match="7 numbers"):
        PairTable(np.zeros((2, 5), dtype=np.int64))
