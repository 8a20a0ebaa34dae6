"""What a seat may know of a deal (R13), as a value of its own.

A view is built field by field from what is public or the seat's own; it holds no state from which
more could be read.
"""

from typing import NamedTuple

from .cards import Card, Seat, Suit
from .deal import DealState, Trick
from .masks import ALL_CARDS, PAIR, card_of, cards_in
from .moves import play
from .position import NOBODY_LED, TURNED, Frame

MeldPoints = tuple[Suit, int]


class View(NamedTuple):
    """What one seat knows now; every pair is by seat, lists of cards held are in pack order."""

    hand: tuple[Card, ...]
    opponent_hand: int
    """How many cards the opponent holds now, the card led not counted."""
    opponent_known: tuple[Card, ...]
    """Cards proven to be in the opponent's hand."""
    trump: Suit
    face_up: Card | None
    """The turned card, also after a close; None once drawn."""
    talon: int
    closed_by: Seat | None
    exchanged: tuple[Seat, Card] | None
    """Who exchanged, and the card he took."""
    led: Card | None
    points: tuple[int, int]
    tricks: tuple[tuple[Trick, ...], tuple[Trick, ...]]
    melds: tuple[tuple[MeldPoints, ...], tuple[MeldPoints, ...]]
    dealer: Seat
    score: tuple[int, int]


def view_for(state: DealState, seat: Seat, score: tuple[int, int]) -> View:
    """What a seat may know of a deal, and enough to decide without memory (R13.1 to R13.3)."""
    _, led, turn, hand, other, _, _, _, frame, _, _, _ = state.position
    mine, opponents = (hand, other) if turn == seat else (other, hand)
    closing, talon = frame.closing, state.talon
    return View(
        cards_in(mine),
        opponents.bit_count(),
        cards_in(opponents & _shown(frame, 1 - seat, talon)),
        frame.tables.trump,
        None if talon == 0 else card_of(frame.order[TURNED]),
        talon,
        None if closing is None else closing.seat,
        frame.exchanged,
        None if led == NOBODY_LED else card_of(led),
        state.points,
        state.tricks,
        state.melds,
        frame.dealer,
        score,
    )


def _shown(frame: Frame, seat: Seat, talon: int) -> int:
    """The mask of the cards that all know to be in a seat's hand, as long as they are in it."""
    if talon == 0:  # all cards not seen, among them the turned card that was drawn (R3.6)
        return ALL_CARDS
    shown = 0
    if frame.exchanged is not None and frame.exchanged[0] == seat:
        shown = play(frame.exchanged[1]).bit
    for meld in frame.melds:
        if meld.seat == seat:
            shown |= PAIR[meld.suit]
    return shown
