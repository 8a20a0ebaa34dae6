"""The bots at the table of one match, with what is known of each while it lasts."""

from dataclasses import dataclass, field

from arena.protocol import Limits
from arena.referee.clock import Allowance, CoreAccount
from arena.sandbox import Box, ExitReport
from arena.sandbox.channel import Channel


@dataclass(slots=True)
class Seat:
    """One bot. `cpu_mark_ns` is its CPU clock at its last reply, `cpu_seen_ns` the last known."""

    number: int
    box: Box
    allowance: Allowance
    cpu_mark_ns: int = 0
    cpu_seen_ns: int = 0
    ponders: bool = False
    notes: list[tuple[int, str]] = field(default_factory=list)
    refused: bytes | None = None
    report: ExitReport | None = None

    def cpu_ns(self) -> int:
        """CPU used so far; once the process has ended, the last that is known."""
        if self.report is None:
            seen = self.box.cpu_ns()
            if seen is not None:
                self.cpu_seen_ns = seen
        return self.cpu_seen_ns

    def cpu_since_reply_ns(self) -> int:
        """CPU used since the last reply, on and off turn."""
        return self.cpu_ns() - self.cpu_mark_ns

    def end(self, why: str) -> ExitReport:
        """Stops the box, once; the report's final CPU counts (wait4)."""
        if self.report is None:
            self.report = self.box.stop(why)
            if self.report.cpu_ns is not None:
                self.cpu_seen_ns = max(self.cpu_seen_ns, self.report.cpu_ns)
        return self.report


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that the asking of bots needs: both seats, their pipes, the core, the limits."""

    seats: tuple[Seat, Seat]
    channel: Channel
    account: CoreAccount
    limits: Limits

    def leave(self, seat: Seat, why: str) -> ExitReport:
        """Ends a bot and lets go of its pipes, what is left of its stderr taken in."""
        self.channel.retire(seat.number)
        return seat.end(why)
