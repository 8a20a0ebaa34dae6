"""What a seat may know of a deal (R13), as a value of its own.

A view is built field by field from what is public or the seat's own; it holds no state from which
more could be read.
"""

from dataclasses import dataclass

from .cards import Card, Seat, Suit
from .deal import DealState, Trick

MeldPoints = tuple[Suit, int]


@dataclass(frozen=True, slots=True)
class View:
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
    hands = state.hands
    return View(
        hand=hands[seat],
        opponent_hand=len(hands[1 - seat]),
        opponent_known=_known(state, 1 - seat, hands[1 - seat]),
        trump=state.trump,
        face_up=state.face_up,
        talon=state.talon,
        closed_by=state.closed_by,
        exchanged=state.exchanged,
        led=state.led,
        points=state.points,
        tricks=state.tricks,
        melds=state.melds,
        dealer=state.dealer,
        score=score,
    )


def _known(state: DealState, seat: Seat, hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that everybody knows to be in a seat's hand."""
    if state.talon == 0:  # all cards not seen; among them the turned card that was drawn (R3.6)
        return hand
    shown = {Card(6 * suit + rank) for suit, _ in state.melds[seat] for rank in (2, 3)}
    if state.exchanged is not None and state.exchanged[0] == seat:
        shown.add(state.exchanged[1])
    return tuple(card for card in hand if card in shown)
