"""What each move does to a position (R3 to R10).

`advance` and `legal_codes` are the rules for whoever plays very many deals: numbers in, numbers
out. `play.apply` and `play.legal_moves` are the same in the words of the game.
"""

from typing import Final

from .cards import Seat, Suit
from .masks import FIRST_OTHER, MELD_OF, PAIR, TRICK, codes_in, suit_of
from .moves import CLAIM, MOVES
from .position import (
    FACE_DOWN,
    LEGAL,
    NOBODY_LED,
    POINTS_MASK,
    TURNED,
    Closing,
    Frame,
    Meld,
    Position,
    counted,
)
from .refusal import refusal
from .scoring import WINNING_POINTS, claim_result, settled_result
from .tables import CLOSED, STRICT, TWELFTH_TRICK, talon_at

_BIT: Final = tuple(move.bit for move in MOVES)


def legal_codes(position: Position) -> tuple[int, ...]:
    """The codes of the legal moves, in the order of `legal_moves`."""
    return codes_in(position[LEGAL])


def advance(position: Position, code: int) -> Position:
    """The position after the move with a code; raises IllegalMove, with the clause (R3.8)."""
    legal, led, turn, hand, other, won, other_won, stage, frame, log = position
    bit = _BIT[code]
    if not legal & bit:
        raise refusal(position, code)
    if code >= FIRST_OTHER:
        return _OTHER[code - FIRST_OTHER](position, code)
    tables = frame.tables
    if led < 0:  # a lead: the other is on turn
        if tables.auto_meld and legal & MELD_OF[code]:
            return _lead_melding(position, code)
        legal = other if stage < tables.any_reply else tables.reply_mask(other, code, stage)
        log = (log, turn, code)
        return (legal, code, 1 - turn, other, hand ^ bit, other_won, won, stage, frame, log)
    log = (log, turn, code)
    gain = tables.gain[led][code]
    if gain < 0:  # R3.3, R3.4: who takes the trick is on turn
        hand ^= bit
        won -= gain
    else:
        turn, hand, other = 1 - turn, other, hand ^ bit
        won, other_won = other_won + gain, won
    # claim_mode=auto: the deal ends before the draw; the twelfth trick is left to R10.
    if tables.auto_claim and won & POINTS_MASK >= WINNING_POINTS and stage != TWELFTH_TRICK:
        frame = _claimed(frame, turn, won, other_won)
        return (0, NOBODY_LED, turn, hand, other, won, other_won, stage, frame, log)
    if stage < STRICT:  # R3.5, R3.6: both draw
        order, place = frame.order, FACE_DOWN + 2 * stage
        hand |= 1 << order[place]
        other |= 1 << order[place + 1]
    stage += 1
    if hand:
        legal = tables.lead_mask(hand, stage)
    else:
        legal, frame = 0, _settled(frame, turn, won, other_won)
    return (legal, NOBODY_LED, turn, hand, other, won, other_won, stage, frame, log)


def _lead_melding(position: Position, code: int) -> Position:
    """Half a pair is led under meld_compulsory: it melds by itself (R6.6)."""
    _, led, turn, hand, other, won, other_won, stage, frame, log = position
    won, frame = _with_meld(frame, turn, won, suit_of(code))
    if frame.tables.auto_claim and counted(won) >= WINNING_POINTS:
        hand ^= _BIT[code]
        frame, log = _claimed(frame, turn, won, other_won), (log, turn, code)
        return (0, code, turn, hand, other, won, other_won, stage, frame, log)
    # No meld is among the legal moves any more, so this is an ordinary lead.
    return advance((_BIT[code], led, turn, hand, other, won, other_won, stage, frame, log), code)


def _meld(position: Position, code: int) -> Position:
    """A meld is announced: the lead of the pair is due, or a claim (R6.5, R6.8)."""
    legal, led, turn, hand, other, won, other_won, stage, frame, log = position
    suit = suit_of(code)
    won, frame = _with_meld(frame, turn, won, suit)
    if frame.tables.auto_claim and counted(won) >= WINNING_POINTS:
        legal, frame = 0, _claimed(frame, turn, won, other_won)
    else:
        legal = PAIR[suit] | legal & CLAIM.bit
    log = (log, turn, code)
    return (legal, led, turn, hand, other, won, other_won, stage, frame, log)


def _exchange(position: Position, code: int) -> Position:
    """The nine of trumps goes under the talon (R7.6); a replier may in a variant only (R7.1)."""
    _, led, turn, hand, other, won, other_won, stage, frame, log = position
    tables = frame.tables
    hand ^= tables.nine | _BIT[frame.order[TURNED]]
    frame = frame.with_exchange(turn, tables.nine.bit_length() - 1)
    if led == NOBODY_LED:
        legal = tables.lead_mask(hand, stage)
    else:
        legal = tables.reply_mask(hand, led, stage)
    log = (log, turn, code)
    return (legal, led, turn, hand, other, won, other_won, stage, frame, log)


def _close(position: Position, code: int) -> Position:
    """The talon is closed (R8): nobody draws any more, the strict phase begins (R8.5)."""
    _, led, turn, hand, other, won, other_won, stage, frame, log = position
    closing = Closing(turn, talon_at(stage), counted(other_won), other_won // TRICK)
    frame = frame.with_closing(closing)
    stage += CLOSED
    legal = frame.tables.lead_mask(hand, stage)
    log = (log, turn, code)
    return (legal, led, turn, hand, other, won, other_won, stage, frame, log)


def _claim(position: Position, code: int) -> Position:
    """The player on turn claims, rightly or wrongly: the deal is over (R9)."""
    _, led, turn, hand, other, won, other_won, stage, frame, log = position
    frame, log = _claimed(frame, turn, won, other_won), (log, turn, code)
    return (0, led, turn, hand, other, won, other_won, stage, frame, log)


def _claimed(frame: Frame, turn: Seat, won: int, other_won: int) -> Frame:
    """The frame once the deal has ended by a claim, spoken or (claim_mode=auto) not."""
    result = claim_result(frame.tables.rules, frame.closing, turn, won, other_won)
    return frame.with_result(result)


def _settled(frame: Frame, turn: Seat, won: int, other_won: int) -> Frame:
    """The frame once the cards have run out (R10)."""
    result = settled_result(frame.tables.rules, frame.closing, turn, won, other_won)
    return frame.with_result(result)


def _with_meld(frame: Frame, turn: Seat, won: int, suit: Suit) -> tuple[int, Frame]:
    """What the player on turn has won, and the frame, with a meld credited (R6.4)."""
    points = 40 if suit == frame.tables.trump else 20
    return won + points, frame.with_meld(Meld(turn, suit, points))


_OTHER: Final = (_claim, _close, _exchange, _meld, _meld, _meld, _meld)
"""What makes the position after each move that plays no card, by code from `FIRST_OTHER`."""
