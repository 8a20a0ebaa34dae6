"""Asks a bot and says what came of it, up to legality.

The order in which a reply is judged is PROTOCOL §5: a complete line that came in time first (parse,
id, legality), even if the process has ended since; else no line and the process gone; else time.
"""

import time
from dataclasses import dataclass
from typing import assert_never

from arena.protocol import Malformed, Ready, Reply, Request, decode_ready, decode_reply, encode
from arena.referee.clock import Allowance
from arena.referee.errors import HostFault
from arena.referee.seats import Seat, Table
from arena.referee.turn import Turn
from arena.referee.verdict import Failure, FaultName, process_gone
from arena.sandbox.channel import Flooded, Gone, Incoming, Late, Line, TooLong

_SHOWN = 200
"""Characters of a decoder's message that a public cause may hold."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply in time and well formed, with what it used."""

    reply: Reply
    cpu_ns: int
    wall_ns: int


def ask(table: Table, seat: Seat, request: Request) -> Answer | Failure:
    """The bot's answer to `request`, or why there is none. Raises `HostFault`."""
    table.channel.log(seat.number).mark(request.id)
    if table.channel.spoke_early(seat.number):
        return _refuse(table, seat, b"", "something was written to stdout when no reply was due")
    if seat.report is not None:
        return _gone(table, seat)
    seat.wake(time.monotonic_ns())
    turn = Turn(table, (seat,), seat.allowance.limit_ns, seat.allowance.cutoff_ns)
    turn.send(encode(request))
    _, incoming = turn.receive((seat,))
    if not isinstance(incoming, Line):
        return _no_line(table, seat, incoming, turn)
    bill = turn.bill(seat, incoming, seat.allowance)
    if isinstance(bill, Failure):
        return bill
    seat.rest()
    reply = decode_reply(incoming.data, request.id)
    if isinstance(reply, Malformed):
        return _refuse(table, seat, incoming.data, reply.cause)
    if reply.note is not None:
        seat.notes.append((request.id, reply.note))
    return Answer(reply, *bill)


def start(table: Table, hello: tuple[bytes, bytes]) -> list[Failure | None]:
    """Sends `hello` to both and waits for both `ready`, judged together: a failure or none each."""
    limit_ns = table.limits.start_ms * 1_000_000
    outcome: list[Failure | None] = [None, None]
    turn = Turn(table, table.seats, limit_ns, limit_ns * table.limits.wall_factor)
    turn.send(*hello)
    waiting: tuple[Seat, ...] = table.seats
    while waiting:
        number, incoming = turn.receive(waiting)
        judged = [table.seats[number]]
        if isinstance(incoming, Late):
            judged = [seat for seat in waiting if turn.is_over(seat)] or judged
        for seat in judged:
            outcome[seat.number] = _started(table, seat, incoming, turn)
        waiting = tuple(seat for seat in waiting if seat not in judged)
    return outcome


def _started(table: Table, seat: Seat, incoming: Incoming, turn: Turn) -> Failure | None:
    if not isinstance(incoming, Line):
        return _no_line(table, seat, incoming, turn)
    limits = table.limits
    allowance = Allowance(limits.start_ms * 1_000_000, 0, limits.wall_factor)
    bill = turn.bill(seat, incoming, allowance)
    if isinstance(bill, Failure):
        return bill
    ready = decode_ready(incoming.data)
    if isinstance(ready, Ready):
        return None
    return _refuse(table, seat, incoming.data, ready.cause)


def _refuse(table: Table, seat: Seat, data: bytes, cause: str) -> Failure:
    seat.refused = data or table.channel.pending(seat.number)
    return Failure(FaultName.PROTOCOL, cause=cause[:_SHOWN])


def _no_line(
    table: Table, seat: Seat, incoming: Gone | Late | TooLong | Flooded, turn: Turn
) -> Failure:
    match incoming:
        case Gone():
            return _gone(table, seat)
        case Late():
            return turn.too_late(seat)
        case TooLong(seen):
            limit = table.limits.reply_bytes
            return Failure(FaultName.OUTPUT, "a reply line is too long", limit, seen, "bytes")
        case Flooded(seen):
            limit = table.limits.stderr_total_kb * 1024
            return Failure(FaultName.OUTPUT, "too much on stderr", limit, seen, "bytes")
        case _:
            assert_never(incoming)


def _gone(table: Table, seat: Seat) -> Failure:
    report = table.leave(seat, "ended by itself")
    if report.host_fault:
        raise HostFault(report.host_fault)
    kept = table.channel.log(seat.number).kept()
    return process_gone(report, kept, table.limits.memory_mb)
