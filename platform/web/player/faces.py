"""The faces of cards: two colours, or four so that no suit is taken for another."""

from typing import Final, Literal

from django.http import HttpRequest
from django.templatetags.static import static

from arena.santase import Card, Suit

Deck = Literal["two", "four"]

COOKIE: Final = "deck"
"""Remembers the deck in this browser."""

_RECOLOURED: Final = (Suit.C, Suit.D)
"""Green clubs and blue diamonds; hearts and spades keep their colours."""


def deck_of(request: HttpRequest) -> Deck:
    """The deck that this browser has chosen."""
    return "four" if request.COOKIES.get(COOKIE) == "four" else "two"


def face(card: Card, deck: Deck) -> str:
    """The address of a card's face."""
    folder = "cards/four" if deck == "four" and card.suit in _RECOLOURED else "cards"
    return static(f"web/{folder}/{card}.svg")


def back() -> str:
    """The address of the cards' back."""
    return static("web/cards/back.svg")
