"""The two verbs of a deal: which moves are legal, and what a move does (R3 to R10)."""

from typing import Final

from .cards import Suit
from .deal import TRICKS_MASK, WON_POINT, Closing, DealState, LogEntry, Meld, counted
from .layout import Layout, lead_mask, reply_mask
from .masks import CARD_BIT, CLAIM_BIT, FIRST_PLAY, PAIR, PAIR_MELD, card_of, moves_in, suit_of
from .moves import CLAIM, CLOSE, EXCHANGE, MOVES, Move
from .refusal import refusal
from .result import DealResult
from .scoring import WINNING_POINTS, claim_result, settled_result
from .stages import CLOSED, LAST_OPEN, STRICT

_TRICK_WON: Final = tuple(
    0 if move.card is None else move.card.points * WON_POINT for move in MOVES
)
_ENTRY: Final[tuple[tuple[tuple[LogEntry], ...], ...]] = tuple(
    tuple(((seat, move),) for move in MOVES) for seat in (0, 1)
)


def legal_moves(state: DealState) -> tuple[Move, ...]:
    """Every legal move of the player on turn, sorted as strings; none when the deal has ended."""
    return moves_in(state._legal)


def apply(state: DealState, move: Move) -> DealState:
    """The deal after a move of the player on turn; raises IllegalMove, with the clause (R3.8)."""
    code = move.code
    if not state._legal >> code & 1:
        raise refusal(state, move)
    if code >= FIRST_PLAY:
        return _replied(state, code) if state._led else _led(state, code)
    if code == CLAIM.code:
        return _claimed(state)
    if code == CLOSE.code:
        return _closed(state)
    if code == EXCHANGE.code:
        return _exchanged(state)
    return _melded(state, code)


def _led(state: DealState, code: int) -> DealState:
    """The state after a lead."""
    layout = state._layout
    if layout.auto_meld and PAIR_MELD[code] & state._legal:
        return _led_melding(state, code)
    after = DealState()
    after._layout = layout
    after._turn = 1 - state._turn
    after._hand = hand = state._other_hand
    after._other_hand = state._hand ^ 1 << code
    after._led = code
    after._stage = stage = state._stage
    after._won = state._other_won
    after._other_won = state._won
    after._marks = state._marks
    after._log = state._log + _ENTRY[state._turn][code]
    after._legal = reply_mask(layout, hand, code, stage)
    return after


def _replied(state: DealState, code: int) -> DealState:
    """The state after a reply: the trick is taken (R3.3, R3.4) and both draw (R3.5)."""
    layout, led, stage = state._layout, state._led, state._stage
    after = DealState()
    after._layout = layout
    after._led = 0
    after._marks = state._marks
    after._log = state._log + _ENTRY[state._turn][code]
    if layout.beating[led] >> code & 1:
        after._turn = state._turn
        hand, other_hand = state._hand ^ 1 << code, state._other_hand
        won, after._other_won = state._won, state._other_won
    else:
        after._turn = 1 - state._turn
        hand, other_hand = state._other_hand, state._hand ^ 1 << code
        won, after._other_won = state._other_won, state._won
    after._won = won = won + _TRICK_WON[led] + _TRICK_WON[code] + 1
    # claim_mode=auto: the deal ends before the draw; the twelfth trick is left to R10.
    if layout.auto_claim and won >= WINNING_POINTS * WON_POINT and stage != LAST_OPEN:
        after._hand, after._other_hand, after._stage = hand, other_hand, stage
        return _ended(after, claim_result(after))
    if stage < STRICT:  # R3.5, R3.6
        hand |= layout.draws[2 * stage]
        other_hand |= layout.draws[2 * stage + 1]
    after._hand, after._other_hand, after._stage = hand, other_hand, stage + 1
    if not hand:
        return _ended(after, settled_result(after))
    after._legal = lead_mask(layout, hand, stage + 1)
    return after


def _led_melding(state: DealState, code: int) -> DealState:
    """The state after the lead of half a pair under meld_compulsory: it melds by itself (R6.6)."""
    melded = _credited(state, card_of(code).suit)
    if not (state._layout.auto_claim and counted(melded._won) >= WINNING_POINTS):
        return _led(melded, code)
    melded._log += _ENTRY[state._turn][code]
    melded._hand ^= 1 << code
    melded._led = code
    return _ended(melded, claim_result(melded))


def _claimed(state: DealState) -> DealState:
    """The state after a claim, right or wrong: the deal is over (R9)."""
    after = _copy(state)
    after._log += _ENTRY[state._turn][CLAIM.code]
    return _ended(after, claim_result(after))


def _closed(state: DealState) -> DealState:
    """The state after closing (R8): nobody draws any more, the strict phase begins (R8.5)."""
    after = _copy(state)
    after._log += _ENTRY[state._turn][CLOSE.code]
    closing = Closing(
        state._turn, state.talon, counted(state._other_won), state._other_won & TRICKS_MASK
    )
    after._marks = state._marks._replace(closing=closing)
    after._stage = state._stage + CLOSED
    after._legal = lead_mask(state._layout, state._hand, after._stage)
    return after


def _exchanged(state: DealState) -> DealState:
    """The state after the exchange (R7.6), by the leader or, in a variant, the replier (R7.1)."""
    layout = state._layout
    taken, nine = layout.draws[-1], CARD_BIT[6 * layout.trump]
    after = _copy(state)
    after._log += _ENTRY[state._turn][EXCHANGE.code]
    after._layout = Layout(layout.deck, layout.dealer, layout.rules, (*layout.draws[:-1], nine))
    after._marks = state._marks._replace(exchanged=(state._turn, layout.deck[12]))
    after._hand = hand = state._hand ^ nine ^ taken
    after._legal = (
        reply_mask(layout, hand, state._led, state._stage)
        if state._led
        else lead_mask(layout, hand, state._stage)
    )
    return after


def _melded(state: DealState, code: int) -> DealState:
    """The state after an announced meld: the lead of the pair is due, or a claim (R6.5, R6.8)."""
    after = _credited(state, suit_of(code))
    after._log += _ENTRY[state._turn][code]
    if state._layout.auto_claim and counted(after._won) >= WINNING_POINTS:
        return _ended(after, claim_result(after))
    return after


def _credited(state: DealState, suit: Suit) -> DealState:
    """The state with a meld credited (R6.4) and nothing but the pair or a claim legal (R6.8)."""
    points = 40 if suit == state.trump else 20
    after = _copy(state)
    after._won += points * WON_POINT
    melds = (*state._marks.melds, Meld(state._turn, suit, points))
    after._marks = state._marks._replace(melds=melds)
    after._legal = PAIR[suit] | state._legal & CLAIM_BIT
    return after


def _ended(after: DealState, result: DealResult) -> DealState:
    """The state made into an end of the deal (R3.9)."""
    after._marks = after._marks._replace(result=result)
    after._legal = 0
    return after


def _copy(state: DealState) -> DealState:
    """A state to be changed before anybody sees it."""
    after = DealState()
    for slot in DealState.__slots__:
        setattr(after, slot, getattr(state, slot))
    return after
