"""The messages of the protocol as msgspec structs, and `Limits`: the one place where limits live.

Cards and actions are strings here, as on the wire; lists indexed by seat have two items.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from arena.santase import PACK, DealResult, Suit, View

PROTOCOL_VERSION = 1

_TEXT = tuple(str(card) for card in PACK)
"""Each card as the wire has it; a look-up, because a request names many."""

_SUIT_TEXT = tuple(str(suit) for suit in Suit)

_Positive = Annotated[int, Meta(ge=1)]
_NotNegative = Annotated[int, Meta(ge=0)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot may use, sent in `hello` and printed by the docs from here.

    `start_ms` CPU time until `ready`; `move_ms` free CPU time a request; `bank_ms` CPU time beyond
    that for the whole match; wall time counts divided by `wall_factor`; `memory_mb` address space;
    `threads`; `reply_bytes` of one line with its newline; `stderr_kb` kept of stderr;
    `stderr_total_kb` written to stderr before fault `output`.
    """

    start_ms: _Positive = 10_000
    move_ms: _Positive = 100
    bank_ms: _NotNegative = 10_000
    wall_factor: _Positive = 3
    memory_mb: Annotated[int, Meta(ge=64)] = 256
    threads: _Positive = 16
    reply_bytes: Annotated[int, Meta(ge=64)] = 4_096
    stderr_kb: _Positive = 64
    stderr_total_kb: _Positive = 65_536


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Runtime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The interpreter the bot runs on, e.g. `{"python": "3.11.7"}`."""

    python: str


class Hello(_Message, frozen=True, tag="hello"):
    """First message of a match; answered by `Ready`. `seed` is for the bot's own generator."""

    protocol: int
    game: str
    match: str
    seat: int
    target: int
    ruleset: dict[str, Any]
    limits: Limits
    runtime: Runtime
    seed: int


class Deal(_Message, frozen=True, tag="deal"):
    """A deal begins: one's own hand, trumps, the face-up card, the score. No answer."""

    deal: int
    dealer: int
    hand: list[str]
    trump: str
    face_up: str
    score: tuple[int, int]


class ViewMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the seat may know now (R13), enough to decide without memory."""

    hand: list[str]
    opponent_hand: int
    opponent_known: list[str]
    trump: str
    face_up: str | None
    talon: int
    closed_by: int | None
    exchanged: tuple[int, str] | None
    led: str | None
    points: tuple[int, int]
    tricks: tuple[list[tuple[str, str]], list[tuple[str, str]]]
    melds: tuple[list[tuple[str, int]], list[tuple[str, int]]]
    dealer: int
    score: tuple[int, int]


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """CPU time for this request: `move_ms` free, then out of `bank_ms`, what is left of it."""

    move_ms: int
    bank_ms: int


class Request(_Message, frozen=True, tag="request"):
    """A decision is due: exactly one `Reply` with the same id."""

    id: int
    deal: int
    view: ViewMessage
    events: list[tuple[int, str]]
    legal: list[str]
    clock: Clock


class ResultMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a deal ended (R9–R11); pairs are indexed by seat."""

    winner: int | None
    points: int
    reason: str
    totals: tuple[int, int]
    tricks: tuple[int, int]
    bonus_to: int | None


class DealEnd(_Message, frozen=True, tag="deal_end"):
    """A deal has ended: result, score, the events since the last request, all hidden cards."""

    deal: int
    result: ResultMessage
    score: tuple[int, int]
    events: list[tuple[int, str]]
    hands: tuple[list[str], list[str]]
    talon: list[str]


class MatchEnd(_Message, frozen=True, tag="match_end"):
    """The match is over; end of file follows. `reason` is `target` or the fault's name."""

    winner: int | None
    score: tuple[int, int]
    reason: str


class Ready(_Message, frozen=True, tag="ready"):
    """The bot's answer to `Hello`. `name` and `version` are labels only, never identity."""

    name: str | None = None
    version: str | None = None


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bot's answer to `Request`; `note` (at most 512 bytes) is for the bot's owner alone."""

    id: int
    action: str
    note: str | None = None


def view_message(view: View) -> ViewMessage:
    """`view` with its cards and suits as the wire's strings."""
    face_up, exchanged, led = view.face_up, view.exchanged, view.led
    (first, second), melds = view.tricks, view.melds
    return ViewMessage(
        hand=[_TEXT[card] for card in view.hand],
        opponent_hand=view.opponent_hand,
        opponent_known=[_TEXT[card] for card in view.opponent_known],
        trump=_SUIT_TEXT[view.trump],
        face_up=None if face_up is None else _TEXT[face_up],
        talon=view.talon,
        closed_by=view.closed_by,
        exchanged=None if exchanged is None else (exchanged[0], _TEXT[exchanged[1]]),
        led=None if led is None else _TEXT[led],
        points=view.points,
        tricks=(
            [(_TEXT[lead], _TEXT[reply]) for lead, reply in first],
            [(_TEXT[lead], _TEXT[reply]) for lead, reply in second],
        ),
        melds=(_melds(melds[0]), _melds(melds[1])),
        dealer=view.dealer,
        score=view.score,
    )


def _melds(melds: tuple[tuple[Suit, int], ...]) -> list[tuple[str, int]]:
    return [(_SUIT_TEXT[suit], points) for suit, points in melds]


def result_message(result: DealResult) -> ResultMessage:
    """`result` as the wire and the replay hold it."""
    return ResultMessage(
        winner=result.winner,
        points=result.points,
        reason=str(result.reason),
        totals=result.totals,
        tricks=result.tricks,
        bonus_to=result.bonus_to,
    )
