"""What a stored replay says, as values: its lines, and every position that was on the table."""

from dataclasses import dataclass

import msgspec

from arena.protocol.messages import ResultMessage
from arena.referee.replay_lines import DealLine, EndLine, Header, SealLine
from arena.santase import (
    DealState,
    Move,
    SantaseError,
    apply,
    parse_card,
    parse_move,
    ruleset_from_dict,
    start_deal,
)
from replays import store
from replays.errors import ReplayDamaged


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay's lines, decoded."""

    header: Header
    deals: tuple[DealLine, ...]
    end: EndLine
    seal: SealLine


@dataclass(frozen=True, slots=True)
class Step:
    """One action and the position after it.

    `taken` is the seat that took the trick which the action completed. Times in ms.
    """

    seat: int
    move: Move
    cpu_ms: float
    wall_ms: float
    after: DealState
    taken: int | None


@dataclass(frozen=True, slots=True)
class DealSteps:
    """A deal: its beginning, every action, its end. `result` is None where a fault cut it short."""

    number: int
    dealer: int
    start: DealState
    steps: tuple[Step, ...]
    result: ResultMessage | None
    score: tuple[int, int]


def read_replay(name: str) -> Replay:
    """The replay of this name in the store. Raises `ReplayMissing` or `ReplayDamaged`."""
    return parse_replay(name, store.load(name))


def parse_replay(name: str, data: bytes) -> Replay:
    """The lines of a replay; `name` is for the message of `ReplayDamaged`."""
    lines = data.splitlines()
    if len(lines) < 3:
        raise ReplayDamaged(f"{name} has {len(lines)} lines: too few for a replay")
    try:
        return Replay(
            header=msgspec.json.decode(lines[0], type=Header),
            deals=tuple(msgspec.json.decode(line, type=DealLine) for line in lines[1:-2]),
            end=msgspec.json.decode(lines[-2], type=EndLine),
            seal=msgspec.json.decode(lines[-1], type=SealLine),
        )
    except msgspec.MsgspecError as error:
        raise ReplayDamaged(f"{name} is damaged: {error}") from error


def replay_steps(replay: Replay) -> tuple[DealSteps, ...]:
    """Every deal with every position, computed by the rules. Raises `ReplayDamaged`."""
    try:
        return tuple(_deal_steps(replay.header, line) for line in replay.deals)
    except SantaseError as error:
        raise ReplayDamaged(f"the replay of {replay.header.match} breaks the rules: {error}") from (
            error
        )


def _deal_steps(header: Header, line: DealLine) -> DealSteps:
    rules = ruleset_from_dict(header.ruleset)
    start = start_deal([parse_card(card) for card in line.deck], line.dealer, rules)
    steps: list[Step] = []
    state = start
    for seat, text, cpu_ms, wall_ms in line.actions:
        before, move = state, parse_move(text)
        state = apply(state, move)
        steps.append(Step(seat, move, cpu_ms, wall_ms, state, _taken(before, state)))
    return DealSteps(line.deal, line.dealer, start, tuple(steps), line.result, line.score)


def _taken(before: DealState, after: DealState) -> int | None:
    for seat in (0, 1):
        if after.trick_counts[seat] > before.trick_counts[seat]:
            return seat
    return None
