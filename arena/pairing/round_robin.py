"""Round robin: everybody meets everybody, once a cycle.

The order is that of the circle method: the entries sit around a table, one of
them (or, with an odd number, an empty chair) keeps its place, the others move on
by one seat a round. In each round everybody plays once (with an odd number, one
rests), so that after any number of pairings taken no two entries differ by more
than two in pairings played.
"""

from collections.abc import Iterable

from arena.pairing.schedule import Pairing, Schedule


class RoundRobin(Schedule):
    """The pairings of a round robin.

    The order depends on the ids alone, not on the order in which they are given.
    """

    def __init__(self, entries: Iterable[int], cycles: int = 1) -> None:
        """Raise `DuplicateEntry`, or `PairingRangeError` for negative cycles."""
        self._entries = tuple(sorted(entries))
        super().__init__(self._entries, cycles)

    def _per_cycle(self) -> int:
        n = len(self._entries)
        return n * (n - 1) // 2

    def _at(self, cycle: int, within: int) -> Pairing:
        turn, board = divmod(within, len(self._entries) // 2)
        one, other = self._seats(turn, board)
        lower, higher = sorted((self._entries[one], self._entries[other]))
        return Pairing(lower, higher, cycle, turn + 1)

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
