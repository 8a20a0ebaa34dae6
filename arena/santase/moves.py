"""The 31 atomic actions of a deal, each with the number that the masks use."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from .cards import PACK, Card, Suit


class MoveKind(Enum):
    """What sort of action a move is."""

    PLAY = "play"
    CLAIM = "claim"
    CLOSE = "close"
    EXCHANGE = "exchange"
    MELD = "meld"


@dataclass(frozen=True, slots=True)
class Move:
    """One atomic action; `str(move)` is its text in the protocol ("play:QH").

    There are 31, all in `MOVES`; take them from there, from `play`, `meld` or `parse_move`.
    `code` is the place in `MOVES`, `bit` the move's bit in a mask of moves (see `masks`), `points`
    what a card played counts in the trick.
    """

    text: str
    kind: MoveKind
    code: int
    bit: int
    points: int
    card: Card | None
    suit: Suit | None

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[[int], "Move"], tuple[int]]:
        return move_of, (self.code,)


def _all_moves() -> tuple[Move, ...]:
    """The plays, then the others, each group in the order of the texts."""
    cards = sorted(PACK, key=str)
    forms: list[tuple[str, MoveKind, Card | None, Suit | None]] = []
    forms += [(f"play:{card}", MoveKind.PLAY, card, card.suit) for card in cards]
    forms += [(kind.value, kind, None, None) for kind in MoveKind if kind.value in _SINGLE]
    forms += [(f"meld:{suit}", MoveKind.MELD, None, suit) for suit in Suit]
    return tuple(
        Move(text, kind, code, 1 << code, 0 if card is None else card.points, card, suit)
        for code, (text, kind, card, suit) in enumerate(forms)
    )


_SINGLE: Final = ("claim", "close", "exchange")

MOVES: Final = _all_moves()
"""All moves by code: play:9C, play:9D … play:TS, claim, close, exchange, meld:C … meld:S."""

CLAIM, CLOSE, EXCHANGE = MOVES[24:27]

_PLAYS: Final = tuple(sorted(MOVES[:24], key=lambda move: PACK.index(Card(move.card or 0))))
_MELDS: Final = MOVES[27:]


def move_of(code: int) -> Move:
    """The move of a code, 0..30."""
    return MOVES[code]


def play(card: Card) -> Move:
    """The lead of a card, or the reply with it (R3.2)."""
    return _PLAYS[card]


def meld(suit: Suit) -> Move:
    """The meld of king and queen of a suit (R6)."""
    return _MELDS[suit]
