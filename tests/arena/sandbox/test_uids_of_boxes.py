"""Uids of boxes, for workers that are root."""

import ctypes
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from arena.sandbox import Leftover, leftovers, slots, sweep
from arena.sandbox.process import process_state

ORPHAN = """
import os, time
open("/proc/self/comm", "wb").write({name!r})
os.setuid({uid})
if os.fork():
    os._exit(0)
print(os.getpid(), flush=True)
os.close(1)
time.sleep(60)
"""


@pytest.fixture
def no_subreaper() -> Iterator[None]:
    """Lets orphans of this process go to init, as those of a killed worker do."""
    libc = ctypes.CDLL(None)
    libc.prctl(36, 0, 0, 0, 0)
    yield
    libc.prctl(36, 1, 0, 0, 0)


def orphan_under(uid: int, name: bytes = b"bot") -> int:
    script = ORPHAN.format(uid=uid, name=name)
    made = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True
    )
    return int(made.stdout)


def test_a_uid_is_given_once_until_it_is_released() -> None:
    held = [slots.take() for _ in range(5)]
    assert len({slot.uid for slot in held}) == 5
    for slot in held:
        slot.release()
        slot.release()


@pytest.mark.parametrize("name", [b"bot", b"\xff) S 7\n"])
def test_what_a_killed_worker_left_is_ended_however_it_calls_itself(
    no_subreaper: None, name: bytes
) -> None:
    slot = slots.take()
    slot.release()
    pid = orphan_under(slot.uid, name)
    assert Leftover("process", str(pid)) in leftovers().left
    assert process_state(pid) in "RS"
    assert Leftover("process", str(pid)) in sweep().removed
    deadline = time.monotonic() + 10
    while process_state(pid) not in "XZ":
        assert time.monotonic() < deadline
        select.select([], [], [], 0.005)


def test_what_a_living_worker_holds_is_left_alone(no_subreaper: None) -> None:
    slot = slots.take()
    pid = orphan_under(slot.uid)
    assert Leftover("process", str(pid)) not in leftovers().left
    sweep()
    assert process_state(pid) in "RS"
    os.kill(pid, 9)
    slot.release()
