"""The clock of PROTOCOL §4: bills a bot's own CPU, with wall time only as a backstop.

A reply is charged `max(cpu, (wall − stall) / wall_factor)`. All times in nanoseconds.
"""

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

MIN_WAIT_NS = 1_000_000_000
"""A request is never cut off before this, however little is left."""

_STALL_SHARE = 0.2
"""Below this share of the request's wall time a stall counts as none."""

_WAITS_PER_CPU = 10
_WAITS_FREE_NS = 1_000_000_000
_BACKSTOP_ROOM_NS = 10_000_000_000

_SUSPECT_NS = 1_000_000_000
"""A gap in the referee's own running that nothing measured explains makes the host suspect."""


class CoreAccount:
    """What the match's core did besides this match, lap by lap.

    Busy time is elapsed time less the core's idle time (`/proc/stat`; with tickless idle exact, in
    steps of 10 ms), so time that the hypervisor took counts as busy too; the match's own processes
    are subtracted by their exact CPU clocks. A bot cannot enlarge the rest: what it burns is its
    own CPU, and what it sleeps is idle time or another's.
    """

    def __init__(self, core: int | None, own_cpu_ns: Callable[[], int]) -> None:
        """`core` None: nothing can be measured, every lap is 0."""
        self._own_cpu_ns = own_cpu_ns
        self._file = None if core is None else os.open("/proc/stat", os.O_RDONLY | os.O_CLOEXEC)
        self._waits: int | None = None
        with contextlib.suppress(OSError):  # a kernel that keeps no account of waits
            self._waits = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._prefix = b"cpu%d " % (core or 0)
        self._tick_ns = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
        self._mark: tuple[int, int, int, int] | None = None
        self.stolen_ns = 0
        """What the hypervisor took of the lap that ended last, in steps of 10 ms."""

    def start_lap(self) -> None:
        """Counts from now."""
        self._mark = self._read()

    def lap_ns(self) -> int:
        """Time since the lap began in which the core ran others; the next lap begins.

        May be a step below 0: only the sum over the laps of a request is a measure.
        """
        before, self._mark = self._mark, self._read()
        if before is None or self._mark is None:
            return 0
        elapsed, idle, own, self.stolen_ns = (
            after - then for after, then in zip(self._mark, before, strict=True)
        )
        return elapsed - idle - own

    def referee_waited_ns(self) -> int:
        """How long the thread that made this account has waited for a core so far; 0 if unknown."""
        if self._waits is None:
            return 0
        return int(os.pread(self._waits, 128, 0).split()[1])

    def close(self) -> None:
        """Gives back the files; may be called twice."""
        for file in (self._file, self._waits):
            if file is not None:
                os.close(file)
        self._file = self._waits = None

    def _read(self) -> tuple[int, int, int, int] | None:
        if self._file is None:
            return None
        text = os.pread(self._file, 65_536, 0)
        at = text.find(self._prefix)
        if at < 0:
            return None
        fields = text[at : text.index(b"\n", at)].split()
        idle_ns = (int(fields[4]) + int(fields[5])) * self._tick_ns
        stolen_ns = int(fields[8]) * self._tick_ns
        return time.monotonic_ns(), idle_ns, self._own_cpu_ns(), stolen_ns


def held_up_ns(waited_ns: int, in_one_piece_ns: int, cpu_ns: int) -> int:
    """How long a bot was held up that waited so for its core and used so much CPU meanwhile.

    Who is always ready to run gets his share of the core. So short waits in great number beside
    little CPU are those of a bot that sleeps in between, to wait again: they count up to ten times
    its CPU and a second. A wait in one piece cannot be made, and counts in full.
    """
    return in_one_piece_ns + min(waited_ns, _WAITS_PER_CPU * cpu_ns + _WAITS_FREE_NS)


def stall_of(others_ns: int, held_up_ns: int, wall_ns: int) -> int:
    """The stall of a bot that was held up so long while the core ran others for `others_ns`.

    Both must be there; 0 below a fifth of `wall_ns`, at most all of it.
    """
    stall = min(others_ns, held_up_ns, wall_ns)
    return stall if stall >= _STALL_SHARE * wall_ns else 0


@dataclass(slots=True)
class Allowance:
    """One seat's time: `free_ns` a request, then out of `bank_ns`, which lasts the whole match."""

    free_ns: int
    bank_ns: int
    wall_factor: int

    @property
    def limit_ns(self) -> int:
        """The most that one reply may be charged now."""
        return self.free_ns + self.bank_ns

    @property
    def cutoff_ns(self) -> int:
        """Wall time less stall after which a request is cut off."""
        return max(self.wall_factor * self.limit_ns, MIN_WAIT_NS)

    def charge_ns(self, cpu_ns: int | None, wall_ns: int, stall_ns: int) -> int:
        """What a reply costs; where the CPU clock could not be read the wall time stands for it."""
        wall_ns -= stall_ns
        return max(wall_ns if cpu_ns is None else cpu_ns, wall_ns // self.wall_factor)

    def pay(self, charge_ns: int) -> bool:
        """Takes a charge out of the bank; false, and nothing taken, where it is above the limit."""
        if charge_ns > self.limit_ns:
            return False
        self.bank_ns -= max(0, charge_ns - self.free_ns)
        return True


def backstop_ns(limit_ns: int, cutoff_ns: int) -> int:
    """Wall time after which a wait is given up whatever the stall: the host's fault.

    For a core that others never leave. No bot gets there with waits of its own making, because
    `limit_ns` of CPU ends it before.
    """
    return cutoff_ns + _WAITS_PER_CPU * limit_ns + _WAITS_FREE_NS + _BACKSTOP_ROOM_NS


def host_is_suspect(gap_ns: int, stall_ns: int, bots_cpu_ns: int) -> bool:
    """Whether the referee stood still for a time that neither a stall nor the bots explain."""
    return gap_ns - stall_ns - bots_cpu_ns >= _SUSPECT_NS
