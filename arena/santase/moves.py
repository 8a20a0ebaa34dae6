"""The 31 atomic actions of a deal, each with the number that the masks use."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from .cards import PACK, Card, Suit


class MoveKind(Enum):
    """What sort of action a move is."""

    CLAIM = "claim"
    CLOSE = "close"
    EXCHANGE = "exchange"
    MELD = "meld"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Move:
    """One atomic action; `str(move)` is its text in the protocol ("play:QH").

    There are 31, all in `MOVES`; take them from there, from `play`, `meld` or `parse_move`.
    `code` is the place in `MOVES`, and the bit of the move in a mask of moves.
    """

    code: int
    text: str
    kind: MoveKind
    card: Card | None = None
    suit: Suit | None = None

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[[int], "Move"], tuple[Any, ...]]:
        return move_of, (self.code,)


def _all_moves() -> tuple[Move, ...]:
    """Every move, numbered in the order of the texts: a mask read upwards is then sorted."""
    forms: list[tuple[str, MoveKind, Card | None, Suit | None]] = [
        (kind.value, kind, None, None)
        for kind in (MoveKind.CLAIM, MoveKind.CLOSE, MoveKind.EXCHANGE)
    ]
    forms += [(f"meld:{suit}", MoveKind.MELD, None, suit) for suit in Suit]
    forms += [(f"play:{card}", MoveKind.PLAY, card, card.suit) for card in PACK]
    return tuple(Move(code, *form) for code, form in enumerate(sorted(forms, key=lambda f: f[0])))


MOVES: Final = _all_moves()
"""All moves by code: claim, close, exchange, meld:C …, play:9C, play:9D …, play:TS."""

CLAIM, CLOSE, EXCHANGE = MOVES[:3]

_MELDS: Final = MOVES[3:7]
_PLAYS: Final = tuple(sorted(MOVES[7:], key=lambda move: PACK.index(move.card or PACK[0])))


def move_of(code: int) -> Move:
    """The move of a code, 0..30."""
    return MOVES[code]


def meld(suit: Suit) -> Move:
    """The meld of King and Queen of a suit (R6)."""
    return _MELDS[suit]


def play(card: Card) -> Move:
    """The lead of a card, or the answer with it (R3.2)."""
    return _PLAYS[card]
