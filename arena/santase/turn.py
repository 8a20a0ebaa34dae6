"""A turn in the words of the game: which moves are legal, and what a move does."""

from .deal import DealState
from .masks import FIRST_OTHER, FIRST_OTHER_BIT, LOW_BITS, TWELVE_BITS, readings
from .moves import MOVES, Move
from .position import LEGAL
from .step import advance

_OTHERS, _LOW, _HIGH = readings(MOVES)


def legal_moves(state: DealState) -> tuple[Move, ...]:
    """Every legal move of the player on turn, sorted as strings; none when the deal has ended."""
    mask = state._position[LEGAL]
    if mask < FIRST_OTHER_BIT:
        return _LOW[mask & TWELVE_BITS] + _HIGH[mask >> LOW_BITS]
    return (
        _OTHERS[mask >> FIRST_OTHER]
        + _LOW[mask & TWELVE_BITS]
        + _HIGH[mask >> LOW_BITS & TWELVE_BITS]
    )


def apply(state: DealState, move: Move) -> DealState:
    """The deal after a move of the player on turn; raises IllegalMove, with the clause (R3.8)."""
    after = DealState()
    after._position = advance(state._position, move.code)
    return after
