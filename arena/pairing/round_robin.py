"""Round robin: everybody meets everybody, once a cycle.

The order is that of the circle method: the entries sit around a table, one of
them (or, with an odd number, an empty chair) keeps its place, the others move on
by one seat a round. In each round everybody plays once (with an odd number, one
rests), so that after any number of pairings taken no two entries differ by more
than two in pairings played. The n-th pairing follows from n by arithmetic alone:
there is no list, whatever the size, and going on after a restart costs nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from arena.pairing.errors import DuplicateEntry, PairingRangeError


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries meeting."""

    lower: int
    """The lower id: seat 0 in game 0 of each pair."""
    higher: int
    cycle: int
    """From 1; each cycle pairs everybody with everybody once."""
    round: int
    """From 1 within the cycle; nobody plays twice in a round."""


class RoundRobin(Iterator[Pairing]):
    """The pairings of a round robin, in order, made when asked for.

    ``next(robin)`` gives the next one and raises ``StopIteration`` after the
    last. The order depends on the ids alone, not on the order in which they are
    given.
    """

    def __init__(self, entries: Iterable[int], cycles: int = 1) -> None:
        """Raise `DuplicateEntry`, or `PairingRangeError` for negative cycles."""
        if cycles < 0:
            raise PairingRangeError("the number of cycles", cycles)
        self._entries = tuple(sorted(entries))
        for before, entry in zip(self._entries, self._entries[1:], strict=False):
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
        pairing = self._at(self._position)
        self._position += 1
        return pairing

    def _per_cycle(self) -> int:
        n = len(self._entries)
        return n * (n - 1) // 2

    def _at(self, position: int) -> Pairing:
        boards = len(self._entries) // 2
        cycle, within = divmod(position, self._per_cycle())
        turn, board = divmod(within, boards)
        one, other = self._seats(turn, board)
        lower, higher = sorted((self._entries[one], self._entries[other]))
        return Pairing(lower, higher, cycle + 1, turn + 1)

    def _seats(self, turn: int, board: int) -> tuple[int, int]:
        """Who sits at a board in a turn of the table, as indices into the entries.

        Those who move on number `moving`, always odd. Whoever has come to the head
        of the table meets the one who keeps his place, or rests if there is none;
        the others meet across the table, `board` places to either side of the head.
        """
        n = len(self._entries)
        if n % 2:
            moving, across = n, board + 1
        else:
            moving, across = n - 1, board
            if board == 0:
                return turn, n - 1
        return (turn + across) % moving, (turn - across) % moving
