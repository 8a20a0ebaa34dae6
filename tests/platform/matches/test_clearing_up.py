"""A worker clears up what killed ones have left, from its start on and whether it plays or not."""

import os
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from arena.sandbox import slots
from arena.sandbox.wall.orders import PYTHON_OPTIONS
from matches import health

pytestmark = pytest.mark.django_db

SLEEP = """
import os, sys, time
if len(sys.argv) > 2:
    os.setuid(int(sys.argv[1]))
print("up", flush=True)
time.sleep(60)
"""


@pytest.fixture
def leftover() -> Iterator["subprocess.Popen[str]"]:
    """A process called as a box is, with the label of a dead worker; as root under a box's uid."""
    label = "from arena.sandbox import label\nprint(label.mine())\n"
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    dead = subprocess.run(
        [sys.executable, "-c", label], env=path, capture_output=True, text=True, check=True
    ).stdout.strip()
    slot = slots.take() if os.geteuid() == 0 else None
    words = [str(slot.uid), dead] if slot else [dead]
    with subprocess.Popen(
        [sys.executable, PYTHON_OPTIONS[0], "-c", SLEEP, *words], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()
    if slot:
        slot.release()


def test_a_worker_that_plays_nothing_clears_up(leftover: "subprocess.Popen[str]") -> None:
    health.keep_clear()
    try:
        assert leftover.wait(20) == -9
    finally:
        health.say_stopped(SimpleNamespace(hostname="one"))
