"""The `bubblewrap` back-end: namespaces around the inner wall.

    worker (subreaper) ── bwrap, the monitor ── bwrap, pid 1 of the namespace ── Python: the bot

Inside there are a read-only root with the Python runtime, two devices, no network, no /proc, no
other process, no capability, and uid 65534. bwrap starts with an empty environment and takes its
options from a pipe, so that neither tells the bot of the host. Where the worker is root, bwrap runs
under a uid of its own for every box: run as root it would leave the bot root's powers.
"""

import contextlib
import json
import os
import signal
import time
from dataclasses import replace
from typing import NamedTuple

from arena.finding import Finding
from arena.sandbox import belt, runtime
from arena.sandbox.base import BoxLimits, ExitReport
from arena.sandbox.belt import Group
from arena.sandbox.bwrap import find_bwrap
from arena.sandbox.errors import BoxError
from arena.sandbox.launched import ALL_WALLS, LaunchedBox, Walls, launcher_orders
from arena.sandbox.probe import INNER, NAMESPACES, OUTER_FILTER, WHOLE, Trial, run
from arena.sandbox.process import (
    KILL_S,
    children_of,
    process_cpu_ns,
    process_state,
    session_of,
    signal_name,
    signal_pidfd,
    wait_readable,
)
from arena.sandbox.reaping import become_subreaper, reap, reap_now, will_reap
from arena.sandbox.runtime import Runtime
from arena.sandbox.spawn import Spawned, spawn
from arena.sandbox.wall import filters
from arena.sandbox.wall.orders import BWRAP_OPTION, PYTHON_ENVIRONMENT, PYTHON_OPTIONS

_NOBODY = "65534"
_BOT_PID = 2
"""The bot's pid inside: bubblewrap's own process is 1, and no third one can be made."""


class BubblewrapSandbox(runtime.RunsThisPython):
    """Boxes in namespaces; `walls` is for the probe and its tests."""

    kind = "bubblewrap"

    def __init__(self, walls: Walls = ALL_WALLS) -> None:
        self._walls = walls
        self._copy: Runtime | None = None
        self._bwrap = ""

    def probe(self) -> tuple[Finding, ...]:
        """Runs a bot that tries the walls; each finding names a wall and whether it holds."""
        no_inner = replace(self._walls, landlock=False, seccomp=False)
        trials = [
            Trial("both walls", self._walls, WHOLE),
            Trial("inner wall", replace(self._walls, outer_seccomp=False), INNER, True),
            Trial("outer filter", no_inner, OUTER_FILTER),
            Trial("namespaces", replace(no_inner, outer_seccomp=False), NAMESPACES),
        ]
        return run(self.kind, trials, lambda walls: self._start(BoxLimits(), None, walls))

    def start(self, limits: BoxLimits, core: int | None) -> "BubblewrapBox":
        """A box on its way up; raises BoxError."""
        return self._start(limits, core, self._walls)

    def _start(self, limits: BoxLimits, core: int | None, walls: Walls) -> "BubblewrapBox":
        if self._copy is None:
            self._copy, self._bwrap = runtime.ready(), find_bwrap()
        copy = self._copy
        become_subreaper()
        group = belt.make(limits) if walls.belt else None
        status, status_theirs = os.pipe()
        handed = [status_theirs]
        options = _options(copy, walls, status_theirs)
        try:
            orders = launcher_orders(
                limits,
                walls,
                processes=2,
                readable=[*(f"/{folder}" for folder in copy.folders), "/dev/urandom"],
                group=group,
            )
            if walls.outer_seccomp:
                handed.append(_pipe_with(filters.with_pid(walls.filter("outer"), _BOT_PID)))
                options += ["--seccomp", str(handed[-1])]
            handed.append(_pipe_with("\0".join(options).encode()))
            bwrap = [self._bwrap, BWRAP_OPTION, str(handed[-1]), "--"]
            entries = group.entries if group else ()
            python = [f"/{copy.python}", *PYTHON_OPTIONS]
            spawned = spawn([*bwrap, *python], {}, core, [*handed, *entries])
        except BoxError:
            os.close(status)
            if group:
                group.remove()
            raise
        finally:
            for fd in handed:
                os.close(fd)
        return BubblewrapBox(spawned, orders, group, status)


def _options(copy: Runtime, walls: Walls, status: int) -> list[str]:
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns"),
        *("--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"),
        *(() if walls.own_network else ("--share-net",)),
        *("--die-with-parent", "--new-session", "--hostname", "bot", "--chdir", "/"),
        *(
            word
            for folder in copy.folders
            for word in ("--ro-bind", str(copy.root / folder), f"/{folder}")
        ),
        *(word for name, target in copy.links for word in ("--symlink", target, f"/{name}")),
        *("--dev-bind", "/dev/null", "/dev/null", "--dev-bind", "/dev/urandom", "/dev/urandom"),
        *(word for path in walls.shown for word in ("--ro-bind", path, path)),
        *("--remount-ro", "/", "--clearenv"),
        *(word for pair in PYTHON_ENVIRONMENT.items() for word in ("--setenv", *pair)),
        *("--json-status-fd", str(status)),
    ]


def _pipe_with(data: bytes) -> int:
    """The reading end of a pipe that holds `data`, which is small, and then ends."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
    finally:
        os.close(writing)
    return reading


class _Used(NamedTuple):
    """All that a bot used, from its interpreter's start to its end."""

    cpu_ns: int
    peak_mb: int


