"""Verdicts: the named ways in which a bot can lose a match by its own fault (PROTOCOL §5)."""

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from arena.sandbox import ExitReport


class FaultName(StrEnum):
    """The names of faults, as the protocol, the replays and the pages show them."""

    START = "start"
    EXIT = "exit"
    MEMORY = "memory"
    TIME = "time"
    OUTPUT = "output"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot did wrong, where, and by how much. `limit` and `used` are in `unit`."""

    seat: int
    name: FaultName
    cause: str | None
    phase: str
    deal: int | None
    request: int | None
    limit: int | None = None
    used: int | None = None
    unit: str | None = None
    exit: int | None = None
    signal: str | None = None
    action: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a bot gave no valid reply, before it is known where in the match that was."""

    name: FaultName
    cause: str | None = None
    limit: int | None = None
    used: int | None = None
    unit: str | None = None
    exit: int | None = None
    signal: str | None = None
    action: str | None = None

    def at_start(self, seat: int) -> Fault:
        """The fault `start`: anything before a valid `ready`; `cause` says which."""
        cause = self.name.value if self.cause is None else f"{self.name.value}: {self.cause}"
        return Fault(
            seat, FaultName.START, cause, "start", None, None,
            self.limit, self.used, self.unit, self.exit, self.signal, self.action,
        )  # fmt: skip

    def in_deal(self, seat: int, deal: int, request: int) -> Fault:
        """The fault of this name at request `request` of deal `deal`."""
        return Fault(
            seat, self.name, self.cause, "deal", deal, request,
            self.limit, self.used, self.unit, self.exit, self.signal, self.action,
        )  # fmt: skip


def process_gone(report: ExitReport, stderr_tail: bytes, memory_mb: int) -> Failure:
    """What it means that a bot's process ended by itself: `memory` or `exit`.

    `memory` is the out-of-memory killer's flag, or an exit other than 0 whose stderr ends in a
    MemoryError.
    """
    last_line = stderr_tail.rstrip().rpartition(b"\n")[2]
    if report.oom or (report.code != 0 and last_line.startswith(b"MemoryError")):
        return Failure(
            FaultName.MEMORY,
            cause="the bot ran out of memory",
            limit=memory_mb,
            used=report.peak_mb
            if report.oom
            else None,  # resident, while the limit is address space
            unit="mb",
            exit=report.code,
            signal=report.signal,
        )
    return Failure(
        FaultName.EXIT,
        cause="the bot's process ended before it answered",
        exit=report.code,
        signal=report.signal,
    )
