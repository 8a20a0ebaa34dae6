"""The player as the server shows it: one position, with links to all others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from arena.santase import Card
from replays.positions import Taken
from web.player.faces import Deck, back, deck_of, face
from web.player.frames import Film, Frame, Laid
from web.player.jumps import Jump, backward, forward, jump
from web.player.remarks import BEFORE_THE_CARDS, Remark
from web.words import card_name

BOTH: Final = None
"""Whose view: both hands are open. Else a seat, which sees what its bot saw."""

_ANCHOR: Final = "#player"
_DIGITS: Final = 9
"""More digits than the number of any position has."""


@dataclass(frozen=True, slots=True)
class CardImage:
    """A card as an image: its code, the address, the text for those who do not see it, its mark."""

    code: str
    src: str
    alt: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TrickImages:
    """A trick of a pile, lead first, with a link to where it was taken."""

    number: int
    at: int
    address: str
    lead: CardImage
    reply: CardImage


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of the table; the texts are those of the frame for this seat."""

    seat: int
    player: SafeString
    hand: list[CardImage]
    played: list[CardImage]
    pile: list[TrickImages]
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class View:
    """A choice of whose cards are open."""

    name: str
    label: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the deal in words; `number` is that of its trick where it is the first of it."""

    at: int
    address: str
    number: int | None
    words: str
    after: str
    current: bool


@dataclass(frozen=True, slots=True)
class DealMark:
    """A deal in the list of deals."""

    number: int
    at: int
    address: str
    headline: SafeString
    current: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What a bot said to its owner, and which bot."""

    player: SafeString
    remark: Remark


class Stage:
    """What the template of the player reads.

    `path` is that of the match's page, `view` the seat whose eyes one sees with.
    """

    def __init__(self, film: Film, path: str, request: HttpRequest) -> None:
        self._film = film
        self.path = path
        self.last = len(film.row) - 1
        self.at = _at(request.GET.get("at", ""), self.last)
        self.view = {"0": 0, "1": 1}.get(request.GET.get("seat", ""), BOTH)
        self.deck: Deck = deck_of(request)
        self.frame = film.frame(self.at)

    def address(self, at: int, view: int | None) -> str:
        """The address of a position."""
        return f"{self.path}?at={at}{'' if view is BOTH else f'&seat={view}'}{_ANCHOR}"

    @property
    def here(self) -> str:
        """The address of this position."""
        return self.address(self.at, self.view)

    @property
    def texts(self) -> Mapping[str, str]:
        """What is written on and beside the table."""
        return self.frame.texts

    @property
    def sides(self) -> list[Side]:
        """Both sides, seat 1 first: it sits at the far side of the table unless it looks."""
        return [self._side(seat) for seat in (1, 0)]

    @property
    def talon(self) -> list[CardImage]:
        """The talon in the order of drawing; the turned card is the last."""
        return [self._image(laid, face_down=laid.covered) for laid in self.frame.zones["talon"]]

    @property
    def views(self) -> list[View]:
        """Whose cards one may look at."""
        names = [(BOTH, gettext("Both hands")), *enumerate(self._film.players)]
        return [
            View(
                name="" if view is BOTH else str(view),
                label=label,
                address=self.address(self.at, view),
                current=view == self.view,
            )
            for view, label in names
        ]

    @property
    def deals(self) -> list[DealMark]:
        """Every deal of the match."""
        return [
            DealMark(
                number=opening.deal.number,
                at=opening.at,
                address=self.address(opening.at, self.view),
                headline=self._film.headline(opening),
                current=opening.deal.number == self.frame.deal,
            )
            for opening in self._film.openings()
        ]

    @property
    def events(self) -> list[Event]:
        """What happens in the deal on the table, from its first card to its end."""
        found: list[Event] = []
        trick = 0
        for each in self._film.of_deal(self.frame.deal):
            found.append(_event(each, self.address(each.at, self.view), trick, self.at))
            trick = each.trick
        return found

    @property
    def backward(self) -> list[Jump]:
        """The jumps back, the farthest first."""
        return [self._jump(name, at) for name, at in backward(self._film.row, self.at)]

    @property
    def forward(self) -> list[Jump]:
        """The jumps on, the nearest first."""
        return [self._jump(name, at) for name, at in forward(self._film.row, self.at)]

    def remarks(self, of_seats: Mapping[int, Mapping[int, Remark]]) -> list[Said]:
        """What a bot said with this action; at the very beginning what both said before it.

        `of_seats` holds the remarks of those seats that the viewer may look into, and no other.
        """
        frame = self.frame
        if frame.at == 0:
            asked = [(seat, BEFORE_THE_CARDS) for seat in of_seats]
        elif frame.seat is None or frame.request is None:
            asked = []
        else:
            asked = [(frame.seat, frame.request)]
        return [
            Said(self._film.players[seat], remark)
            for seat, request in asked
            if (remark := of_seats.get(seat, {}).get(request)) is not None
        ]

    def _side(self, seat: int) -> Side:
        hidden = self.view is not BOTH and self.view != seat
        zones = self.frame.zones
        return Side(
            seat=seat,
            player=self._film.players[seat],
            hand=[
                self._image(laid, face_down=hidden and laid.covered)
                for laid in zones[f"hand{seat}"]
            ],
            played=[self._image(laid) for laid in zones[f"played{seat}"]],
            pile=[self._trick(trick) for trick in self.frame.piles[seat]],
            texts={
                name.removesuffix(str(seat)): text
                for name, text in self.frame.texts.items()
                if name.endswith(str(seat))
            },
        )

    def _trick(self, trick: Taken) -> TrickImages:
        return TrickImages(
            trick.number, trick.at, self.address(trick.at, self.view),
            self._open(trick.lead), self._open(trick.reply),
        )  # fmt: skip

    def _image(self, laid: Laid, *, face_down: bool = False) -> CardImage:
        if face_down:
            return CardImage(str(laid.card), back(), gettext("a card face down"), laid.mark)
        return self._open(laid.card, laid.mark)

    def _open(self, card: Card, mark: str = "") -> CardImage:
        return CardImage(str(card), face(card, self.deck), card_name(card), mark)

    def _jump(self, name: str, at: int | None) -> Jump:
        return jump(name, at, "" if at is None else self.address(at, self.view))


def _at(text: str, last: int) -> int:
    """The position asked for; what is no number begins at the beginning, what is too far ends."""
    if not text.isdecimal():
        return 0
    return min(int(text[:_DIGITS]), last)


def _event(frame: Frame, address: str, trick_before: int, at: int) -> Event:
    return Event(
        at=frame.at,
        address=address,
        number=frame.trick if frame.trick != trick_before else None,
        words=frame.texts["words"],
        after=frame.texts["after"],
        current=frame.at == at,
    )
