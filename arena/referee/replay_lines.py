"""The lines of a replay, format version 1, as msgspec structs (PROTOCOL §7)."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from arena.protocol import Limits
from arena.protocol.messages import ResultMessage
from arena.referee.verdict import Fault

REPLAY_VERSION: Final = 1

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64)]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", min_length=128, max_length=128)]
Score = tuple[int, int]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class BotLine(_Line, frozen=True):
    """Who sat at a seat: the version's id, name and number (null locally), its file's hash."""

    id: int | None
    name: str
    version: int | None
    sha256: Hex32
    seed: int


class SandboxLine(_Line, frozen=True):
    """What the bots ran in."""

    kind: str
    image: str


class Header(_Line, frozen=True):
    """First line: everything needed to run the match again."""

    replay: Literal[1]
    game: Literal["santase"]
    match: str
    tournament: int | None
    pair: Annotated[int, Meta(ge=0)]
    game_of_pair: Annotated[int, Meta(ge=0, le=1)]
    played_at: str
    platform: str
    ruleset: dict[str, Any]
    limits: Limits
    seed: Hex32
    commitment: Hex32 | None
    first_dealer: Annotated[int, Meta(ge=0, le=1)]
    bots: tuple[BotLine, BotLine]
    sandbox: SandboxLine


class DealLine(_Line, frozen=True):
    """One deal: its deck and every legal action `[seat, action, cpu_ms, wall_ms]` in order.

    A deal cut short by a fault has no result.
    """

    deal: Annotated[int, Meta(ge=1)]
    dealer: Annotated[int, Meta(ge=0, le=1)]
    deck: list[str]
    actions: list[tuple[int, str, float, float]]
    result: ResultMessage | None
    score: Score


class EndLine(_Line, frozen=True):
    """How the match ended: winner, score, `target` or the fault's name, and the faults."""

    end: Literal[True]
    winner: int | None
    score: Score
    reason: str
    faults: list[Fault]


class SealLine(_Line, frozen=True):
    """The hash of all bytes before this line and its Ed25519 signature, all in hex."""

    seal: Literal[True]
    sha256: Hex32
    signature: Hex64
    key: Hex32


def replay_schema() -> dict[str, Any]:
    """JSON Schema of the lines: first, deals, end, seal."""
    kinds = (Header, DealLine, EndLine, SealLine)
    lines, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Santase replay, version 1: one of these a line",
        "anyOf": list(lines),
        "$defs": definitions,
    }
