"""A deal under way: an immutable state that begins with `start_deal` and goes on by `apply`.

Inside are bit masks (see `masks`) and numbers, told from the player on turn, because that is what
`apply` works with; the properties say it in the words of the game, pairs by seat.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from .cards import PACK, Card, Seat, Suit
from .errors import BadDeck
from .layout import Layout, lead_mask
from .masks import ALL_CARDS, CARD_BIT, card_of, cards_in
from .moves import MOVES, Move, MoveKind
from .result import DealResult
from .rules import RuleSet
from .stages import STRICT, talon_at

Trick = tuple[Card, Card]
"""A trick: the card led and the reply."""

LogEntry = tuple[Seat, Move]
"""One action of a deal and who took it."""

WON_POINT: Final = 16
"""A player's winnings are one number: deal points × 16 + tricks."""

TRICKS_MASK: Final = WON_POINT - 1


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
    """What happens once or seldom in a deal."""

    closing: Closing | None = None
    exchanged: tuple[Seat, Card] | None = None
    melds: tuple[Meld, ...] = ()
    result: DealResult | None = None


class DealState:
    """A position in a deal. Made by `start_deal` and `apply`, never changed.

    Two states are equal if deck, dealer, rules and the actions so far are.
    """

    __slots__ = (
        "_hand",  # mask: the cards of the player on turn
        "_layout",
        "_led",  # code of the card led, 0 while nobody has led (0 is the claim)
        "_legal",  # mask: the legal moves, 0 when the deal has ended (R3.9)
        "_log",
        "_marks",
        "_other_hand",  # mask: the cards of the other player
        "_other_won",
        "_stage",  # see `stages`
        "_turn",
        "_won",  # what the player on turn has won: points × 16 + tricks
    )

    _hand: int
    _layout: Layout
    _led: int
    _legal: int
    _log: tuple[LogEntry, ...]
    _marks: Marks
    _other_hand: int
    _other_won: int
    _stage: int
    _turn: Seat
    _won: int

    @property
    def turn(self) -> Seat:
        """Who is on turn; after the end, who won the last trick."""
        return self._turn

    @property
    def rules(self) -> RuleSet:
        """The rules of this deal."""
        return self._layout.rules

    @property
    def deck(self) -> tuple[Card, ...]:
        """The 24 cards after the cut, top first (R2.2)."""
        return self._layout.deck

    @property
    def dealer(self) -> Seat:
        """Who dealt; the other led first (R3.1)."""
        return self._layout.dealer

    @property
    def trump(self) -> Suit:
        """The trump suit (R2.4)."""
        return self._layout.trump

    @property
    def talon(self) -> int:
        """How many cards the talon holds, the turned card included (R2.4)."""
        closing = self._marks.closing
        return talon_at(self._stage) if closing is None else closing.talon

    @property
    def talon_cards(self) -> tuple[Card, ...]:
        """The cards of the talon in the order of drawing, the turned card last (R2.5)."""
        bits = self._layout.draws[12 - self.talon :]
        return tuple(PACK[CARD_BIT.index(bit)] for bit in bits)

    @property
    def face_up(self) -> Card | None:
        """The turned card, or the nine put there by an exchange; None once it has been drawn."""
        if self.talon == 0:
            return None
        return Card(6 * self.trump) if self._marks.exchanged else self.deck[12]

    @property
    def hands(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both hands, each in pack order; a card led is in neither."""
        mine, others = cards_in(self._hand), cards_in(self._other_hand)
        return (others, mine) if self._turn else (mine, others)

    @property
    def led(self) -> Card | None:
        """The card led to the trick on the table."""
        return MOVES[self._led].card

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
        mine, others = self._won & TRICKS_MASK, self._other_won & TRICKS_MASK
        return (others, mine) if self._turn else (mine, others)

    @property
    def tricks(self) -> tuple[tuple[Trick, ...], tuple[Trick, ...]]:
        """The tricks each player has taken, in order."""
        taken: tuple[list[Trick], list[Trick]] = ([], [])
        plays = [entry for entry in self._log if entry[1].kind is MoveKind.PLAY]
        for (leader, lead), (replier, reply) in zip(plays[::2], plays[1::2], strict=False):
            takes = self._layout.beating[lead.code] >> reply.code & 1
            cards = (card_of(lead.code), card_of(reply.code))
            taken[replier if takes else leader].append(cards)
        return tuple(taken[0]), tuple(taken[1])

    @property
    def melds(self) -> tuple[tuple[tuple[Suit, int], ...], tuple[tuple[Suit, int], ...]]:
        """The melds of each player, in order: suit and points (20 or 40)."""
        both = [
            tuple((meld.suit, meld.points) for meld in self._marks.melds if meld.seat == seat)
            for seat in (0, 1)
        ]
        return both[0], both[1]

    @property
    def closed_by(self) -> Seat | None:
        """Who closed the talon (R8)."""
        closing = self._marks.closing
        return None if closing is None else closing.seat

    @property
    def closing(self) -> Closing | None:
        """Who closed the talon, and how things stood then."""
        return self._marks.closing

    @property
    def strict(self) -> bool:
        """Whether the strict phase has begun (R5.1)."""
        return self._stage >= STRICT

    @property
    def must_lead_pair(self) -> bool:
        """Whether the player on turn has melded and now leads the king or the queen (R6.5)."""
        return bool(self._log) and self._log[-1][1].kind is MoveKind.MELD

    @property
    def exchanged(self) -> tuple[Seat, Card] | None:
        """Who exchanged the nine of trumps, and the card he took (R7)."""
        return self._marks.exchanged

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Every action of the deal in order, with the seat that took it."""
        return self._log

    @property
    def result(self) -> DealResult | None:
        """How the deal ended; None while it goes on."""
        return self._marks.result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DealState):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.deck, self.dealer, self.rules, self._log

    def __repr__(self) -> str:
        deck = " ".join(map(str, self.deck))
        log = " ".join(f"{seat}/{move}" for seat, move in self._log)
        return f"<DealState {self.rules.name}, dealer {self.dealer}, deck {deck}, log {log}>"


