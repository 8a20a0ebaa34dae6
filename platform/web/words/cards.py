"""The names of cards and suits."""

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from arena.santase import Card, Suit

_RANKS: Final = {
    "9": gettext_lazy("nine"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
    "T": gettext_lazy("ten"),
    "A": gettext_lazy("ace"),
}

_SUITS: Final = {
    Suit.C: gettext_lazy("clubs"),
    Suit.D: gettext_lazy("diamonds"),
    Suit.H: gettext_lazy("hearts"),
    Suit.S: gettext_lazy("spades"),
}

_OF_SUIT: Final = {
    Suit.C: pgettext_lazy("in the name of a card", "clubs"),
    Suit.D: pgettext_lazy("in the name of a card", "diamonds"),
    Suit.H: pgettext_lazy("in the name of a card", "hearts"),
    Suit.S: pgettext_lazy("in the name of a card", "spades"),
}

_SIGNS: Final = {Suit.C: "♣", Suit.D: "♦", Suit.H: "♥", Suit.S: "♠"}


def suit_name(suit: Suit) -> str:
    """A suit by name, e.g. "hearts"."""
    return str(_SUITS[suit])


def suit_sign(suit: Suit) -> SafeString:
    """A suit by its sign, coloured: ♥."""
    return _coloured(_SIGNS[suit], suit)


def card_name(card: Card) -> str:
    """A card by name, e.g. "king of hearts"; the text for those who do not see the face."""
    rank = _RANKS[str(card)[0]]
    return gettext("%(rank)s of %(suit)s") % {"rank": rank, "suit": _OF_SUIT[card.suit]}


def card_sign(card: Card) -> SafeString:
    """A card as it is printed in its corner, coloured: K♥, 10♠."""
    rank = str(card)[0]
    return _coloured(f"{'10' if rank == 'T' else rank}{_SIGNS[card.suit]}", card.suit)


def _coloured(text: str, suit: Suit) -> SafeString:
    return format_html('<span class="c suit-{}">{}</span>', str(suit).lower(), text)
