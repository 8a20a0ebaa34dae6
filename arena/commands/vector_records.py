"""The records that `santase rules check` reads: one JSON object a line.

A `deal` shows every decision, a `match` its deals by their actions, and a record without `kind` an
action that must be refused after a prefix of actions. `rules` are the options that differ from the
default; keys not named here are free.
"""

from typing import Literal

import msgspec

Seat = Literal[0, 1]
Action = tuple[Seat, str]
Rules = dict[str, bool | int | str]


class ResultRecord(msgspec.Struct, frozen=True):
    """The end of a deal, as in `deal_end`."""

    winner: Seat | None
    points: int
    reason: str
    totals: tuple[int, int]
    tricks: tuple[int, int]
    bonus_to: Seat | None


class StepRecord(msgspec.Struct, frozen=True):
    """A decision: who is on turn, his legal moves, points and talon before it, and what he does."""

    player: Seat
    legal: list[str]
    action: str
    points: tuple[int, int]
    talon: int


class DealRecord(msgspec.Struct, frozen=True):
    """A deal with every decision."""

    name: str
    deck: list[str]
    dealer: Seat
    steps: list[StepRecord]
    result: ResultRecord
    rules: Rules = {}
    first_leader: Seat | None = None
    trump: str | None = None


class MatchDealRecord(msgspec.Struct, frozen=True):
    """A deal of a match, by its actions."""

    deck: list[str]
    dealer: Seat
    actions: list[Action]
    result: ResultRecord
    first_leader: Seat | None = None
    score_after: tuple[int, int] | None = None


class MatchResultRecord(msgspec.Struct, frozen=True):
    """Who won a match, and the score."""

    winner: Seat | None
    score: tuple[int, int]


class MatchRecord(msgspec.Struct, frozen=True):
    """A match: all its deals."""

    name: str
    first_dealer: Seat
    deals: list[MatchDealRecord]
    result: MatchResultRecord
    rules: Rules = {}


class RefusalRecord(msgspec.Struct, frozen=True):
    """An action that must be refused; `clause` is a hint why."""

    name: str
    deck: list[str]
    first_leader: Seat
    prefix: list[Action]
    player: Seat
    action: str
    clause: str | None = None
    rules: Rules = {}


Record = DealRecord | MatchRecord | RefusalRecord


class BadRecord(ValueError):
    """A line that is no record; the text says what is wrong with it."""


class _Kind(msgspec.Struct, frozen=True):
    kind: Literal["deal", "match"] | None = None


def read_record(line: bytes) -> Record:
    """The record of a line. Raises BadRecord."""
    try:
        match msgspec.json.decode(line, type=_Kind).kind:
            case "deal":
                return msgspec.json.decode(line, type=DealRecord)
            case "match":
                return msgspec.json.decode(line, type=MatchRecord)
            case None:
                return msgspec.json.decode(line, type=RefusalRecord)
    except msgspec.ValidationError as error:
        raise BadRecord(f"not a record: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"not JSON in UTF-8: {error}") from error
