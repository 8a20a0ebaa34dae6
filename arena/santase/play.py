"""The two verbs of a deal: which moves are legal, and what a move does (R3 to R10)."""

from .cards import Suit
from .deal import POINTS_MASK, TRICK, TURNED, Closing, DealState, Marks, Meld, Start, counted
from .masks import FIRST_OTHER, MELD_OF, PAIR, moves_in
from .moves import CLAIM, CLOSE, EXCHANGE, Move
from .refusal import refusal
from .result import DealResult
from .scoring import WINNING_POINTS, claim_result, settled_result
from .tables import CLOSED, STRICT, TWELFTH_TRICK


def legal_moves(state: DealState) -> tuple[Move, ...]:
    """Every legal move of the player on turn, sorted as strings; none when the deal has ended."""
    return moves_in(state._legal)


def apply(state: DealState, move: Move) -> DealState:
    """The deal after a move of the player on turn; raises IllegalMove, with the clause (R3.8)."""
    if not state._legal & move.bit:
        raise refusal(state, move)
    if move.code < FIRST_OTHER:
        led = state._led
        return _lead(state, move) if led is None else _reply(state, led, move)
    if move.code == CLAIM.code:
        return _claim(state, move)
    if move.code == CLOSE.code:
        return _close(state, move)
    if move.code == EXCHANGE.code:
        return _exchange(state, move)
    return _meld(state, move)


def _lead(state: DealState, move: Move) -> DealState:
    """The state after a lead: the other is on turn."""
    tables = state._tables
    if tables.auto_meld and MELD_OF[move.code] & state._legal:
        return _lead_melding(state, move)
    after = DealState()
    after._start = state._start
    after._tables = tables
    after._turn = 1 - state._turn
    after._hand = hand = state._other_hand
    after._other_hand = state._hand ^ move.bit
    after._won = state._other_won
    after._other_won = state._won
    after._stage = stage = state._stage
    after._led = after._move = move
    after._before = state
    after._marks = state._marks
    after._legal = tables.reply_mask(hand, move, stage)
    return after


def _reply(state: DealState, led: Move, move: Move) -> DealState:
    """The state after a reply: the trick is taken (R3.3, R3.4) and both draw (R3.5)."""
    tables, stage = state._tables, state._stage
    after = DealState()
    after._start = start = state._start
    after._tables = tables
    after._led = None
    after._move = move
    after._before = state
    after._marks = state._marks
    if tables.beating[led.code] & move.bit:
        after._turn = state._turn
        hand, other_hand = state._hand ^ move.bit, state._other_hand
        won, after._other_won = state._won, state._other_won
    else:
        after._turn = 1 - state._turn
        hand, other_hand = state._other_hand, state._hand ^ move.bit
        won, after._other_won = state._other_won, state._won
    after._won = won = won + led.points + move.points + TRICK
    # claim_mode=auto: the deal ends before the draw; the twelfth trick is left to R10.
    if tables.auto_claim and won & POINTS_MASK >= WINNING_POINTS and stage != TWELFTH_TRICK:
        after._hand, after._other_hand, after._stage = hand, other_hand, stage
        return _ended(after, claim_result(after))
    if stage < STRICT:  # R3.5, R3.6
        order = start.order
        hand |= 1 << order[13 + 2 * stage]
        other_hand |= 1 << order[14 + 2 * stage]
    after._hand, after._other_hand = hand, other_hand
    after._stage = stage = stage + 1
    if not hand:
        return _ended(after, settled_result(after))
    after._legal = tables.lead_mask(hand, stage)
    return after


def _lead_melding(state: DealState, move: Move) -> DealState:
    """The state after the lead of half a pair under meld_compulsory: it melds by itself (R6.6)."""
    assert move.suit is not None
    melded = _credited(state, move, move.suit)
    if not (state._tables.auto_claim and counted(melded._won) >= WINNING_POINTS):
        after = _lead(melded, move)
        after._before = state
        return after
    melded._hand ^= move.bit
    melded._led = move
    return _ended(melded, claim_result(melded))


def _claim(state: DealState, move: Move) -> DealState:
    """The state after a claim, right or wrong: the deal is over (R9)."""
    return _ended(_after(state, move), claim_result(state))


def _close(state: DealState, move: Move) -> DealState:
    """The state after closing (R8): nobody draws any more, the strict phase begins (R8.5)."""
    after = _after(state, move)
    opponent = state._other_won
    closing = Closing(state._turn, state.talon, counted(opponent), opponent // TRICK)
    after._marks = Marks(closing, state._marks.exchanged, state._marks.melds)
    after._stage = stage = state._stage + CLOSED
    after._legal = state._tables.lead_mask(state._hand, stage)
    return after


def _exchange(state: DealState, move: Move) -> DealState:
    """The state after the exchange (R7.6), by the leader or, in a variant, the replier (R7.1)."""
    tables, (deck, dealer, order) = state._tables, state._start
    nine, turned, marks = tables.nine, 1 << order[TURNED], state._marks
    after = _after(state, move)
    after._start = Start(deck, dealer, order[:TURNED] + bytes([nine.bit_length() - 1]))
    after._marks = Marks(marks.closing, (state._turn, deck[12]), marks.melds)
    after._hand = hand = state._hand ^ nine ^ turned
    if state._led is None:
        after._legal = tables.lead_mask(hand, state._stage)
    else:
        after._legal = tables.reply_mask(hand, state._led, state._stage)
    return after


def _meld(state: DealState, move: Move) -> DealState:
    """The state after an announced meld: the lead of the pair is due, or a claim (R6.5, R6.8)."""
    assert move.suit is not None
    after = _credited(state, move, move.suit)
    if state._tables.auto_claim and counted(after._won) >= WINNING_POINTS:
        return _ended(after, claim_result(after))
    return after


def _credited(state: DealState, move: Move, suit: Suit) -> DealState:
    """The state with a meld credited (R6.4): only the pair and the claim stay legal (R6.8)."""
    points = 40 if suit == state._tables.trump else 20
    after = _after(state, move)
    after._won += points
    closing, exchanged, melds, _ = state._marks
    after._marks = Marks(closing, exchanged, (*melds, Meld(state._turn, suit, points)))
    after._legal = PAIR[suit] | state._legal & CLAIM.bit
    return after


def _after(state: DealState, move: Move) -> DealState:
    """A state like this one but for the last move: what else it changes is set by the caller."""
    after = DealState()
    after._start = state._start
    after._tables = state._tables
    after._turn = state._turn
    after._hand = state._hand
    after._other_hand = state._other_hand
    after._won = state._won
    after._other_won = state._other_won
    after._stage = state._stage
    after._led = state._led
    after._move = move
    after._before = state
    after._marks = state._marks
    after._legal = state._legal
    return after


def _ended(after: DealState, result: DealResult) -> DealState:
    """The state made into the end of the deal (R3.9)."""
    closing, exchanged, melds, _ = after._marks
    after._marks = Marks(closing, exchanged, melds, result)
    after._legal = 0
    return after
