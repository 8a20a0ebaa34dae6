"""The `landlock` back-end: the inner wall alone, for places that offer no other.

The bot's process is our child, in a session of its own, with an empty environment and none of our
files. Where the worker is root each box has a uid of its own; else the bot runs as the worker's.
"""

import os
import time

from arena.finding import Finding
from arena.sandbox import belt, runtime
from arena.sandbox.base import BoxLimits, ExitReport
from arena.sandbox.belt import Group
from arena.sandbox.errors import BoxError
from arena.sandbox.launched import ALL_WALLS, LaunchedBox, Walls, launcher_orders
from arena.sandbox.probe import INNER, Trial, run
from arena.sandbox.process import KILL_S, OTHERS_MAY_START, processes_of, wait_readable
from arena.sandbox.reaping import reap
from arena.sandbox.runtime import Runtime
from arena.sandbox.spawn import Spawned, spawn
from arena.sandbox.wall.orders import PYTHON_ENVIRONMENT, PYTHON_OPTIONS


class LandlockSandbox(runtime.RunsThisPython):
    """Boxes behind the inner wall alone; `walls` is for the probe and its tests."""

    kind = "landlock"

    def __init__(self, walls: Walls = ALL_WALLS) -> None:
        self._walls = walls
        self._copy: Runtime | None = None

    def probe(self) -> tuple[Finding, ...]:
        """Runs a bot that tries the walls; each finding names a wall and whether it holds."""
        trial = Trial("inner wall", self._walls, INNER)
        return run(self.kind, [trial], lambda walls: self._start(BoxLimits(), None, walls))

    def start(self, limits: BoxLimits, core: int | None) -> "LandlockBox":
        """A box on its way up; raises BoxError."""
        return self._start(limits, core, self._walls)

    def _start(self, limits: BoxLimits, core: int | None, walls: Walls) -> "LandlockBox":
        if self._copy is None:
            self._copy = runtime.ready()
        copy = self._copy
        is_root = os.geteuid() == 0  # then the bot's uid is its own, and counts it alone
        group = belt.make(limits) if walls.belt else None
        try:
            orders = launcher_orders(
                limits,
                walls,
                processes=0 if is_root else processes_of(os.geteuid()) + OTHERS_MAY_START,
                readable=[
                    *(str(copy.root / folder) for folder in copy.folders),
                    "/dev/urandom",
                    *walls.shown,
                ],
                group=group,
            )
            spawned = spawn(
                [copy.root / copy.python, *PYTHON_OPTIONS],
                {**PYTHON_ENVIRONMENT, "LD_LIBRARY_PATH": str(copy.root / copy.libraries)},
                core,
                group.entries if group else (),
            )
        except BoxError:
            if group:
                group.remove()
            raise
        return LandlockBox(spawned, orders, group)


class LandlockBox(LaunchedBox):
    """A bot as our own child."""

    def __init__(self, spawned: Spawned, orders: bytes, group: Group | None) -> None:
        self._child = spawned.child
        self._slot = spawned.slot
        super().__init__(spawned.pipes, orders, group)
        self._pidfd = os.pidfd_open(self._child.pid)
        self._pid = self._child.pid

    def _find_bot(self, deadline_s: float) -> int:
        return self._child.pid

    def _gone(self) -> tuple[int, ...]:
        return (self._pidfd,)

    def _end(self, why: str) -> ExitReport:
        peak_mb = self._peak_mb()
        sent = self._kill_bot()
        wait_readable((self._pidfd,), time.monotonic() + KILL_S)
        cpu_ns = self.cpu_ns() if self._loaded else None  # a zombie's clock can still be read
        ended = reap(self._child)
        if self._slot and ended.gone:
            self._slot.release()
        return ExitReport(
            why,
            ended.code,
            ended.signal,
            oom=False,
            killed=sent and ended.signal == "SIGKILL",
            cpu_ns=cpu_ns,
            peak_mb=peak_mb or ended.peak_mb,
            survivors=0 if ended.gone else 1,
        )
