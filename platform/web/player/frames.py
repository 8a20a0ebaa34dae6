"""A position as it is shown: which card lies where, and what is written beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from msgspec import to_builtins

from arena.santase import Card, MoveKind, view_for
from replays.positions import Position, Taken
from replays.reader import Replay, Step
from web.links import clause_link
from web.words import (
    fault_clause,
    fault_name,
    fault_sentence,
    move_sentence,
    result_sentence,
)
from web.words import positions as words
from web.words.cards import suit_sign

Players = tuple[SafeString, SafeString]

NEW: Final = "new"
"""A card that has just come into a hand."""
MELDED: Final = "melded"
"""King or queen of the pair that is announced now."""
TAKES: Final = "takes"
"""The card that takes the trick."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in its place. `covered`: whoever sits opposite cannot know it."""

    card: Card
    mark: str = ""
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A position, ready to be shown.

    `zones` are the places by name: hand0, hand1, played0, played1, talon (the turned card last).
    `texts` are by name too, safe HTML in the reader's language. `stop` is where jumps from trick to
    trick halt, `opens` where a deal begins. `seat` has acted, or failed.
    """

    at: int
    deal: int
    trick: int
    seat: int | None
    request: int | None
    stop: bool
    opens: bool
    turn: int | None
    closed: bool
    zones: Mapping[str, tuple[Laid, ...]]
    piles: tuple[tuple[Taken, ...], tuple[Taken, ...]]
    texts: Mapping[str, str]


class Film:
    """All positions of a match, told in the reader's language; frames are made when asked for."""

    def __init__(self, row: tuple[Position, ...], replay: Replay, players: Players) -> None:
        self.row = row
        self.players = players
        self._end = replay.end

    def frame(self, at: int) -> Frame:
        """The frame of position `at`."""
        here = self.row[at]
        state = here.state
        over = here.fault or state.result is not None
        return Frame(
            at=at,
            deal=here.deal.number,
            trick=here.trick,
            seat=self._who(here),
            request=here.request,
            stop=here.is_stop,
            opens=here.opens,
            turn=None if over else state.turn,
            closed=state.closed_by is not None,
            zones=self._zones(here),
            piles=(_won(here, 0), _won(here, 1)),
            texts=self._texts(here),
        )

    def _who(self, here: Position) -> int | None:
        if here.fault:
            return self._end.faults[0].seat
        return None if here.step is None else here.step.seat

    def of_deal(self, number: int) -> Iterator[Frame]:
        """The frames of a deal, in order."""
        for position in self.row:
            if position.deal.number == number:
                yield self.frame(position.at)

    def requests_of(self, seat: int) -> list[int]:
        """The numbers of the requests that went to a seat, in order."""
        return [p.request for p in self.row if p.request is not None and self._who(p) == seat]

    def openings(self) -> list[Position]:
        """The positions in which a deal has just been dealt."""
        return [position for position in self.row if position.opens]

    def headline(self, opening: Position) -> SafeString:
        """Who scored how much in the deal that opens here."""
        result = opening.deal.result
        if result is None:
            return escape(gettext("cut short"))
        if result.winner is None:
            return escape(gettext("nobody scores"))
        return format_html("{} +{}", self.players[result.winner], result.points)

    def _zones(self, here: Position) -> dict[str, tuple[Laid, ...]]:
        state = here.state
        zones = {f"hand{seat}": self._hand(here, seat) for seat in (0, 1)}
        zones["talon"] = tuple(
            Laid(card, covered=card is not state.face_up) for card in state.talon_cards
        )
        for seat in (0, 1):
            zones[f"played{seat}"] = tuple(_played(here, seat))
        return zones

    def _hand(self, here: Position, seat: int) -> tuple[Laid, ...]:
        known = view_for(here.state, 1 - seat, here.score).opponent_known
        marks = self._marks(here, seat)
        return tuple(
            Laid(card, marks.get(card, ""), covered=card not in known)
            for card in here.state.hands[seat]
        )

    def _marks(self, here: Position, seat: int) -> dict[Card, str]:
        step = here.step
        if step is None:
            return {}
        before = self.row[here.at - 1].state.hands[seat]
        marks = {card: NEW for card in here.state.hands[seat] if card not in before}
        if step.seat == seat and step.move.kind is MoveKind.MELD:
            suit = step.move.suit
            pair = [c for c in before if c.suit is suit and str(c)[0] in "QK"]
            marks |= dict.fromkeys(pair, MELDED)
        return marks

    def _texts(self, here: Position) -> dict[str, str]:
        state, step = here.state, here.step
        texts: dict[str, str] = {
            "words": self._words(here),
            "after": self._after(here),
            "took": "" if step is None else words.time_taken(step.cpu_ms, step.wall_ms),
            "deal": gettext("Deal %(number)s") % {"number": here.deal.number},
            "trick": gettext("Trick %(number)s") % {"number": here.trick} if here.trick else "",
            "trump": suit_sign(state.trump),
            "talon": words.talon_state(state, self.players),
        }
        for seat in (0, 1):
            texts |= {
                f"score{seat}": str(here.score[seat]),
                f"points{seat}": str(state.points[seat]),
                f"tricks{seat}": str(state.trick_counts[seat]),
                f"melds{seat}": words.meld_signs(state.melds[seat]),
                f"bank{seat}": words.seconds(here.clocks[seat].bank_ms),
                f"role{seat}": gettext("dealer") if here.deal.dealer == seat else "",
            }
        return texts

    def _words(self, here: Position) -> SafeString:
        step, state = here.step, here.state
        if here.fault:
            return self._fault_names()
        if step is None:
            assert state.face_up is not None  # a deal that begins has its turned card
            return words.dealt_sentence(self.players[here.deal.dealer], state.trump, state.face_up)
        exchanged = state.exchanged
        return move_sentence(
            self.players[step.seat],
            step.move,
            leads=self._leads(here, step),
            value=_meld_value(step),
            taken=None if exchanged is None else exchanged[1],
        )

    def _leads(self, here: Position, step: Step) -> bool:
        return self.row[here.at - 1].state.led is None

    def _after(self, here: Position) -> SafeString:
        if here.fault:
            return self._faults(here)
        result, step = here.state.result, here.step
        parts: list[SafeString] = []
        if step is not None and step.taken is not None:
            parts.append(words.trick_sentence(self.players[step.taken], here.state.points))
        if result is not None:
            sentence, clause = result_sentence(
                result.reason, self.players, result.winner, result.points
            )
            totals = words.ratio(result.totals)
            parts.append(format_html("{} {} ({}).", sentence, totals, clause_link(clause)))
            parts.append(self._match_end(here))
        return format_html_join(" ", "{}", ((part,) for part in parts if part))

    def _match_end(self, here: Position) -> SafeString:
        winner = self._end.winner
        if here.at != len(self.row) - 1 or winner is None:
            return SafeString()
        return words.match_sentence(self.players[winner], self._end.score)

    def _fault_names(self) -> SafeString:
        told = [(self.players[each.seat], fault_name(each.name)) for each in self._end.faults]
        return format_html_join("; ", "{}: {}", told)

    def _faults(self, here: Position) -> SafeString:
        """What the bots did wrong, in full, with the clauses."""
        parts: list[SafeString] = []
        for each in self._end.faults:
            fault = to_builtins(each)
            clause = fault_clause(fault)
            forbids = format_html(" ({})", clause_link(clause)) if clause else ""
            parts.append(format_html("{}{}", fault_sentence(fault), forbids))
        loses = gettext("A fault loses the match at once")
        parts.append(format_html("{} ({}).", loses, clause_link("R14.2")))
        parts.append(self._match_end(here))
        return format_html_join(" ", "{}", ((part,) for part in parts if part))


def _played(here: Position, seat: int) -> Iterator[Laid]:
    """The seat's card of the trick on the table, or of the one that has just been taken."""
    led, step = here.state.led, here.step
    if led is not None and here.state.turn != seat:
        yield Laid(led)
    elif led is None and step is not None and step.taken is not None:
        trick = here.taken[-1]
        card = trick.reply if step.seat == seat else trick.lead
        yield Laid(card, TAKES if trick.seat == seat else "")


def _won(here: Position, seat: int) -> tuple[Taken, ...]:
    return tuple(trick for trick in here.taken if trick.seat == seat)


def _meld_value(step: Step) -> int:
    """20 or 40 where the step is a meld."""
    melds = step.after.melds[step.seat]
    return melds[-1][1] if melds else 0
