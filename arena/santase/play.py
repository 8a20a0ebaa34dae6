"""The two verbs of a deal: which moves are legal, and what a move does."""

from .deal import DealState
from .masks import moves_in
from .moves import Move
from .position import LEGAL
from .step import advance


def legal_moves(state: DealState) -> tuple[Move, ...]:
    """Every legal move of the player on turn, sorted as strings; none when the deal has ended."""
    return moves_in(state._position[LEGAL])


def apply(state: DealState, move: Move) -> DealState:
    """The deal after a move of the player on turn; raises IllegalMove, with the clause (R3.8)."""
    after = DealState()
    after._position = advance(state._position, move.code)
    return after
