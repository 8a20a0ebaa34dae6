"""Two bots that would tell each other something, in boxes side by side."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import KINDS, converse, replied, sandbox

from arena.sandbox import Box, BoxLimits

FUTEX = """
import ctypes, json, os, platform, sys, time
libc = ctypes.CDLL(None, use_errno=True)
number = 98 if platform.machine() == "aarch64" else 202
page = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~0xFFF  # of a file that both have mapped
word = ctypes.c_uint32.from_address(page).value
sys.stdin.readline()
"""
SLEEPER = (
    FUTEX
    + """
until = (ctypes.c_long * 2)(3, 0)
result = libc.syscall(number, ctypes.c_void_p(page), 0, word, until, None, 0)
print(json.dumps(result == 0), flush=True)
"""
)
WAKER = (
    FUTEX
    + """
woken = 0
for _ in range(20):
    woken = max(woken, libc.syscall(number, ctypes.c_void_p(page), 1, 1, None, None, 0))
    time.sleep(0.05)
print(json.dumps(woken), flush=True)
"""
)
READER = """
import os, sys
folder = os.path.dirname(os.__file__)
sys.stdin.readline()
for name in ("aifc.py", "antigravity.py", "asynchat.py", "binhex.py", "cgi.py", "this.py"):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        READ
print("done", flush=True)
"""


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def boxes(kind: str) -> Iterator[tuple[Box, Box]]:
    back_end: Any = sandbox(kind)
    pair = back_end.start(BoxLimits(), None), back_end.start(BoxLimits(), None)
    yield pair
    for box in pair:
        assert box.stop("test over").survivors == 0


def say(box: Box, source: str) -> str:
    """What a bot of `source` says first."""
    out, err, _ = converse(box, {"bot.py": source.encode()}, b"go\n", 10.0, replied)
    assert out, err
    return str(out.decode().splitlines()[-1])


def test_a_bot_cannot_wake_one_that_sleeps_on_a_file_of_the_runtime(
    boxes: tuple[Box, Box],
) -> None:
    sleeper, waker = boxes
    sleeper.load({"bot.py": SLEEPER.encode()})
    os.write(sleeper.stdin, b"go\n")
    assert json.loads(say(waker, WAKER)) <= 0
    assert json.loads(os.read(sleeper.stdout, 100)) is False


def test_a_bot_leaves_no_trace_in_the_files_that_it_reads(
    monkeypatch: pytest.MonkeyPatch, reachable: Path, kind: str
) -> None:
    monkeypatch.setenv("SANTASE_RUNTIME", str(reachable / "base"))  # a copy that no one has read
    back_end: Any = sandbox(kind)
    look = READER.replace("READ", "print(os.stat(path).st_atime_ns, end=' ')")
    read = READER.replace("READ", "open(path, 'rb').read()")
    said = []
    for source in (look, read, look):
        box = back_end.start(BoxLimits(), None)
        try:
            said.append(say(box, source))
        finally:
            box.stop("said")
    assert said[0] == said[2]
    assert len(said[0].split()) > 1


def test_no_process_of_its_user_can_look_into_a_bot(boxes: tuple[Box, Box]) -> None:
    """And a crash hands its memory to no program of the host."""
    for box in boxes:
        box.wait_ready()
        assert os.stat(f"/proc/{box.pid}/environ").st_uid != os.stat(f"/proc/{box.pid}").st_uid