class BubblewrapBox(LaunchedBox):
    """A bot two processes below us: found by the status that bwrap writes, reaped by its pid 1."""

    def __init__(self, spawned: Spawned, orders: bytes, group: Group | None, status: int) -> None:
        self._monitor = spawned.child
        self._monitor_pidfd = os.pidfd_open(spawned.child.pid)
        self._slot = spawned.slot
        self._status = status
        self._first_pid = -1
        self._first_pidfd = -1
        super().__init__(spawned.pipes, orders, group)

    def _gone(self) -> tuple[int, ...]:
        return (self._monitor_pidfd,)

    def _find_bot(self, deadline_s: float) -> int:
        self._find_first(deadline_s)
        children = children_of(self._first_pid)
        if len(children) != 1:
            raise BoxError(f"one process was expected in the box, there are {len(children)}")
        return children[0]

    def _find_first(self, deadline_s: float) -> None:
        """Notes the namespace's first process, which bwrap names on its status pipe."""
        if self._first_pidfd >= 0 or not wait_readable((self._status,), deadline_s):
            return
        said = os.read(self._status, 4096).partition(b"\n")[0]
        try:
            self._first_pid = int(json.loads(said)["child-pid"])
            self._first_pidfd = os.pidfd_open(self._first_pid)
            will_reap(self._first_pid)
        except (ValueError, KeyError, OSError) as error:
            raise BoxError(f"bubblewrap did not say where the box is: {said!r}") from error

    def _end(self, why: str) -> ExitReport:
        peak_mb = self._peak_mb()
        cpu_ns = self.cpu_ns() if self._loaded else None
        sent = self._kill_bot()
        if self._pidfd < 0:  # it never came up: there is no bot, only bubblewrap
            sent = self._kill_bubblewrap()
        elif not wait_readable((self._monitor_pidfd,), time.monotonic() + KILL_S / 2):
            self._kill_bubblewrap()
        wait_readable((self._monitor_pidfd,), time.monotonic() + KILL_S / 4)
        ended = reap(self._monitor)
        first_gone, used = self._reap_first()
        if used is not None:
            peak_mb = peak_mb or used.peak_mb
            if self._loaded and not sent:
                cpu_ns = used.cpu_ns - self._cpu_at_load_ns
        code, name = _normalised(ended.code, ended.signal)
        survivors = (not ended.gone) + (not first_gone)
        for fd in (self._status, self._monitor_pidfd, self._first_pidfd):
            if fd >= 0:
                os.close(fd)
        if self._slot and not survivors:
            self._slot.release()
        return ExitReport(
            why,
            code,
            name,
            oom=False,
            killed=sent and code is None,
            cpu_ns=cpu_ns if cpu_ns is not None else self._last_cpu_ns,
            peak_mb=peak_mb,
            survivors=survivors,
        )

    def _kill_bubblewrap(self) -> bool:
        """Kills monitor and first process, and with it all that is in the namespace.

        The monitor is stopped before its child is looked for: killed just after it has made one,
        it would leave it waiting for ever, bound to no parent yet.
        """
        stopped = signal_pidfd(self._monitor_pidfd, signal.SIGSTOP)
        deadline_s = time.monotonic() + KILL_S / 4
        while process_state(self._monitor.pid) not in "TZX" and time.monotonic() < deadline_s:
            time.sleep(0.001)
        with contextlib.suppress(BoxError):
            self._find_first(time.monotonic())
        if self._first_pidfd < 0:
            for pid in self._unnamed():
                with contextlib.suppress(OSError):
                    self._first_pidfd = os.pidfd_open(pid)
                    self._first_pid = pid
                    will_reap(pid)
        if self._first_pidfd >= 0:
            signal_pidfd(self._first_pidfd, signal.SIGKILL)
        signal_pidfd(self._monitor_pidfd, signal.SIGKILL)
        return stopped

    def _unnamed(self) -> list[int]:
        """The monitor's child, of which it has not told: ours by now if it has ended itself."""
        mine = self._monitor.pid
        adopted = [pid for pid in children_of(os.getpid()) if session_of(pid) == mine != pid]
        return children_of(mine) + adopted

    def _reap_first(self) -> tuple[bool, _Used | None]:
        """Reaps the namespace's first process, which came to us as the subreaper.

        Gives whether it is gone, and what the process that it had reaped itself, the bot, used.
        """
        if self._first_pidfd < 0:
            return True, None
        if not wait_readable((self._first_pidfd,), time.monotonic() + KILL_S / 4):
            return False, None
        own_ns = process_cpu_ns(self._first_pid)
        gone, usage = reap_now(self._first_pid)
        if usage is None or own_ns is None:
            return gone, None
        cpu_ns = int((usage.ru_utime + usage.ru_stime) * 1e9) - own_ns
        return True, _Used(cpu_ns, -(-usage.ru_maxrss // 1024))


def _normalised(code: int | None, name: str | None) -> tuple[int | None, str | None]:
    """What bwrap's exit says of the bot: a signal is told as 128 plus its number, as by a shell."""
    if code is not None and 128 < code <= 128 + signal.NSIG:
        return None, signal_name(code - 128)
    return code, name