_UNMARKED: Final = Marks()


def counted(won: int) -> int:
    """The deal points of a player's winnings: 0 until he has a trick (R6.4)."""
    return won // WON_POINT if won & TRICKS_MASK else 0


def start_deal(deck: Sequence[Card], dealer: Seat, rules: RuleSet) -> DealState:
    """A deal from the deck after the cut, top card first (R2.3, R2.4); raises BadDeck."""
    bits = _bits_of(deck)
    if dealer not in (0, 1):
        raise ValueError(f"dealer must be 0 or 1, not {dealer!r}")
    state = DealState()
    state._layout = layout = Layout(tuple(deck), dealer, rules, (*bits[13:], bits[12]))
    # R2.3: three to the non-dealer, three to the dealer, and again. R3.1: the non-dealer leads.
    state._turn = 1 - dealer
    state._hand = hand = bits[0] | bits[1] | bits[2] | bits[6] | bits[7] | bits[8]
    state._other_hand = bits[3] | bits[4] | bits[5] | bits[9] | bits[10] | bits[11]
    state._led = state._stage = state._won = state._other_won = 0
    state._marks = _UNMARKED
    state._log = ()
    state._legal = lead_mask(layout, hand, 0)
    return state


def _bits_of(deck: Sequence[Card]) -> list[int]:
    """The bits of a deck's cards; raises BadDeck unless they are the pack, each once (R1.1)."""
    try:
        bits = [CARD_BIT[card] for card in deck]
    except (TypeError, IndexError) as error:
        raise BadDeck("a deck is a sequence of 24 cards of type Card") from error
    # 24 powers of two make this sum only if they are the 24 different ones.
    if len(bits) != len(PACK) or sum(bits) != ALL_CARDS:
        twice = sorted({card for card in deck if list(deck).count(card) > 1})
        missing = sorted(set(PACK) - set(deck))
        raise BadDeck(
            f"a deck is the 24 cards of the pack, each once: this one has {len(bits)}"
            + "".join(f", {card} more than once" for card in twice)
            + "".join(f", no {card}" for card in missing)
        )
    return bits
