"""What each move does to a position (R3 to R10).

`advance` and `legal_codes` are the rules for whoever plays very many deals: numbers in, numbers
out. `turn.apply` and `turn.legal_moves` are the same in the words of the game.
"""

from typing import Final

from .masks import (
    BIT,
    CODES,
    FIRST_OTHER,
    FIRST_OTHER_BIT,
    LOW_BITS,
    MELD_OF,
    PAIR,
    TRICK,
    TWELVE_BITS,
    suit_of,
)
from .moves import CLAIM
from .position import (
    BEFORE,
    FACE_DOWN,
    LEGAL,
    NOBODY_LED,
    POINTS_MASK,
    RESULT,
    TURNED,
    Closing,
    Meld,
    Position,
    counted,
)
from .refusal import refusal
from .scoring import WINNING_POINTS, claim_result, settled_result
from .tables import CLOSED, STRICT, TWELFTH_TRICK, talon_at

_OTHERS, _LOW, _HIGH = CODES


def legal_codes(position: Position) -> tuple[int, ...]:
    """The codes of the legal moves, in the order of `legal_moves`."""
    mask = position[LEGAL]
    if mask < FIRST_OTHER_BIT:
        return _LOW[mask & TWELVE_BITS] + _HIGH[mask >> LOW_BITS]
    return (
        _OTHERS[mask >> FIRST_OTHER]
        + _LOW[mask & TWELVE_BITS]
        + _HIGH[mask >> LOW_BITS & TWELVE_BITS]
    )


def advance(position: Position, code: int) -> Position:
    """The position after the move with a code; raises IllegalMove, with the clause (R3.8)."""
    legal, led, turn, hand, other, won, other_won, stage, frame, result, _, _ = position
    bit = BIT[code]
    if not legal & bit:
        raise refusal(position, code)
    if code >= FIRST_OTHER:
        return _STEP[code - FIRST_OTHER](position, code)
    tables = frame.tables
    if led < 0:  # a lead: the other is on turn
        if tables.auto_meld and legal & MELD_OF[code]:
            return _lead_melding(position, code)
        legal = other if stage < tables.any_reply else tables.reply_mask(other, code, stage)
        hand ^= bit
        turn = 1 - turn
        return legal, code, turn, other, hand, other_won, won, stage, frame, None, code, position
    gain = tables.gain[led][code]
    if gain < 0:  # R3.3, R3.4: who takes the trick is on turn
        hand ^= bit
        won -= gain
    else:
        turn, hand, other = 1 - turn, other, hand ^ bit
        won, other_won = other_won + gain, won
    legal, led = 0, NOBODY_LED
    if tables.auto_claim and won & POINTS_MASK >= WINNING_POINTS and stage != TWELFTH_TRICK:
        # claim_mode=auto: the deal ends before the draw; the twelfth trick is left to R10.
        result = claim_result(tables.rules, frame.closing, turn, won, other_won)
    else:
        if stage < STRICT:  # R3.5, R3.6: both draw
            order, place = frame.order, FACE_DOWN + 2 * stage
            hand |= BIT[order[place]]
            other |= BIT[order[place + 1]]
        stage += 1
        if hand:
            legal = tables.lead_mask(hand, stage)
        else:
            result = settled_result(tables.rules, frame.closing, turn, won, other_won)
    return legal, led, turn, hand, other, won, other_won, stage, frame, result, code, position


def _lead_melding(position: Position, code: int) -> Position:
    """Half a pair is led under meld_compulsory: it melds by itself (R6.6)."""
    melded = _meld(position, code)
    if melded[RESULT] is None:
        # No meld is among the legal moves any more, so this is an ordinary lead.
        return (*advance(melded, code)[:BEFORE], position)
    _, _, turn, hand, other, won, other_won, stage, frame, result, _, _ = melded
    hand ^= BIT[code]
    return (0, code, turn, hand, other, won, other_won, stage, frame, result, code, position)


def _meld(position: Position, code: int) -> Position:
    """A meld is credited (R6.4): the lead of the pair is due, or a claim (R6.5, R6.8)."""
    legal, led, turn, hand, other, won, other_won, stage, frame, result, _, _ = position
    suit, rules = suit_of(code), frame.tables.rules
    points = 40 if suit == frame.tables.trump else 20
    won += points
    frame = frame.with_meld(Meld(turn, suit, points))
    legal = PAIR[suit] | legal & CLAIM.bit
    if frame.tables.auto_claim and counted(won) >= WINNING_POINTS:
        legal, result = 0, claim_result(rules, frame.closing, turn, won, other_won)
    return (legal, led, turn, hand, other, won, other_won, stage, frame, result, code, position)


def _exchange(position: Position, code: int) -> Position:
    """The nine of trumps goes under the talon (R7.6); a replier may in a variant only (R7.1)."""
    _, led, turn, hand, other, won, other_won, stage, frame, result, _, _ = position
    tables = frame.tables
    hand ^= tables.nine | BIT[frame.order[TURNED]]
    frame = frame.with_exchange(turn, tables.nine.bit_length() - 1)
    if led == NOBODY_LED:
        legal = tables.lead_mask(hand, stage)
    else:
        legal = tables.reply_mask(hand, led, stage)
    return (legal, led, turn, hand, other, won, other_won, stage, frame, result, code, position)


def _close(position: Position, code: int) -> Position:
    """The talon is closed (R8): nobody draws any more, the strict phase begins (R8.5)."""
    _, led, turn, hand, other, won, other_won, stage, frame, result, _, _ = position
    closing = Closing(turn, talon_at(stage), counted(other_won), other_won // TRICK)
    frame = frame.with_closing(closing)
    stage += CLOSED
    legal = frame.tables.lead_mask(hand, stage)
    return (legal, led, turn, hand, other, won, other_won, stage, frame, result, code, position)


def _claim(position: Position, code: int) -> Position:
    """The player on turn claims, rightly or wrongly: the deal is over (R9)."""
    _, led, turn, hand, other, won, other_won, stage, frame, _, _, _ = position
    result = claim_result(frame.tables.rules, frame.closing, turn, won, other_won)
    return (0, led, turn, hand, other, won, other_won, stage, frame, result, code, position)


_STEP: Final = (_claim, _close, _exchange, _meld, _meld, _meld, _meld)
"""What makes the position after each move that plays no card, by code from `FIRST_OTHER`."""
