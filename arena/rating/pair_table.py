"""The one input of a rating: who did what against whom, in whole numbers.

Nothing but sums of integers goes in, so that no order of arrival, and no way of
cutting the results into batches, can leave a trace in what comes out.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.errors import BadCount, SelfMeeting

Integers = NDArray[np.int64]


class Meeting(NamedTuple):
    """Results of two versions against each other, as the first one saw them."""

    first: int
    second: int
    won: int = 0
    """Mirrored pairs that ended 2–0."""
    split: int = 0
    """Mirrored pairs that ended 1–1."""
    lost: int = 0
    """Mirrored pairs that ended 0–2."""
    singles_won: int = 0
    """Matches won whose mirror match is missing."""
    singles_lost: int = 0


class PairTable:
    """Counts of results for each two versions that have met."""

    versions: Integers
    """Ids of all versions, ascending."""
    lower: Integers
    """For each meeting the place in `versions` of the lower id."""
    higher: Integers
    """Likewise of the higher id. Meetings stand in order of (lower, higher)."""
    counts: Integers
    """Shape (5, meetings): won, split, lost, singles won, singles lost, as the lower id saw it."""
    pairs: Integers
    """Mirrored pairs of each meeting."""
    singles: Integers
    """Matches of each meeting whose mirror match is missing."""

    def __init__(
        self, meetings: Iterable[Meeting] | Integers = (), versions: Iterable[int] = ()
    ) -> None:
        """Sum up meetings, however often two versions turn up and in whichever order.

        `meetings` may also be an array of shape (any, 7) with the columns of
        `Meeting`. `versions` names those to be rated even if they have not played.
        Raise `BadCount` or `SelfMeeting`.
        """
        rows = _checked(meetings)
        extra = np.fromiter(versions, dtype=np.int64)
        self.versions = np.unique(np.concatenate((rows[:, 0], rows[:, 1], extra)))
        swapped = rows[:, 0] > rows[:, 1]
        rows[swapped] = rows[swapped][:, [1, 0, 4, 3, 2, 6, 5]]
        size = max(len(self.versions), 1)
        places = np.searchsorted(self.versions, rows[:, :2])
        keys, where = np.unique(places[:, 0] * size + places[:, 1], return_inverse=True)
        self.lower, self.higher = np.divmod(keys, size)
        self.counts = _summed(where, rows[:, 2:].T, len(keys))
        self.pairs = self.counts[:3].sum(axis=0)
        self.singles = self.counts[3:].sum(axis=0)

    def tally(self) -> Integers:
        """What each version did, all meetings together: shape (5, versions), as `counts`."""
        size, seen_by_higher = len(self.versions), self.counts[[2, 1, 0, 4, 3]]
        return _summed(self.lower, self.counts, size) + _summed(self.higher, seen_by_higher, size)


def _summed(groups: Integers, columns: Integers, size: int) -> Integers:
    """Sums of each column by group, exact below 2**53."""
    return np.stack([np.bincount(groups, column, size) for column in columns]).astype(np.int64)


def _checked(meetings: Iterable[Meeting] | Integers) -> Integers:
    """Rows of 7 integers, our own copy."""
    if not isinstance(meetings, np.ndarray):
        meetings = np.array([tuple(row) for row in meetings], dtype=np.int64)
    rows = meetings.reshape(-1, 7) if meetings.size == 0 else meetings.astype(np.int64)
    if rows.ndim != 2 or rows.shape[1] != 7:
        raise BadCount(f"a meeting has 7 numbers, these rows have the shape {rows.shape}")
    same = rows[:, 0] == rows[:, 1]
    if same.any():
        raise SelfMeeting(int(rows[same][0, 0]))
    negative = (rows[:, 2:] < 0).any(axis=1)
    if negative.any():
        raise BadCount(f"results can't be negative: {Meeting(*map(int, rows[negative][0]))}")
    return rows
