"""The kernel: its version, and what the inner wall needs of it."""

import os
from collections.abc import Iterator
from pathlib import Path

from arena.finding import Finding
from arena.sandbox.remedies import remedy_for_start
from arena.sandbox.wall.inside.closing import WallError, landlock_abi
from arena.sandbox.wall.policy import running_arch

_ACTIONS = Path("/proc/sys/kernel/seccomp/actions_avail")


def findings() -> Iterator[Finding]:
    """Kernel and processor, Landlock, seccomp."""
    here = os.uname()
    yield Finding(
        "kernel",
        running_arch() is not None,
        f"{here.sysname} {here.release} on {here.machine}",
        "" if running_arch() else "Run bots on x86_64 or aarch64: the filters are made for these.",
    )
    yield _landlock()
    seccomp = _ACTIONS.is_file()
    yield Finding(
        "seccomp",
        seccomp,
        "system calls can be filtered" if seccomp else "the kernel says nothing of filters",
        "" if seccomp else remedy_for_start("seccomp"),
    )


def _landlock() -> Finding:
    try:
        return Finding("Landlock", True, f"version {landlock_abi()} of its interface")
    except WallError as error:
        return Finding("Landlock", False, str(error), remedy_for_start("Landlock"))
