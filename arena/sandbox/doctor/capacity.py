"""Cores and memory for as many matches as are to be played at once."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from arena.finding import Finding
from arena.sandbox.base import BoxLimits
from arena.sandbox.doctor.cgroups import own_groups

_FEWER = "Play fewer matches at once: WORKER_SLOTS, or --slots"


def findings(slots: int | None) -> Iterator[Finding]:
    """Cores and memory against `slots` matches at once (None: one a core)."""
    cores = len(os.sched_getaffinity(0))
    slots = slots or cores
    yield Finding(
        "cores",
        True,
        f"{cores} for {slots} at once",
        f"{_FEWER} {cores}: two matches on one core take each other's time."
        if slots > cores
        else "",
    )
    yield memory(slots, memory_mb())


def memory(slots: int, there_mb: int) -> Finding:
    """Whether so much memory is enough for two bots in each slot, at their limit."""
    limit_mb = BoxLimits().memory_mb
    needed_mb = 2 * slots * limit_mb
    enough_for = there_mb // (2 * limit_mb)
    return Finding(
        "memory",
        True,
        f"{there_mb} MB; {slots} at once, two bots each with {limit_mb} MB, can use {needed_mb} MB",
        f"{_FEWER} {max(enough_for, 1)}, or give the worker more memory: a bot that uses all it "
        "may could end another one, and the match would be played again."
        if needed_mb > there_mb
        else "",
    )


def memory_mb() -> int:
    """What this process may use: the machine's, or less where a control group says so."""
    found = [_total_mb()]
    for controller, folder in own_groups().items():
        if controller == "memory":
            for group in (folder, *folder.parents):
                for name in ("memory.max", "memory.limit_in_bytes"):
                    with contextlib.suppress(OSError, ValueError):
                        found.append(int((group / name).read_text()) >> 20)
    return min(found)


def _total_mb() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) >> 10
    return 0
