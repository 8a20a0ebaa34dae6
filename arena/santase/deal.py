"""A deal under way in the words of the game: an immutable state over a position."""

from collections.abc import Sequence

from .cards import Card, Seat, Suit
from .masks import TRICK, TRICKS, card_of, cards_in
from .moves import MOVES, Move, MoveKind
from .position import (
    BEFORE,
    CODE,
    FRAME,
    HAND,
    LED,
    NO_MOVE,
    NOBODY_LED,
    OTHER,
    RESULT,
    STAGE,
    TURN,
    TURNED,
    Closing,
    Frame,
    Position,
    by_seat,
    counted,
    start_position,
)
from .result import DealResult
from .rules import RuleSet
from .tables import STRICT, talon_at

Trick = tuple[Card, Card]
"""A trick: the card led and the reply."""


class DealState:
    """A position in a deal. Made by `start_deal` and `apply`, never changed.

    Two states are equal if deck, dealer, rules and the actions so far are.
    """

    __slots__ = ("_position",)

    _position: Position

    @classmethod
    def of(cls, position: Position) -> "DealState":
        """The state over a position."""
        state = cls()
        state._position = position
        return state

    @property
    def position(self) -> Position:
        """The state as the engine holds it, for what works with masks and codes."""
        return self._position

    @property
    def turn(self) -> Seat:
        """Who is on turn; after the end, who won the last trick."""
        return self._position[TURN]

    @property
    def rules(self) -> RuleSet:
        """The rules of this deal."""
        return self._frame.tables.rules

    @property
    def deck(self) -> tuple[Card, ...]:
        """The 24 cards after the cut, top first (R2.2)."""
        return self._frame.deck

    @property
    def dealer(self) -> Seat:
        """Who dealt; the other led first (R3.1)."""
        return self._frame.dealer

    @property
    def trump(self) -> Suit:
        """The trump suit (R2.4)."""
        return self._frame.tables.trump

    @property
    def talon(self) -> int:
        """How many cards the talon holds, the turned card included (R2.4)."""
        closing = self._frame.closing
        return talon_at(self._position[STAGE]) if closing is None else closing.talon

    @property
    def talon_cards(self) -> tuple[Card, ...]:
        """The cards of the talon in the order of drawing, the turned card last (R2.5)."""
        codes = self._frame.order[TURNED + 1 - self.talon :]
        return tuple(card_of(code) for code in codes)

    @property
    def face_up(self) -> Card | None:
        """The turned card, or the nine put there by an exchange; None once it has been drawn."""
        return None if self.talon == 0 else card_of(self._frame.order[TURNED])

    @property
    def hands(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both hands, each in pack order; a card led is in neither."""
        mine, others = cards_in(self._position[HAND]), cards_in(self._position[OTHER])
        return (others, mine) if self.turn else (mine, others)

    @property
    def led(self) -> Card | None:
        """The card led to the trick on the table."""
        led = self._position[LED]
        return None if led == NOBODY_LED else card_of(led)

    @property
    def points(self) -> tuple[int, int]:
        """Both players' deal points; those of a player without a trick are 0 (R6.4, R9.3)."""
        _, _, turn, _, _, won, other_won, _, _, result, _, _ = self._position
        if result is not None:  # with the bonus
            return result.totals
        return by_seat(turn, counted(won), counted(other_won))

    @property
    def trick_counts(self) -> tuple[int, int]:
        """How many tricks each player has taken."""
        _, _, turn, _, _, won, other_won, *_ = self._position
        return by_seat(turn, won // TRICK, other_won // TRICK)

    @property
    def tricks(self) -> tuple[tuple[Trick, ...], tuple[Trick, ...]]:
        """The tricks each player has taken, in order."""
        taken: tuple[list[Trick], list[Trick]] = ([], [])
        position = self._position
        while (before := position[BEFORE]) is not None:
            led = before[LED]
            if led >= 0 and position[LED] < 0:  # the move between was the reply
                taken[position[TURN]].append(TRICKS[led][position[CODE]])
            position = before
        return tuple(taken[0][::-1]), tuple(taken[1][::-1])

    @property
    def melds(self) -> tuple[tuple[tuple[Suit, int], ...], tuple[tuple[Suit, int], ...]]:
        """The melds of each player, in order: suit and points (20 or 40)."""
        melds = self._frame.melds
        if not melds:
            return (), ()
        return (
            tuple([(meld.suit, meld.points) for meld in melds if meld.seat == 0]),
            tuple([(meld.suit, meld.points) for meld in melds if meld.seat == 1]),
        )

    @property
    def closing(self) -> Closing | None:
        """Who closed the talon, and how things stood then (R8)."""
        return self._frame.closing

    @property
    def closed_by(self) -> Seat | None:
        """Who closed the talon (R8)."""
        closing = self._frame.closing
        return None if closing is None else closing.seat

    @property
    def exchanged(self) -> tuple[Seat, Card] | None:
        """Who exchanged the nine of trumps, and the card he took (R7)."""
        return self._frame.exchanged

    @property
    def strict(self) -> bool:
        """Whether the strict phase has begun (R5.1)."""
        return self._position[STAGE] >= STRICT

    @property
    def must_lead_pair(self) -> bool:
        """Whether the player on turn has melded and now leads the king or the queen (R6.5)."""
        code = self._position[CODE]
        return code != NO_MOVE and MOVES[code].kind is MoveKind.MELD

    @property
    def log(self) -> tuple[tuple[Seat, Move], ...]:
        """Every action of the deal in order, with the seat that took it."""
        return tuple((seat, MOVES[code]) for seat, code in self._entries())

    @property
    def result(self) -> DealResult | None:
        """How the deal ended; None while it goes on."""
        return self._position[RESULT]

    @property
    def _frame(self) -> Frame:
        return self._position[FRAME]

    def _entries(self) -> list[tuple[Seat, int]]:
        """The seat and the code of every action so far."""
        entries = []
        position = self._position
        while (before := position[BEFORE]) is not None:
            entries.append((before[TURN], position[CODE]))
            position = before
        entries.reverse()
        return entries

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DealState):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.deck, self.dealer, self.rules, tuple(self._entries())

    def __repr__(self) -> str:
        deck = " ".join(map(str, self.deck))
        log = " ".join(f"{seat}/{move}" for seat, move in self.log)
        return f"<DealState {self.rules.name}, dealer {self.dealer}, deck {deck}, log {log}>"


def start_deal(deck: Sequence[Card], dealer: Seat, rules: RuleSet) -> DealState:
    """A deal from the deck after the cut, top card first (R2.3, R2.4); raises BadDeck."""
    if dealer not in (0, 1):
        raise ValueError(f"dealer must be 0 or 1, not {dealer!r}")
    return DealState.of(start_position(deck, dealer, rules))
