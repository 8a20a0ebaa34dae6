"""One wait for replies: when it began, what was sent when, what it costs (PROTOCOL §4)."""

import time
from itertools import repeat

from arena.referee.clock import (
    Allowance,
    backstop_ns,
    held_up_ns,
    host_is_suspect,
    stall_of,
)
from arena.referee.errors import HostFault
from arena.referee.seats import Seat, Table
from arena.referee.verdict import Failure, FaultName
from arena.referee.waiting import Waiting
from arena.sandbox.channel import Incoming, Line

_FIRST_LAP_NS = 5_000_000
"""Shorter waits are not worth reading the core's account: nothing can be cut off so early."""

_LAP_NS = 100_000_000
"""Laps are no shorter: the account moves in steps of 10 ms."""


class Turn:
    """A request (or the two `hello`) on its way; times in nanoseconds.

    `limit_ns` is the CPU that the reply may cost, `cutoff_ns` the wall time less stall after which
    the wait ends.
    """

    def __init__(
        self, table: Table, seats: tuple[Seat, ...], limit_ns: int, cutoff_ns: int
    ) -> None:
        self._table = table
        self._seats = self._waiting = seats
        self._limit_ns = limit_ns
        self._cutoff_ns = cutoff_ns
        self._began_ns = time.monotonic_ns()
        self._sent_ns = [self._began_ns, self._began_ns]
        self._lap_began_ns: int | None = None
        self._waits: dict[int, Waiting] = {}
        self._others_ns = 0
        self._referee_waited_ns = 0
        self._waited_ns = [0, 0]
        self._in_one_piece_ns = [0, 0]

    def send(self, *lines: bytes) -> None:
        """Sends one line to each of the seats asked."""
        send = self._table.channel.send
        for seat, line in zip(self._seats, lines, strict=True):
            send(seat.number, line)
            self._sent_ns[seat.number] = time.monotonic_ns()

    def receive(self, waiting: tuple[Seat, ...]) -> tuple[int, Incoming]:
        """What comes next from one of `waiting`. Raises `HostFault` where the host stood still."""
        self._waiting = waiting
        channel = self._table.channel
        numbers = tuple([seat.number for seat in waiting])
        result = channel.receive(numbers, self._time_left_ns, self._note_sent)
        if channel.gap_ns:
            self._suspect_the_host(channel.gap_ns)
        return result

    def is_over(self, seat: Seat) -> bool:
        """Whether this seat's own time has run out."""
        wall_ns = time.monotonic_ns() - self._began_ns
        cpu_ns = seat.cpu_since_reply_ns()
        return (
            wall_ns - self._stall_ns(seat, wall_ns, cpu_ns) >= self._cutoff_ns
            or cpu_ns > self._limit_ns
        )

    def bill(self, seat: Seat, line: Line, allowance: Allowance) -> tuple[int, int] | Failure:
        """Charges a reply that has just come: its CPU and wall time, or fault `time`."""
        if self._lap_began_ns is not None:
            self._end_lap(line.read_ns)
            waited_ns = self._table.account.referee_waited_ns() - self._referee_waited_ns
            self._in_one_piece_ns[seat.number] += waited_ns  # the line had come already
        wall_ns = line.read_ns - self._sent_ns[seat.number]
        cpu_now = seat.box.cpu_ns()
        if cpu_now is None:  # the process ended after its reply: its final CPU counts
            cpu_now = self._table.leave(seat, "ended by itself").cpu_ns
        cpu_ns = None if cpu_now is None else cpu_now - seat.cpu_mark_ns
        if cpu_now is not None:
            seat.cpu_mark_ns = seat.cpu_seen_ns = cpu_now
        seat.replied_ns = line.read_ns
        charge_ns = allowance.charge_ns(cpu_ns, wall_ns, self._stall_ns(seat, wall_ns, cpu_ns or 0))
        limit_ns = allowance.limit_ns
        if not allowance.pay(charge_ns):
            return _time_failure(limit_ns, charge_ns)
        return cpu_ns or 0, wall_ns

    def too_late(self, seat: Seat) -> Failure:
        """Fault `time` of a seat that gave no line."""
        wall_ns = time.monotonic_ns() - self._began_ns
        cpu_ns = seat.cpu_since_reply_ns()
        wall_ns -= self._stall_ns(seat, wall_ns, cpu_ns)
        used_ns = max(cpu_ns, wall_ns // self._table.limits.wall_factor, self._limit_ns + 1)
        return _time_failure(self._limit_ns, used_ns)

    def _time_left_ns(self, now_ns: int) -> int:
        wall_ns = now_ns - self._began_ns
        if wall_ns < _FIRST_LAP_NS:
            return self._cutoff_ns - wall_ns
        self._keep_others_quiet()
        if self._lap_began_ns is None:
            self._lap_began_ns = now_ns
            self._table.account.start_lap()
            self._waits = {seat.number: Waiting(seat.box.pid, now_ns) for seat in self._waiting}
        elif now_ns - self._lap_began_ns >= _LAP_NS:
            self._end_lap(now_ns)
            self._table.on_progress()
        cpu_ns = [seat.cpu_since_reply_ns() for seat in self._waiting]
        if max(cpu_ns) > self._limit_ns:
            return 0
        stall_ns = max(map(self._stall_ns, self._waiting, repeat(wall_ns), cpu_ns))
        left_ns = self._cutoff_ns - wall_ns + stall_ns
        if left_ns > 0 and wall_ns >= backstop_ns(self._limit_ns, self._cutoff_ns):
            raise HostFault(
                f"others had the core for {stall_ns / 1e9:.0f} of the {wall_ns / 1e9:.0f} s "
                "in which a bot was asked"
            )
        self._referee_waited_ns = self._table.account.referee_waited_ns()
        return left_ns

    def _keep_others_quiet(self) -> None:
        """Who is not waited for (any more) shall not take the core from those who are."""
        for seat in self._table.seats:
            if all(seat is not waiting for waiting in self._waiting):
                seat.keep_quiet()

    def _end_lap(self, now_ns: int) -> None:
        """Counts what others had of the core, and how long each bot that is asked was held up."""
        self._lap_began_ns = now_ns
        account = self._table.account
        self._others_ns += account.lap_ns()
        for number, waiting in self._waits.items():
            waited_ns, in_one_piece_ns = waiting.lap_ns(now_ns)
            self._waited_ns[number] += waited_ns
            self._in_one_piece_ns[number] += in_one_piece_ns + account.stolen_ns

    def _stall_ns(self, seat: Seat, wall_ns: int, cpu_ns: int) -> int:
        number = seat.number
        held_ns = held_up_ns(self._waited_ns[number], self._in_one_piece_ns[number], cpu_ns)
        return stall_of(self._others_ns, held_ns, wall_ns)

    def _note_sent(self, number: int, now_ns: int) -> None:
        self._sent_ns[number] = now_ns

    def _suspect_the_host(self, gap_ns: int) -> None:
        cpu_ns = [seat.cpu_since_reply_ns() for seat in self._table.seats]
        stall_ns = max(map(self._stall_ns, self._table.seats, repeat(gap_ns), cpu_ns))
        if host_is_suspect(gap_ns, stall_ns, sum(cpu_ns)):
            raise HostFault(
                f"the referee itself stood still for {gap_ns / 1e9:.1f} s while a bot was asked"
            )


def _time_failure(limit_ns: int, used_ns: int) -> Failure:
    return Failure(
        FaultName.TIME,
        cause="no reply within the time",
        limit=limit_ns // 1_000_000,
        used=-(-used_ns // 1_000_000),
        unit="ms",
    )
