"""Texts to values: cards, moves and decks as the protocol, replays and vectors write them (R1.5).

The other way is `str(card)`, `str(suit)` and `str(move)`.
"""

from collections.abc import Iterable
from typing import Final

from .cards import PACK, Card
from .errors import UnknownCard, UnknownMove
from .moves import MOVES, Move

_CARDS: Final = {str(card): card for card in PACK}
_MOVES: Final = {move.text: move for move in MOVES}


def parse_card(text: str) -> Card:
    """The card that a text names ("TH"); raises UnknownCard."""
    card = _CARDS.get(text) if isinstance(text, str) else None
    if card is None:
        raise UnknownCard(text)
    return card


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """The cards of a list of texts, in its order; raises UnknownCard."""
    return tuple(parse_card(text) for text in texts)


def parse_move(text: str) -> Move:
    """The move that a text names ("play:QH"); raises UnknownMove (R14.1)."""
    move = _MOVES.get(text) if isinstance(text, str) else None
    if move is None:
        raise UnknownMove(text)
    return move
