"""Who takes the status of a process that has ended: of a box's own, and of adopted orphans."""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
from dataclasses import dataclass

from arena.sandbox.process import signal_name

_PR_SET_CHILD_SUBREAPER = 36
_subreaper = 0


def become_subreaper() -> None:
    """Makes this process the one that reaps what its children leave behind.

    Without it a box's inner pid 1 would stay a zombie wherever init does not reap. It is a property
    of the process, not inherited by a fork: asked for once in every process that starts boxes.
    """
    global _subreaper
    if _subreaper != os.getpid():
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        _subreaper = os.getpid()


def stop_reaping() -> None:
    """Gives up what `become_subreaper` took on, in a process that starts no further boxes.

    Else the boxes of its killed children would come to it, and stay zombies.
    """
    global _subreaper
    if _subreaper == os.getpid():
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        _subreaper = 0


_ours: set[int] = set()
"""Processes of living boxes, which their boxes reap."""


def will_reap(pid: int) -> None:
    """Says that a box of this process is to take the status of that one, and no one else."""
    _ours.add(pid)


def is_to_be_reaped(pid: int) -> bool:
    """Whether a box of this process is to do it."""
    return pid in _ours


def reap_now(pid: int) -> "tuple[bool, resource.struct_rusage | None]":
    """Takes the status of a child that has ended; whether it is gone, and what it used.

    Never raises, and does not wait; nothing is known of what someone else has reaped.
    """
    try:
        gone, _, usage = os.wait4(pid, os.WNOHANG)
    except ChildProcessError:
        _ours.discard(pid)
        return True, None
    if not gone:
        return False, None
    _ours.discard(pid)
    return True, usage


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child of ours ended: code or signal name, or neither where someone else reaped it.

    `gone` is False where it could not be made to end.
    """

    code: int | None
    signal: str | None
    peak_mb: int | None
    gone: bool


def reap(child: "subprocess.Popen[bytes]") -> Ended:
    """Takes the status of a child that leads its group, and has ended; kills what is left of it.

    Never raises, and does not wait: whoever killed the child has waited on its pidfd.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)  # now: after the reaping the number may be another's
    try:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
    except ChildProcessError:
        _ours.discard(child.pid)
        child.returncode = 0
        return Ended(None, None, None, gone=True)
    if not pid:
        return Ended(None, None, None, gone=False)
    _ours.discard(child.pid)
    child.returncode = code = os.waitstatus_to_exitcode(status)
    # The kernel counts what the child had of our memory before its exec: only more is its own.
    own_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_mb = -(-usage.ru_maxrss // 1024) if usage.ru_maxrss > own_kb else None
    if code < 0:
        return Ended(None, signal_name(-code), peak_mb, gone=True)
    return Ended(code, None, peak_mb, gone=True)
