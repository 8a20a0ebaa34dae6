"""A deal under way: an immutable state that begins with `start_deal` and goes on by `apply`.

Inside are bit masks (see `masks`) and numbers, told from the player on turn, because that is what
`apply` works with; the properties say it in the words of the game, pairs by seat.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .cards import PACK, Card, Seat, Suit
from .errors import BadDeck
from .masks import card_of, cards_in
from .moves import Move, MoveKind, play
from .result import DealResult
from .rules import RuleSet
from .tables import STRICT, Tables, talon_at

Trick = tuple[Card, Card]
"""A trick: the card led and the reply."""

TRICK: Final = 1024
"""What a player has won is one number: deal points + 1024 × tricks."""

POINTS_MASK: Final = TRICK - 1

TURNED: Final = 24
"""The place in `Start.order` of the card that is drawn last."""


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


class Marks(NamedTuple):
    """What happens seldom in a deal, or once."""

    closing: Closing | None = None
    exchanged: tuple[Seat, Card] | None = None
    melds: tuple[Meld, ...] = ()
    result: DealResult | None = None


_UNMARKED: Final = Marks()


class Start(NamedTuple):
    """What a deal begins with.

    `order` holds the codes of the deck's cards and again, at `TURNED`, that of the turned card or
    of the nine put there by an exchange: the talon is drawn from place 13 to that one (R2.5).
    """

    deck: tuple[Card, ...]
    dealer: Seat
    order: bytes


class DealState:
    """A position in a deal. Made by `start_deal` and `apply`, never changed.

    Two states are equal if deck, dealer, rules and the actions so far are.
    """

    __slots__ = (
        "_before",  # the state before the last move, None at the start
        "_hand",  # mask: the cards of the player on turn
        "_led",  # the move that led to the trick on the table, None while nobody has led
        "_legal",  # mask: the legal moves, 0 when the deal has ended (R3.9)
        "_marks",
        "_move",  # the last move, None at the start
        "_other_hand",  # mask: the cards of the other player
        "_other_won",
        "_stage",  # see `tables`
        "_start",
        "_tables",
        "_turn",
        "_won",  # what the player on turn has won: points + 1024 × tricks
    )

    _before: "DealState | None"
    _hand: int
    _led: Move | None
    _legal: int
    _marks: Marks
    _move: Move | None
    _other_hand: int
    _other_won: int
    _stage: int
    _start: Start
    _tables: Tables
    _turn: Seat
    _won: int

    @property
    def turn(self) -> Seat:
        """Who is on turn; after the end, who won the last trick."""
        return self._turn

    @property
    def rules(self) -> RuleSet:
        """The rules of this deal."""
        return self._tables.rules

    @property
    def deck(self) -> tuple[Card, ...]:
        """The 24 cards after the cut, top first (R2.2)."""
        return self._start.deck

    @property
    def dealer(self) -> Seat:
        """Who dealt; the other led first (R3.1)."""
        return self._start.dealer

    @property
    def trump(self) -> Suit:
        """The trump suit (R2.4)."""
        return self._tables.trump

    @property
    def talon(self) -> int:
        """How many cards the talon holds, the turned card included (R2.4)."""
        closing = self._marks.closing
        return talon_at(self._stage) if closing is None else closing.talon

    @property
    def talon_cards(self) -> tuple[Card, ...]:
        """The cards of the talon in the order of drawing, the turned card last (R2.5)."""
        codes = self._start.order[TURNED + 1 - self.talon :]
        return tuple(card_of(code) for code in codes)

    @property
    def face_up(self) -> Card | None:
        """The turned card, or the nine put there by an exchange; None once it has been drawn."""
        if self.talon == 0:
            return None
        return self.deck[12] if self._marks.exchanged is None else Card(6 * self.trump)

    @property
    def hands(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both hands, each in pack order; a card led is in neither."""
        mine, others = cards_in(self._hand), cards_in(self._other_hand)
        return (others, mine) if self._turn else (mine, others)

    @property
    def led(self) -> Card | None:
        """The card led to the trick on the table."""
        return None if self._led is None else self._led.card

    @property
    def points(self) -> tuple[int, int]:
        """Both players' deal points; those of a player without a trick are 0 (R6.4, R9.3)."""
        if self._marks.result is not None:
            return self._marks.result.totals
        mine, others = counted(self._won), counted(self._other_won)
        return (others, mine) if self._turn else (mine, others)

    @property
    def trick_counts(self) -> tuple[int, int]:
        """How many tricks each player has taken."""
        mine, others = self._won // TRICK, self._other_won // TRICK
        return (others, mine) if self._turn else (mine, others)

    @property
    def tricks(self) -> tuple[tuple[Trick, ...], tuple[Trick, ...]]:
        """The tricks each player has taken, in order."""
        taken: tuple[list[Trick], list[Trick]] = ([], [])
        for state in self._history():
            before = state._before
            if before is None or before._led is None or state._led is not None:
                continue  # not a reply
            assert state._move is not None
            trick = (card_of(before._led.code), card_of(state._move.code))
            taken[state._turn].append(trick)
        return tuple(taken[0][::-1]), tuple(taken[1][::-1])

    @property
    def melds(self) -> tuple[tuple[tuple[Suit, int], ...], tuple[tuple[Suit, int], ...]]:
        """The melds of each player, in order: suit and points (20 or 40)."""
        melds = self._marks.melds
        return (
            tuple([(meld.suit, meld.points) for meld in melds if meld.seat == 0]),
            tuple([(meld.suit, meld.points) for meld in melds if meld.seat == 1]),
        )

    @property
    def closing(self) -> Closing | None:
        """Who closed the talon, and how things stood then (R8)."""
        return self._marks.closing

    @property
    def closed_by(self) -> Seat | None:
        """Who closed the talon (R8)."""
        closing = self._marks.closing
        return None if closing is None else closing.seat

    @property
    def exchanged(self) -> tuple[Seat, Card] | None:
        """Who exchanged the nine of trumps, and the card he took (R7)."""
        return self._marks.exchanged

    @property
    def strict(self) -> bool:
        """Whether the strict phase has begun (R5.1)."""
        return self._stage >= STRICT

    @property
    def must_lead_pair(self) -> bool:
        """Whether the player on turn has melded and now leads the king or the queen (R6.5)."""
        return self._move is not None and self._move.kind is MoveKind.MELD

    @property
    def log(self) -> tuple[tuple[Seat, Move], ...]:
        """Every action of the deal in order, with the seat that took it."""
        entries = [
            (state._before._turn, state._move)
            for state in self._history()
            if state._before is not None and state._move is not None
        ]
        return tuple(entries[::-1])

    @property
    def result(self) -> DealResult | None:
        """How the deal ended; None while it goes on."""
        return self._marks.result

    def _history(self) -> Iterator["DealState"]:
        """The state and those before it, back to the start."""
        state: DealState | None = self
        while state is not None:
            yield state
            state = state._before

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DealState):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.deck, self.dealer, self.rules, self.log

    def __repr__(self) -> str:
        deck = " ".join(map(str, self.deck))
        log = " ".join(f"{seat}/{move}" for seat, move in self.log)
        return f"<DealState {self.rules.name}, dealer {self.dealer}, deck {deck}, log {log}>"


