"""Schedules: pairings whose order is known from the start, made one at a time.

The n-th pairing follows from n by arithmetic alone: there is no list, whatever the size, and going
on after a restart costs nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from arena.pairing.errors import DuplicateEntry, PairingRangeError


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries meeting."""

    lower: int
    """The lower id: seat 0 in game 0 of each pair."""
    higher: int
    cycle: int
    """From 1: the how-manieth meeting of the two."""
    round: int
    """From 1 within the cycle; nobody plays twice in a round."""


class Schedule(Iterator[Pairing], ABC):
    """The pairings of a schedule, in order, made when asked for.

    ``next(schedule)`` gives the next one and raises ``StopIteration`` after the last.
    """

    def __init__(self, entries: tuple[int, ...], cycles: int) -> None:
        """Raise `DuplicateEntry`, or `PairingRangeError` for negative cycles."""
        if cycles < 0:
            raise PairingRangeError("the number of cycles", cycles)
        for before, entry in pairwise(sorted(entries)):
            if before == entry:
                raise DuplicateEntry(entry)
        self._cycles = cycles
        self._position = 0

    def total(self) -> int:
        """How many pairings there are in all, taken or not."""
        return self._cycles * self._per_cycle()

    @property
    def position(self) -> int:
        """How many pairings have been taken or skipped: what to remember over a restart."""
        return self._position

    def skip(self, count: int) -> Self:
        """Pass over the next `count` pairings at once, not beyond the end; gives itself."""
        if count < 0:
            raise PairingRangeError("the number of pairings to skip", count)
        self._position = min(self._position + count, self.total())
        return self

    def __next__(self) -> Pairing:
        if self._position >= self.total():
            raise StopIteration
        cycle, within = divmod(self._position, self._per_cycle())
        self._position += 1
        return self._at(cycle + 1, within)

    @abstractmethod
    def _per_cycle(self) -> int:
        """How many pairings a cycle has."""

    @abstractmethod
    def _at(self, cycle: int, within: int) -> Pairing:
        """A pairing by its place in its cycle, from 0."""
