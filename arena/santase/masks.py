"""Bit masks: bit n of a mask stands for the move with code n (see `moves.MOVES`).

A hand is the mask of the plays of its cards, so "the cards he may play" and "the moves he may
make" are the same thing. Its cards lie rank by rank (9 A J K Q T), four suits (C D H S) each,
because that is the order of the texts: a mask read upwards is sorted as the protocol wants it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from .cards import PACK, Card, Suit
from .moves import CLAIM, MOVES, meld, play

T = TypeVar("T")

BIT: Final = tuple(move.bit for move in MOVES)
"""By code: the bit of the move."""

FIRST_OTHER: Final = CLAIM.code
"""Codes below play a card; from here on they are the other actions."""

FIRST_OTHER_BIT: Final = CLAIM.bit
"""A mask below it holds plays only."""

KINGS: Final = play(Card.CK).code
"""Where the four kings begin in a hand; the queens come next."""

KINGS_AND_QUEENS: Final = 0xFF

MELDS_HELD: Final = tuple(
    sum(meld(suit).bit for suit in Suit if held >> suit & held >> suit + 4 & 1)
    for held in range(KINGS_AND_QUEENS + 1)
)
"""By `hand >> KINGS & KINGS_AND_QUEENS`: the melds of the pairs in the hand (R6.2)."""

ALL_MELDS: Final = MELDS_HELD[-1]

TRICK: Final = 1024
"""A trick, in what a player has won: deal points + `TRICK` × tricks."""

ALL_CARDS: Final = sum(move.bit for move in MOVES[:FIRST_OTHER])

SUIT_CARDS: Final = tuple(
    sum(play(card).bit for card in PACK if card.suit == suit) for suit in Suit
)
"""The six cards of each suit."""

PAIR: Final = tuple(play(Card(6 * suit + 2)).bit | play(Card(6 * suit + 3)).bit for suit in Suit)
"""Queen and king of each suit."""


def _higher(card: Card) -> int:
    return sum(play(other).bit for other in PACK if other.suit == card.suit and other > card)


def _by_code(values: Sequence[T]) -> tuple[T, ...]:
    """A table over cards in pack order as one over the codes of their plays."""
    return tuple(values[move.card] for move in MOVES if move.card is not None)


HIGHER: Final = _by_code([_higher(card) for card in PACK])
"""By the code of the lead: the higher cards of its suit (R1.3)."""

SAME_SUIT: Final = _by_code([SUIT_CARDS[card.suit] for card in PACK])
"""By the code of the lead: the cards of its suit."""


def _gain(trump: Suit, lead: Card, reply: Card) -> int:
    beaten = reply > lead if reply.suit == lead.suit else reply.suit == trump  # R3.3
    worth = lead.points + reply.points + TRICK
    return -worth if beaten else worth


GAIN: Final = tuple(
    _by_code([_by_code([_gain(trump, lead, reply) for reply in PACK]) for lead in PACK])
    for trump in Suit
)
"""By trump and the codes of lead and reply: what the leader wins by the trick, as points + `TRICK`
(R1.2); below 0 what the replier wins (R3.3)."""

MELD_OF: Final = _by_code([meld(c.suit).bit if str(c)[0] in "KQ" else 0 for c in PACK])
"""By the code of a play: for a king or a queen the meld it is half of."""

LOW_BITS: Final = 12
TWELVE_BITS: Final = 0xFFF


class Readings(NamedTuple, Generic[T]):
    """What a mask of moves holds, read through three tables instead of bit by bit.

    `others[mask >> FIRST_OTHER] + low[mask & TWELVE_BITS] + high[mask >> LOW_BITS & TWELVE_BITS]`
    are the items of the mask, sorted as the texts of the moves ("claim" to "meld:S" come before
    "play:9C"). Written out where it is used: a call would take as long as the reading.
    """

    others: list[tuple[T, ...]]
    low: list[tuple[T, ...]]
    high: list[tuple[T, ...]]


def readings(items: Sequence[T]) -> Readings[T]:
    """The tables for items by code."""
    return Readings(
        _readings(items[FIRST_OTHER:]),
        _readings(items[:LOW_BITS]),
        _readings(items[LOW_BITS:FIRST_OTHER]),
    )


def _readings(items: Iterable[T]) -> list[tuple[T, ...]]:
    """By mask over a few neighbouring places: the items of the mask, upwards."""
    found: list[tuple[T, ...]] = [()]
    for item in items:
        found += [(*reading, item) for reading in found]
    return found


CODES: Final = readings(range(len(MOVES)))
"""The codes of the moves of a mask."""

_CARDS: Final = tuple(move.card for move in MOVES if move.card is not None)
_LOW_CARDS: Final = _readings(_CARDS[:LOW_BITS])
_HIGH_CARDS: Final = _readings(_CARDS[LOW_BITS:])


def card_of(code: int) -> Card:
    """The card that the play with a code plays."""
    return _CARDS[code]


TRICKS: Final = tuple(tuple((lead, reply) for reply in _CARDS) for lead in _CARDS)
"""By the codes of lead and reply: the trick, as a pair of cards."""


def suit_of(code: int) -> Suit:
    """The suit that the play or the meld with a code names."""
    suit = MOVES[code].suit
    assert suit is not None
    return suit


def cards_in(hand: int) -> tuple[Card, ...]:
    """The cards of a hand, in pack order."""
    return tuple(sorted(_LOW_CARDS[hand & TWELVE_BITS] + _HIGH_CARDS[hand >> LOW_BITS]))
