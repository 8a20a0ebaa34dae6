"""The luck of the cards in a match, in the chance to win it: what a score can be rid of.

Two kinds of chance are looked at, each of which favours neither seat whatever the bots do.
The packets: either seat was as likely to get the other's. The draws: of two cards drawn after a
trick either player was as likely to get the other's, because nobody has seen the talon. So the
difference that a chance made, less what it would have made the other way round, is 0 in the mean,
and so is every sum of such differences weighed by what was known before: a control variate.
(The last draw is left out: the card that the loser of the trick gets lies face up.)

What a card is worth in a hand comes from a regression of deals between house bots, done
once (`arena.commands.fit_luck`); what a game point is worth, from the score at which it is won.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import fsum
from operator import mul
from typing import Final

from arena.santase import DealState, Position, play
from arena.santase.cards import PACK, Suit
from arena.santase.masks import BIT, SUIT_CARDS
from arena.santase.position import (
    BEFORE,
    FACE_DOWN,
    FRAME,
    HAND,
    LED,
    OTHER,
    RESULT,
    STAGE,
    TURN,
    TURNED,
    by_seat,
)
from arena.santase.tables import STRICT

FEATURES: Final = (
    "trumps",
    "card points of trumps",
    "nine of trumps",
    "king and queen of trumps",
    "plain aces",
    "plain tens",
    "plain suits with king and queen",
    "plain suits with king or queen",
)
"""What is counted in a hand, in this order."""

Vector = tuple[float, ...]
"""A number for each of `FEATURES`."""

Score = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Weights:
    """What the regression found: game points for each feature, and how deals end."""

    dealt: Vector
    """Game points that one more in the hand dealt brings."""
    drawn: Vector
    """Game points that one more by a card drawn brings."""
    values: tuple[float, float, float]
    """The parts of deals that are won with 1, 2 and 3 game points."""


@cache
def weights() -> Weights:
    """Those kept in the package, beside this file."""
    kept = json.loads((files("arena.rating") / "luck.json").read_text(encoding="utf-8"))
    one, two, three = kept["values"]
    deals = one + two + three
    return Weights(
        tuple(kept["dealt"]), tuple(kept["drawn"]), (one / deals, two / deals, three / deals)
    )


def chances(deal: DealState) -> tuple[Vector, Vector]:
    """What the packets and what the draws of a deal brought seat 0 above seat 1, by `FEATURES`.

    `deal` is its end, or the state in which a fault cut it short.
    """
    position = deal.position
    trump = deal.trump
    drawn = [0.0] * len(FEATURES)
    while (before := position[BEFORE]) is not None:
        if before[LED] >= 0 > position[LED] and before[STAGE] < STRICT and position[RESULT] is None:
            _add_draw(drawn, position, before[STAGE], trump)
        position = before
    one, other = by_seat(position[TURN], position[HAND], position[OTHER])
    dealt = [a - b for a, b in zip(_counts(one, trump), _counts(other, trump), strict=True)]
    return tuple(dealt), tuple(drawn)


def match_luck(deals: Iterable[tuple[Score, DealState]]) -> float:
    """By how much the cards raised seat 0's chance to win the match, as between equals.

    Each deal comes with the score before it. The same deals give the same number to the last bit,
    on any machine (`fsum`: from Python 3.12 on `sum` adds otherwise than before). Luck that is kept
    depends on the weights and features here: `matches.models.Match.luck` says what to do when they
    change.
    """
    found = weights()
    parts = []
    for score, deal in deals:
        dealt, drawn = chances(deal)
        points = fsum(map(mul, found.dealt, dealt)) + fsum(map(mul, found.drawn, drawn))
        parts.append(points * _worth(score, deal.rules.match_target))
    return fsum(parts)


_ACES, _KINGS, _QUEENS, _TENS = (
    play(next(card for card in PACK if str(card) == f"{rank}C")).code for rank in "AKQT"
)
"""Where the four cards of a rank begin in a hand, a suit each."""

_TRUMP_POINTS: Final = tuple(
    tuple((play(card).bit, card.points) for card in PACK if card.suit == suit) for suit in Suit
)


def _counts(hand: int, trump: Suit) -> Vector:
    """The `FEATURES` of a hand."""
    plain = 0xF ^ 1 << trump
    kings, queens = hand >> _KINGS, hand >> _QUEENS
    held = hand & SUIT_CARDS[trump]
    return (
        held.bit_count(),
        sum(points for bit, points in _TRUMP_POINTS[trump] if held & bit),
        hand >> trump & 1,
        kings >> trump & queens >> trump & 1,
        (hand >> _ACES & plain).bit_count(),
        (hand >> _TENS & plain).bit_count(),
        (kings & queens & plain).bit_count(),
        ((kings | queens) & plain).bit_count(),
    )


def _add_draw(drawn: list[float], position: Position, stage: int, trump: Suit) -> None:
    """Adds what the draw before this position brought seat 0, in place.

    It is half the difference between the hands as they are and with the cards exchanged, because
    a card can be worth more in the one hand than in the other (the queen to a king).
    """
    place = FACE_DOWN + 2 * stage
    if place + 1 == TURNED:
        return
    order = position[FRAME].order
    exchanged = BIT[order[place]] | BIT[order[place + 1]]
    one, other = by_seat(position[TURN], position[HAND], position[OTHER])
    hands = (one, other ^ exchanged, one ^ exchanged, other)
    with_it, others_without, without, others_with = (_counts(hand, trump) for hand in hands)
    for feature in range(len(FEATURES)):
        drawn[feature] += (
            with_it[feature] + others_without[feature] - without[feature] - others_with[feature]
        ) / 2


@cache
def _worth(score: Score, target: int) -> float:
    """What a game point is worth to seat 0 at this score, in the chance to win the match."""
    mine, others = score
    values = weights().values
    swing = fsum(
        part * (_chance(mine + points, others, target) - _chance(mine, others + points, target))
        for points, part in enumerate(values, start=1)
    )
    return swing / (2 * fsum(points * part for points, part in enumerate(values, start=1)))


@cache
def _chance(mine: int, others: int, target: int) -> float:
    """Of winning a match from this score, between equals."""
    if mine >= target or others >= target:
        return float(mine >= target)
    return fsum(
        part / 2 * (_chance(mine + points, others, target) + _chance(mine, others + points, target))
        for points, part in enumerate(weights().values, start=1)
    )