def counted(won: int) -> int:
    """The deal points of what a player has won: 0 until he has a trick (R6.4)."""
    return won & POINTS_MASK if won >= TRICK else 0


def start_deal(deck: Sequence[Card], dealer: Seat, rules: RuleSet) -> DealState:
    """A deal from the deck after the cut, top card first (R2.3, R2.4); raises BadDeck."""
    codes = _codes_of(deck)
    if dealer not in (0, 1):
        raise ValueError(f"dealer must be 0 or 1, not {dealer!r}")
    # R2.3: three to the non-dealer, three to the dealer, and again.
    a, b, c, d, e, f, g, h, i, j, k, m, turned = codes[:13]
    state = DealState()
    state._start = Start(tuple(deck), dealer, codes + codes[12:13])
    state._tables = tables = rules.tables[turned % len(Suit)]  # R2.4
    state._turn = 1 - dealer  # R3.1
    state._hand = hand = 1 << a | 1 << b | 1 << c | 1 << g | 1 << h | 1 << i
    state._other_hand = 1 << d | 1 << e | 1 << f | 1 << j | 1 << k | 1 << m
    state._stage = state._won = state._other_won = 0
    state._led = state._before = state._move = None
    state._marks = _UNMARKED
    state._legal = tables.lead_mask(hand, 0)
    return state


_PLACES: Final = bytes(PACK)
_CODES: Final = bytes(play(card).code for card in PACK)
_CODE_OF_PLACE: Final = bytes.maketrans(_PLACES, _CODES)


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
        raise BadDeck(
            f"a deck is the 24 cards of the pack, each once: this one has {len(places)}"
            + twice
            + missing
        )
    return places.translate(_CODE_OF_PLACE)
