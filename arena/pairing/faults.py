"""When a version that fails is given no more games."""

from collections.abc import Sequence

FAULTS_IN_A_ROW = 3
"""So many matches in a row, each lost by a fault of its own, pause a version."""


def is_to_be_paused(faults: Sequence[bool]) -> bool:
    """Whether a version's matches, newest first, begin with so many faults of its own.

    Only matches that count stand there: none that the host broke, none declared void.
    """
    newest = faults[:FAULTS_IN_A_ROW]
    return len(newest) == FAULTS_IN_A_ROW and all(newest)
