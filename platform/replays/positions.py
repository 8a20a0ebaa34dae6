"""A match as the row of positions that one can step through, computed by the rules.

Position 0 is the first deal just dealt; each action leads to the next, and so does each new deal.
A match that a fault ended has one more: the table as it stood when the fault was judged.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.protocol import Limits
from arena.referee.clock import Allowance
from arena.santase import Card, DealState
from replays.reader import DealSteps, Replay, Step, replay_steps

_NS = 1_000_000


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick that a seat has won; `number` counts from 1 in its deal, `at` is where it was won."""

    number: int
    seat: int
    lead: Card
    reply: Card
    at: int


@dataclass(frozen=True, slots=True)
class Clock:
    """What a seat has left of its time for the match, in ms.

    `bank_ms` is the least that is left of its bank: what others had of the core while the bot
    waited was not charged, but a replay does not say how much that was.
    """

    bank_ms: float


@dataclass(frozen=True, slots=True)
class Position:
    """What was on the table, and how it came about.

    `at` is its number in the match. `step` is the action that led here; None where the cards have
    just been dealt, and where `fault` says that a fault has ended the match. `request` is the
    number of the request that the action (or the fault) answered. `trick` is the number of the
    trick that the action belongs to, 0 for the deal itself. `taken` are the tricks of the deal.
    """

    at: int
    deal: DealSteps
    step: Step | None
    state: DealState
    score: tuple[int, int]
    clocks: tuple[Clock, Clock]
    request: int | None
    trick: int
    taken: tuple[Taken, ...]
    fault: bool = False

    @property
    def opens(self) -> bool:
        """Whether the deal has just been dealt."""
        return self.step is None and not self.fault

    @property
    def ends_deal(self) -> bool:
        """Whether nothing more happens in this deal."""
        return self.fault or self.state.result is not None

    @property
    def is_stop(self) -> bool:
        """Whether a jump from trick to trick halts here."""
        return self.opens or self.ends_deal or bool(self.step and self.step.taken is not None)


def positions(replay: Replay) -> tuple[Position, ...]:
    """Every position of the match in order. Raises `ReplayDamaged`.

    None at all where a bot failed before the first deal.
    """
    return tuple(_positions(replay))


def _positions(replay: Replay) -> Iterator[Position]:
    watch = _Stopwatch(replay.header.limits)
    at, request, score = 0, 0, (0, 0)
    last: Position | None = None
    for deal in replay_steps(replay):
        taken: tuple[Taken, ...] = ()
        state = deal.start
        last = Position(at, deal, None, state, score, watch.clocks, None, 0, ())
        yield last
        for step in deal.steps:
            at, request, trick = at + 1, request + 1, len(taken) + 1
            watch.charge(step)
            lead, state = state.led, step.after
            if step.taken is not None and lead is not None and step.move.card is not None:
                taken += (Taken(trick, step.taken, lead, step.move.card, at),)
            if state.result is not None:
                score = deal.score
            last = Position(at, deal, step, state, score, watch.clocks, request, trick, taken)
            yield last
        at += 1
    if last is not None and replay.end.faults:
        yield Position(
            at, last.deal, None, last.state, score, watch.clocks, request + 1,
            len(last.taken) + 1, last.taken, fault=True,
        )  # fmt: skip


class _Stopwatch:
    """Both clocks, charged as the referee charges them (PROTOCOL §4) where no core is shared."""

    def __init__(self, limits: Limits) -> None:
        self._allowances = tuple(
            Allowance(limits.move_ms * _NS, limits.bank_ms * _NS, limits.wall_factor)
            for _ in range(2)
        )

    def charge(self, step: Step) -> None:
        """Takes an action's time from its seat; no more than there is."""
        allowance = self._allowances[step.seat]
        cost_ns = allowance.charge_ns(int(step.cpu_ms * _NS), int(step.wall_ms * _NS), 0)
        allowance.pay(min(cost_ns, allowance.limit_ns))

    @property
    def clocks(self) -> tuple[Clock, Clock]:
        """How they stand."""
        first, second = (Clock(allowance.bank_ns / _NS) for allowance in self._allowances)
        return first, second
