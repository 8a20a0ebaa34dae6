"""What the boxes with an inner wall have in common: the launcher is up, then the bot is in it."""

import contextlib
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.sandbox.base import BotFiles, BoxLimits, ExitReport
from arena.sandbox.belt import Group
from arena.sandbox.errors import BoxError
from arena.sandbox.process import (
    Ends,
    PipedBox,
    has_ended,
    peak_rss_mb,
    process_cpu_ns,
    read_available,
    signal_pidfd,
    wait_readable,
    write_all,
)
from arena.sandbox.wall import filters
from arena.sandbox.wall.bpf import hole
from arena.sandbox.wall.inside.launcher import READY
from arena.sandbox.wall.orders import files_block, orders_block

START_S = 20.0
"""How long a box may take to come up on a busy host before it is given up."""
LOAD_S = 20.0
"""How long a box may take to read its bot."""

_PRELOAD = ("json", "random", "collections", "itertools", "math", "heapq", "bisect", "functools")
_FILES = 32
_NOTHING_OF = ("FSIZE", "CORE", "MSGQUEUE", "MEMLOCK", "SIGPENDING", "RTPRIO", "NICE")
"""Limits of 0. Queued signals (SIGPENDING) are counted by user: two bots could see each other's."""
_STACK_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Walls:
    """Which walls stand. All of them, but where a probe or a test looks at what one holds alone."""

    landlock: bool = True
    seccomp: bool = True
    address_space: bool = True
    outer_seccomp: bool = True
    own_network: bool = True
    processes: bool = True
    belt: bool = True
    shown: Sequence[str] = ()
    """Paths of the host that are shown in the box."""
    let_through: Sequence[str] = ()
    """System calls that every filter lets pass beside its own."""

    def filter(self, program: str) -> bytes:
        """The filter "bot" or "outer", with holes for what is let through. Raises BoxError."""
        stored = filters.load(program)
        return hole(self.let_through, os.uname().machine) + stored if self.let_through else stored

    def showing(self, paths: Sequence[str]) -> "Walls":
        """These walls, with `paths` of the host in the box."""
        return replace(self, shown=(*self.shown, *paths))


ALL_WALLS = Walls()


def launcher_orders(
    limits: BoxLimits,
    walls: Walls,
    *,
    processes: int,
    readable: Sequence[str],
    group: Group | None = None,
) -> bytes:
    """A box's first block; `processes` is what RLIMIT_NPROC counts beside the bot's threads."""
    program = walls.filter("bot")
    return orders_block(
        {
            "limits": [
                *([("AS", limits.memory_mb << 20)] if walls.address_space else []),
                ("STACK", _STACK_BYTES),
                # Twice: the kernel counts a thread for a moment after its joiner has gone on.
                *([("NPROC", 2 * limits.threads + 1 + processes)] if walls.processes else []),
                ("NOFILE", _FILES),
                *((name, 0) for name in _NOTHING_OF),
            ],
            "cpu_s": limits.cpu_s,
            "threads": limits.threads,
            "readable": list(readable),
            "writable": ["/dev/null"],
            "landlock": walls.landlock,
            "seccomp": program if walls.seccomp else b"",
            "pid_mark": filters.PID_MARK,
            "preload": list(_PRELOAD),
            "groups": list(group.entries) if group else [],
        }
    )


