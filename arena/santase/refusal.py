"""Why a move is refused: the clause, in words. Only asked once a move is known to be illegal."""

from typing import assert_never

from .deal import DealState
from .errors import IllegalMove
from .moves import MOVES, Move, MoveKind
from .position import Position

Why = tuple[str, str]
"""A clause and the reason in words."""


def refusal(position: Position, code: int) -> IllegalMove:
    """The error that says why the move with a code is illegal in a position."""
    move = MOVES[code]
    return IllegalMove(move, *_why(DealState.of(position), move))


def _why(state: DealState, move: Move) -> Why:
    if state.result is not None:
        return "R3.9", "the deal has ended"
    match move.kind:
        case MoveKind.PLAY:
            return _why_not_play(state, move)
        case MoveKind.MELD:
            return _why_not_meld(state, move)
        case MoveKind.EXCHANGE:
            return _why_not_exchange(state)
        case MoveKind.CLOSE:
            return _why_not_close(state)
        case MoveKind.CLAIM:
            return _why_not_claim(state)
        case _:
            assert_never(move.kind)


def _why_not_play(state: DealState, move: Move) -> Why:
    card, led, hand = move.card, state.led, state.hands[state.turn]
    assert card is not None
    if card not in hand:
        return "R3.10", "the card is not in the player's hand"
    if led is None:  # every card of the hand may be led, but after a meld (R5.6)
        return "R6.5", "after a meld the king or the queen of that suit is led"
    if any(other.suit == led.suit and other > led for other in hand):
        return "R5.2", f"the hand holds a higher card of the suit led, {led}"
    if any(other.suit == led.suit for other in hand):
        return "R5.3", f"the hand holds a card of the suit led, {led}"
    return "R5.4", f"the hand holds no {led.suit} but a trump"


def _why_not_meld(state: DealState, move: Move) -> Why:
    if state.led is not None:
        return "R6.1", "only the leader melds"
    if state.must_lead_pair:
        return "R6.8", "one meld a turn: now the king or the queen is led"
    if sum(state.trick_counts) == 0 and not state.rules.meld_first_trick:
        return "R6.3", "no trick has been taken yet"
    if state.strict and not state.rules.meld_in_strict:
        return "R6.7", "no melds in the strict phase"
    return "R6.2", f"the hand does not hold both king and queen of {move.suit}"


def _why_not_exchange(state: DealState) -> Why:
    rules = state.rules
    if state.led is not None and rules.exchange_turn == "lead":
        return "R7.1", "only the leader exchanges"
    if state.must_lead_pair:
        return "R7.7", "no exchange between a meld and its lead"
    if sum(state.trick_counts) == 0:
        return "R7.2", "no trick has been taken yet"
    if state.closed_by is not None:
        return "R7.4", "the talon is closed"
    if state.talon < rules.exchange_min_talon:
        return "R7.3", f"the talon holds fewer than {rules.exchange_min_talon} cards"
    return "R7.5", "the hand does not hold the nine of trumps"


def _why_not_close(state: DealState) -> Why:
    rules = state.rules
    if state.led is not None:
        return "R8.1", "only the leader closes"
    if state.must_lead_pair:
        return "R6.8", "after a meld the king or the queen of that suit is led"
    if state.closed_by is not None:
        return "R8.4", "the talon is closed already"
    if sum(state.trick_counts) == 0 and not rules.close_first_trick:
        return "R8.2", "no trick has been taken yet"
    return "R8.3", f"the talon holds fewer than {rules.close_min_talon} cards"


def _why_not_claim(state: DealState) -> Why:
    if state.rules.claim_mode == "auto":
        return "R15", "under claim_mode=auto nobody claims"
    if state.led is not None:
        return "R9.1", "only the leader claims"
    return "R9.2", "the player has not taken a trick"
