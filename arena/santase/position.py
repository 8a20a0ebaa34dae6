"""A position in a deal as the engine holds it: one tuple, mostly of numbers and bit masks.

A tuple, because Python makes nothing faster; told from the player on turn, so that no rule has to
ask which seat that is. `deal.DealState` says the same in the words of the game, by seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from .cards import PACK, Card, Seat, Suit
from .errors import BadDeck
from .masks import BIT, TRICK
from .moves import play
from .result import DealResult
from .rules import RuleSet
from .tables import Tables


class Closing(NamedTuple):
    """Who closed the talon, and how things stood then (R8)."""

    seat: Seat
    talon: int
    opponent_points: int
    opponent_tricks: int


class Meld(NamedTuple):
    """A meld and who made it (R6)."""

    seat: Seat
    suit: Suit
    points: int


@dataclass(slots=True, eq=False)
class Frame:
    """What a deal begins with, and what happens in it seldom or once.

    Never changed once made: what happens makes a new one. (Not `frozen`, which would double the
    time a deal takes to start and to end.)
    """

    tables: Tables
    """What the rules allow under this trump suit."""
    deck: tuple[Card, ...]
    dealer: Seat
    order: bytes
    """The codes of the deck's cards and again, at `TURNED`, that of the turned card or of the nine
    put there by an exchange: the talon is drawn from `FACE_DOWN` to that place (R2.5)."""
    closing: Closing | None = None
    exchanged: tuple[Seat, Card] | None = None
    melds: tuple[Meld, ...] = ()

    def with_closing(self, closing: Closing) -> "Frame":
        """The frame once the talon has been closed (R8)."""
        return Frame(
            self.tables, self.deck, self.dealer, self.order, closing, self.exchanged, self.melds
        )

    def with_exchange(self, seat: Seat, nine: int) -> "Frame":
        """The frame once a seat has put the nine with this code under the talon (R7.6)."""
        order = self.order[:TURNED] + bytes([nine])
        exchanged = (seat, self.deck[12])
        return Frame(
            self.tables, self.deck, self.dealer, order, self.closing, exchanged, self.melds
        )

    def with_meld(self, meld: Meld) -> "Frame":
        """The frame with one meld more (R6)."""
        melds = (*self.melds, meld)
        return Frame(
            self.tables, self.deck, self.dealer, self.order, self.closing, self.exchanged, melds
        )


Position = tuple[
    int, int, Seat, int, int, int, int, int, Frame, DealResult | None, int, "Position | None"
]
"""In this order:

legal      mask of the legal moves, 0 once the deal has ended (R3.9)
led        code of the card led to the trick on the table, or `NOBODY_LED`
turn       the seat on turn; after the end, the one that won the last trick
hand       mask: the cards of the player on turn
other      mask: the cards of the other
won        what the player on turn has won: deal points + `TRICK` × tricks
other_won  the same of the other
stage      tricks taken, and `CLOSED` more once the talon is closed (see `tables`)
frame      what changes seldom
result     how the deal ended, None while it goes on
code       the code of the last move, `NO_MOVE` at the start
before     the position before that move
"""

LEGAL: Final = 0
LED: Final = 1
TURN: Final = 2
HAND: Final = 3
OTHER: Final = 4
STAGE: Final = 7
FRAME: Final = 8
RESULT: Final = 9
CODE: Final = 10
BEFORE: Final = 11

NOBODY_LED: Final = -1
NO_MOVE: Final = -1

POINTS_MASK: Final = TRICK - 1

FACE_DOWN: Final = 13
"""Where the face-down cards of the talon begin in `order` (R2.4)."""

TURNED: Final = 24
"""Where the card drawn last stands in `order`."""


def counted(won: int) -> int:
    """The deal points of what a player has won: 0 until he has a trick (R6.4)."""
    return won & POINTS_MASK if won >= TRICK else 0


def by_seat(turn: Seat, mine: int, others: int) -> tuple[int, int]:
    """A pair by seat, from that of the player on turn and the other."""
    return (others, mine) if turn else (mine, others)


def start_position(deck: Sequence[Card], dealer: Seat, rules: RuleSet) -> Position:
    """The position before the first lead (R2.3, R2.4); raises BadDeck."""
    codes = _codes_of(deck)
    # R2.3, by place in the deck: three to the non-dealer, three to the dealer, and again.
    a, b, c, d, e, f, g, h, i, j, k, m, turned = codes[:FACE_DOWN]
    hand = BIT[a] | BIT[b] | BIT[c] | BIT[g] | BIT[h] | BIT[i]
    other = BIT[d] | BIT[e] | BIT[f] | BIT[j] | BIT[k] | BIT[m]
    tables = rules.tables[turned % len(Suit)]  # R2.4
    return (
        tables.lead_mask(hand, 0),
        NOBODY_LED,
        1 - dealer,  # R3.1
        hand,
        other,
        0,
        0,
        0,
        Frame(tables, tuple(deck), dealer, codes + codes[FACE_DOWN - 1 : FACE_DOWN]),
        None,
        NO_MOVE,
        None,
    )


_PLACES: Final = bytes(PACK)
_CODE_OF_PLACE: Final = bytes.maketrans(_PLACES, bytes(play(card).code for card in PACK))


def _codes_of(deck: Sequence[Card]) -> bytes:
    """The codes of a deck's cards; raises BadDeck unless they are the pack, each once (R1.1)."""
    try:
        places = bytes(deck)
    except (TypeError, ValueError) as error:
        raise BadDeck("a deck is a sequence of 24 cards of type Card") from error
    # 24 cards that leave none of the pack out.
    if len(places) != len(PACK) or _PLACES.translate(None, places):
        twice = "".join(f", {card} more than once" for card in PACK if places.count(card) > 1)
        missing = "".join(f", no {card}" for card in PACK if card not in places)
        told = f"a deck is the 24 cards of the pack, each once: this one has {len(places)}"
        raise BadDeck(told + twice + missing)
    return places.translate(_CODE_OF_PLACE)
