"""A replay as the match page shows it: deals, tricks, sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from arena.santase import Card, DealState, MoveKind, Reason, Suit
from matches.models import Match
from replays.reader import DealSteps, Step
from web.words import move_sentence, result_sentence

Players = tuple[SafeString, SafeString]


@dataclass(frozen=True, slots=True)
class HandView:
    """What a player holds, and whether he deals."""

    player: SafeString
    cards: tuple[Card, ...]
    deals: bool = False


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card on the table; `mark` is "takes" on the one that takes the trick."""

    card: Card
    mark: str


@dataclass(frozen=True, slots=True)
class TrickView:
    """A trick with what was done before it was led, or what ended the deal instead of one."""

    number: int
    sentences: tuple[SafeString, ...]
    cards: tuple[PlayedCard, ...]
    outcome: str
    hands: tuple[HandView, ...]
    """Both hands before it."""


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal from its first card to its score."""

    number: int
    trump: Suit
    face_up: Card
    hands: tuple[HandView, ...]
    tricks: tuple[TrickView, ...]
    headline: SafeString | str
    outcome: SafeString | str
    clause: str
    score: tuple[int, int]


def player_names(match: Match) -> Players:
    """The names of a match's two players, with their versions where one bot plays itself."""
    same = match.seat0.bot_id == match.seat1.bot_id
    names = [
        format_html("<bdi>{}{}</bdi>", each.bot.name, f" v{each.number}" if same else "")
        for each in (match.seat0, match.seat1)
    ]
    return names[0], names[1]


def deal_views(deals: Sequence[DealSteps], match: Match) -> list[DealView]:
    """Every deal of a match, in the reader's language."""
    players = player_names(match)
    return [_deal(deal, players) for deal in deals]


def _deal(deal: DealSteps, players: Players) -> DealView:
    face_up = deal.start.face_up
    assert face_up is not None  # a deal that begins has its turned card
    headline, outcome, clause = _end(deal, players)
    return DealView(
        number=deal.number,
        trump=deal.start.trump,
        face_up=face_up,
        hands=tuple(
            HandView(players[seat], cards, deals=seat == deal.dealer)
            for seat, cards in enumerate(deal.start.hands)
        ),
        tricks=tuple(_tricks(deal, players)),
        headline=headline,
        outcome=outcome,
        clause=clause,
        score=deal.score,
    )


def _end(deal: DealSteps, players: Players) -> tuple[SafeString | str, SafeString | str, str]:
    """A deal's end in a few words, in a sentence, and the clause behind it."""
    result = deal.result
    if result is None:
        return gettext("cut short"), gettext("A fault cut this deal short."), "R14.2"
    sentence, clause = result_sentence(Reason(result.reason), players, result.winner, result.points)
    totals = gettext("Deal points %(first)s : %(second)s.") % {
        "first": result.totals[0],
        "second": result.totals[1],
    }
    headline: SafeString | str = gettext("nobody scores")
    if result.winner is not None:
        headline = format_html("{} +{}", players[result.winner], result.points)
    return headline, format_html("{} {}", sentence, totals), clause


def _tricks(deal: DealSteps, players: Players) -> Iterator[TrickView]:
    before, group = deal.start, list[Step]()
    number = 1
    for step in deal.steps:
        group.append(step)
        if step.taken is not None:
            yield _trick(number, group, before, players)
            before, group, number = step.after, [], number + 1
    if group:
        yield _trick(number, group, before, players)


def _trick(number: int, steps: list[Step], before: DealState, players: Players) -> TrickView:
    last = steps[-1]
    plays = [step for step in steps if step.move.card is not None]
    return TrickView(
        number=number,
        sentences=tuple(_sentences(steps, players)),
        cards=tuple(
            PlayedCard(step.move.card, "takes" if step.seat == last.taken else "")
            for step in plays
            if step.move.card is not None
        ),
        outcome=_outcome(last, players),
        hands=tuple(HandView(players[seat], cards) for seat, cards in enumerate(before.hands)),
    )


def _sentences(steps: list[Step], players: Players) -> Iterator[SafeString]:
    leads = True
    for step in steps:
        exchanged = step.after.exchanged
        yield move_sentence(
            players[step.seat],
            step.move,
            leads=leads,
            value=_meld_value(step),
            taken=None if exchanged is None else exchanged[1],
        )
        leads = leads and step.move.kind is not MoveKind.PLAY


def _meld_value(step: Step) -> int:
    """20 or 40 where the step is a meld."""
    melds = step.after.melds[step.seat]
    return melds[-1][1] if melds else 0


def _outcome(last: Step, players: Players) -> SafeString | str:
    """Who took the trick, the points and the talon after it; nothing where none was taken."""
    if last.taken is None:
        return ""
    return format_html(
        gettext("{player} takes the trick. Points {points}, talon {talon}."),
        player=players[last.taken],
        points=format_html("<b>{}&#8202;:&#8202;{}</b>", *last.after.points),
        talon=last.after.talon,
    )
