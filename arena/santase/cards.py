"""The pack: 24 cards in four suits (R1)."""

from enum import IntEnum
from typing import Final

Seat = int
"""One of the two places at the table, 0 or 1; index 0 of every pair is seat 0."""

RANKS: Final = "9JQKTA"
"""The ranks in the order of R1.3, low to high; `T` is the ten."""

SUITS: Final = "CDHS"
"""The suits in pack order: clubs, diamonds, hearts, spades."""

RANK_POINTS: Final = (0, 2, 3, 4, 10, 11)
"""Card points by rank, in the order of `RANKS` (R1.2)."""


class Suit(IntEnum):
    """A suit; `str(suit)` is its letter."""

    C = 0
    D = 1
    H = 2
    S = 3

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)


class Card(IntEnum):
    """A card; its number is its place in pack order, `str(card)` is as in R1.5 ("9C")."""

    C9 = 0
    CJ = 1
    CQ = 2
    CK = 3
    CT = 4
    CA = 5
    D9 = 6
    DJ = 7
    DQ = 8
    DK = 9
    DT = 10
    DA = 11
    H9 = 12
    HJ = 13
    HQ = 14
    HK = 15
    HT = 16
    HA = 17
    S9 = 18
    SJ = 19
    SQ = 20
    SK = 21
    ST = 22
    SA = 23

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUIT_OF[self]

    @property
    def points(self) -> int:
        """What the card counts in a trick (R1.2)."""
        return RANK_POINTS[self % 6]

    def __str__(self) -> str:
        return _TEXT_OF[self]

    def __repr__(self) -> str:
        return f"<{_TEXT_OF[self]}>"

    def __format__(self, spec: str) -> str:
        return format(_TEXT_OF[self], spec)


PACK: Final = tuple(Card)
"""The 24 cards in pack order: 9C JC QC KC TC AC 9D … AS (R1.1)."""

_SUIT_OF: Final = tuple(Suit(card // 6) for card in range(24))
_TEXT_OF: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
