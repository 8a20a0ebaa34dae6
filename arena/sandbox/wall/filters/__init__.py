"""The seccomp filters as compiled bytes, one file for each program and processor.

`make filters` writes them from `wall/policy.py` by `wall/bpf.py`; a test compiles them anew and
compares. Each is an array of `struct sock_filter`, little-endian as both processors are, and goes
into the kernel as it is, but for the bot's own pid: `OWN_PID` stands for it and is replaced when a
filter is taken on. The bytes for aarch64 have been run by the tests' own interpreter only; no
kernel has taken them yet.
"""

import os
import struct
from functools import cache
from pathlib import Path

from arena.sandbox.errors import BoxError

OWN_PID = 0x50494421
"""Stands in a filter for the bot's own pid, which is known only in its process; above any pid."""

PID_MARK = struct.pack("<I", OWN_PID)
"""`OWN_PID` as it stands in the bytes: in the conditions on `kill` and `tgkill`, nowhere else."""


@cache
def load(program: str) -> bytes:
    """The filter "bot" or "outer" for the processor this runs on. Raises BoxError without one."""
    machine = os.uname().machine
    try:
        stored = Path(__file__).with_name(file_name(program, machine)).read_bytes()
    except FileNotFoundError as error:
        raise BoxError(
            f"no seccomp filter for a {machine} processor: x86_64 or aarch64 is needed"
        ) from error
    except OSError as error:
        raise BoxError(f"the seccomp filter {program} can't be read: {error.strerror}") from error
    if PID_MARK not in stored:  # empty it would be no filter at all
        raise BoxError(f"the seccomp filter {program} is damaged: install the arena anew")
    return stored


def file_name(program: str, machine: str) -> str:
    """What the file of a program for a processor is called."""
    return f"{program}.{machine}.bpf"


def with_pid(program: bytes, pid: int) -> bytes:
    """`program` for a process that knows itself as `pid`."""
    return program.replace(PID_MARK, struct.pack("<I", pid))
