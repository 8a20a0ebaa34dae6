"""The bots at the table of one match, with what is known of each while it lasts."""

from collections.abc import Callable
from dataclasses import dataclass, field

from arena.protocol import Limits
from arena.referee.clock import Allowance, CoreAccount
from arena.sandbox import Box, ExitReport
from arena.sandbox.channel import Channel

PONDER_NS = 1_000_000
"""Off-turn CPU above which a bot is frozen off turn from then on."""


@dataclass(slots=True)
class Seat:
    """One bot. `cpu_mark_ns` is its CPU clock at its last reply, `cpu_seen_ns` the last known.

    `replied_ns` is when that reply had been read (monotonic). `ponders`: it has been seen to burn
    CPU off turn, and is frozen there.
    """

    number: int
    box: Box
    allowance: Allowance
    cpu_mark_ns: int = 0
    cpu_seen_ns: int = 0
    replied_ns: int = 0
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

    def wake(self, now_ns: int) -> None:
        """Lets the bot run, because it is asked.

        Its clock is not read where it was off turn for so short a time that its core cannot have
        given it `PONDER_NS`: then the reply's bill is the only reading in an exchange.
        """
        if self.ponders:
            self.box.thaw()
        elif now_ns - self.replied_ns > PONDER_NS and self.cpu_since_reply_ns() > PONDER_NS:
            self.ponders = True

    def rest(self) -> None:
        """Keeps the bot from running after its reply, if it is one that ponders."""
        if self.ponders:
            self.box.freeze()

    def keep_quiet(self) -> None:
        """Freezes a bot that burns CPU while it is not asked: the core is another's now."""
        if not self.ponders and self.report is None and self.cpu_since_reply_ns() > PONDER_NS:
            self.ponders = True
            self.box.freeze()

    def end(self, why: str) -> ExitReport:
        """Stops the box, once; the report's final CPU counts (wait4)."""
        if self.report is None:
            self.report = self.box.stop(why)
            if self.report.cpu_ns is not None:
                self.cpu_seen_ns = max(self.cpu_seen_ns, self.report.cpu_ns)
        return self.report


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that the asking of bots needs: both seats, their pipes, the core, the limits.

    `on_progress` is called several times a second while a reply is awaited; no wait is for ever.
    """

    seats: tuple[Seat, Seat]
    channel: Channel
    account: CoreAccount
    limits: Limits
    on_progress: Callable[[], None]

    def leave(self, seat: Seat, why: str) -> ExitReport:
        """Ends a bot and lets go of its pipes, what is left of its stderr taken in."""
        self.channel.retire(seat.number)
        return seat.end(why)
