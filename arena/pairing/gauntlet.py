"""Gauntlet: one entry meets each of the others, once a cycle; the others do not meet.

After any number of pairings taken no two of the others differ by more than one.
"""

from collections.abc import Iterable

from arena.pairing.schedule import Pairing, Schedule


class Gauntlet(Schedule):
    """The pairings of one entry against all others, by their ids."""

    def __init__(self, challenger: int, others: Iterable[int], cycles: int = 1) -> None:
        """Raise `DuplicateEntry`, or `PairingRangeError` for negative cycles."""
        self._challenger = challenger
        self._others = tuple(sorted(others))
        super().__init__((challenger, *self._others), cycles)

    def _per_cycle(self) -> int:
        return len(self._others)

    def _at(self, cycle: int, within: int) -> Pairing:
        lower, higher = sorted((self._challenger, self._others[within]))
        return Pairing(lower, higher, cycle, within + 1)
