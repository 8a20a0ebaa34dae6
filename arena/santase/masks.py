"""Bit masks: bit n of a mask stands for the move with code n (see `moves.MOVES`).

A hand is the mask of the plays of its cards, so "the cards that may be played" and "the moves
that are legal" are the same thing, and a mask read upwards is sorted as the protocol wants it.
Cards lie rank by rank in a mask (9 A J K Q T), four suits (C D H S) each.
"""

from typing import Final

from .cards import PACK, Card, Suit
from .moves import CLAIM, CLOSE, EXCHANGE, MOVES, Move, meld, play

FIRST_PLAY: Final = play(Card.C9).code
"""Codes from here on play a card; below are the other actions."""

CLAIM_BIT: Final = 1 << CLAIM.code
CLOSE_BIT: Final = 1 << CLOSE.code
EXCHANGE_BIT: Final = 1 << EXCHANGE.code
MELD_BITS: Final = sum(1 << meld(suit).code for suit in Suit)

CARD_BIT: Final = tuple(1 << play(card).code for card in PACK)
"""The bit of each card."""

ALL_CARDS: Final = sum(CARD_BIT)

KING_TO_MELD: Final = play(Card.CK).code - meld(Suit.C).code
QUEEN_TO_MELD: Final = play(Card.CQ).code - meld(Suit.C).code
"""How far a hand is shifted for its kings (queens) to lie on the melds of their suits (R6.2)."""

NINE_TO_EXCHANGE: Final = tuple(play(Card(6 * suit)).code - EXCHANGE.code for suit in Suit)
"""How far a hand is shifted for the nine of a suit to lie on the exchange (R7.5)."""


def _by_code(table: dict[Card, int]) -> tuple[int, ...]:
    """A table over cards as one over codes; 0 for the codes that play no card."""
    return tuple(0 if move.card is None else table.get(move.card, 0) for move in MOVES)


def _higher(card: Card) -> int:
    return sum(CARD_BIT[other] for other in PACK if other.suit == card.suit and other > card)


SUIT_CARDS: Final = tuple(
    sum(CARD_BIT[card] for card in PACK if card.suit == suit) for suit in Suit
)
"""The six cards of each suit."""

SAME_SUIT: Final = _by_code({card: SUIT_CARDS[card.suit] for card in PACK})
"""By the code of the card led: the cards of its suit."""

HIGHER: Final = _by_code({card: _higher(card) for card in PACK})
"""By the code of the card led: the higher cards of its suit (R1.3)."""

BEATING: Final = tuple(
    _by_code(
        {c: _higher(c) | (0 if c.suit == trump else SUIT_CARDS[trump]) for c in PACK},
    )
    for trump in Suit
)
"""By trump and the code of the card led: the replies that take it (R3.3)."""

PAIR_MELD: Final = _by_code({c: 1 << meld(c.suit).code for c in PACK if str(c)[0] in "KQ"})
"""By the code of a King or Queen: the meld it is half of."""

PAIR: Final = tuple(CARD_BIT[6 * suit + 2] | CARD_BIT[6 * suit + 3] for suit in Suit)
"""King and Queen of each suit."""

# A mask is read through three tables of 11, 10 and 10 bits: no loop over single bits.
_LOW_BITS: Final = 11
_HIGH_SHIFT: Final = 21
_TEN_BITS: Final = 0x3FF
_ELEVEN_BITS: Final = 0x7FF


def _reading(first: int, count: int) -> tuple[tuple[Move, ...], ...]:
    part = MOVES[first : first + count]
    return tuple(
        tuple(move for place, move in enumerate(part) if bits >> place & 1)
        for bits in range(1 << count)
    )


_LOW: Final = _reading(0, _LOW_BITS)
_MIDDLE: Final = _reading(_LOW_BITS, 10)
_HIGH: Final = _reading(_HIGH_SHIFT, 10)


def moves_in(mask: int) -> tuple[Move, ...]:
    """The moves of a mask, sorted as strings."""
    return (
        _LOW[mask & _ELEVEN_BITS]
        + _MIDDLE[mask >> _LOW_BITS & _TEN_BITS]
        + _HIGH[mask >> _HIGH_SHIFT]
    )


def cards_in(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, in pack order."""
    return tuple([card for card, bit in zip(PACK, CARD_BIT, strict=True) if mask & bit])


def card_of(code: int) -> Card:
    """The card that a play's code plays."""
    card = MOVES[code].card
    assert card is not None
    return card


def suit_of(code: int) -> Suit:
    """The suit of a meld's or a play's code."""
    suit = MOVES[code].suit
    assert suit is not None
    return suit