class LaunchedBox(PipedBox, ABC):
    """A box whose process starts on the launcher; the back-ends say how it is found and reaped."""

    def __init__(self, pipes: Ends, orders: bytes, group: Group | None = None) -> None:
        super().__init__(pipes)
        self._group = group
        self._orders = orders
        self._pid = -1
        self._pidfd = -1
        self._ready = False
        self._loaded = False
        self._cpu_at_load_ns = 0
        self._last_cpu_ns: int | None = None
        # What does not fit into the pipe now goes in by `wait_ready`.
        os.set_blocking(pipes.stdin, False)
        self._send_orders()
        if group:
            group.hand_over()

    def _send_orders(self) -> None:
        try:
            self._orders = self._orders[os.write(self._pipes.stdin, self._orders) :]
        except OSError:
            return  # full, or gone: wait_ready finds out which

    def _wait_started(self, deadline_s: float) -> None:  # most need not wait
        """Returns once the box's first process runs, where that takes a while; raises BoxError."""

    def _not_up(self, words: str) -> BoxError:
        """Why the launcher has not answered; `words` are what stands on its stderr."""
        return BoxError(words or f"the box did not come up within {START_S:.0f} s")

    @abstractmethod
    def _find_bot(self, deadline_s: float) -> int:
        """The pid of the bot's process once the launcher has answered; raises BoxError."""

    @abstractmethod
    def _gone(self) -> tuple[int, ...]:
        """Fds that become readable when the box has ended before it was ready."""

    @abstractmethod
    def _end(self, why: str) -> ExitReport:
        """Kills, reaps, reports."""

    @property
    def pid(self) -> int:
        """The bot's own process, as the host sees it."""
        self.wait_ready()
        return self._pid

    @property
    def pidfd(self) -> int:
        """Readable once that process has ended."""
        self.wait_ready()
        return self._pidfd

    def wait_ready(self) -> None:
        """Returns once the walls are closed and the box waits for its files; raises BoxError."""
        if self._ready:
            if not self._loaded and has_ended(self._pidfd):
                raise BoxError("the box has ended while it waited for its bot")
            return
        if self._report is not None:
            raise BoxError(f"this box was stopped: {self._report.why}")
        deadline_s = time.monotonic() + START_S
        self._wait_started(deadline_s)
        with contextlib.suppress(BoxError):  # if it is gone, its stderr says why
            write_all(self._pipes.stdin, self._orders, deadline_s)
        ready = wait_readable((self._pipes.stdout, *self._gone()), deadline_s)
        said = os.read(self._pipes.stdout, 1) if self._pipes.stdout in ready else b""
        if said != READY:
            wait_readable((self._pipes.stderr,), time.monotonic() + 0.2)
            words = read_available(self._pipes.stderr).decode(errors="replace").strip()
            raise self._not_up(words)
        try:
            self._pid = self._find_bot(deadline_s)
            self._pidfd = self._pidfd if self._pidfd >= 0 else os.pidfd_open(self._pid)
        except OSError as error:
            raise BoxError(f"the box has ended while it came up: {error.strerror}") from error
        if has_ended(self._pidfd):
            raise BoxError("the box has ended while it waited for its bot")
        self._ready = True

    def load(self, files: BotFiles) -> None:
        """Hands the bot in, once; after it the bot runs. Raises BoxError or BadBotFiles."""
        if self._loaded:
            raise BoxError("a box takes one bot, once")
        block = files_block(files)
        self.wait_ready()
        self._loaded = True
        self._cpu_at_load_ns = process_cpu_ns(self._pid) or 0
        write_all(self._pipes.stdin, block, time.monotonic() + LOAD_S)

    def cpu_ns(self) -> int | None:
        """CPU time since `load`, user and system, all threads; None once it can't be read."""
        if self._report is not None or self._pid < 0:
            return None
        clock_ns = process_cpu_ns(self._pid)
        if clock_ns is None:
            return None
        self._last_cpu_ns = clock_ns - self._cpu_at_load_ns
        return self._last_cpu_ns

    def freeze(self) -> None:
        """Stops the bot where it stands; harmless when it is gone."""
        if self._pidfd >= 0 and self._report is None:
            signal_pidfd(self._pidfd, signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets a frozen bot go on; harmless when it is gone or was not frozen."""
        if self._pidfd >= 0 and self._report is None:
            signal_pidfd(self._pidfd, signal.SIGCONT)

    def stop(self, why: str) -> ExitReport:
        """Ends the bot and clears up: idempotent, within a second, never raises."""
        if self._report is None:
            self._report = self._with_group(self._end(why))
            self._pipes.close_ours()
            if self._pidfd >= 0:
                os.close(self._pidfd)
                self._pidfd = -1
        return self._report

    def _with_group(self, report: ExitReport) -> ExitReport:
        """What the box's control group adds to its report; the group is gone after it."""
        if self._group is None:
            return report
        oom = self._group.was_out_of_memory() and not report.killed
        self._group.remove()
        return replace(report, oom=oom)

    def _peak_mb(self) -> int | None:
        return peak_rss_mb(self._pid) if self._pid >= 0 else None

    def _kill_bot(self) -> bool:
        """Kills the bot; False where it had ended by itself."""
        if self._pidfd < 0 or has_ended(self._pidfd):
            return False
        return signal_pidfd(self._pidfd, signal.SIGKILL)
