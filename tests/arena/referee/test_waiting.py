"""Who waits for the core, and who only looks as if: what the kernel's account of threads tells."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from referee_kit import ALL_CORES, Table

from arena.referee.waiting import Waiting, wants_to_run

MS = 1_000_000
Start = Callable[[str], int]


@pytest.fixture
def start(at_table: Table) -> Iterator[Start]:
    """Starts Python programs on the table's core, this process among them: their pids."""
    os.sched_setaffinity(0, {at_table.core})
    children: list[subprocess.Popen[bytes]] = []

    def started(source: str) -> int:
        child = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE)
        children.append(child)
        assert child.stdout is not None
        assert child.stdout.read(3) == b"up\n"
        return child.pid

    yield started
    os.sched_setaffinity(0, set(ALL_CORES))
    for child in children:
        child.kill()
        child.communicate()


SPIN = "print('up', flush=True)\nwhile True: pass"
SLEEP = "import time\nprint('up', flush=True)\ntime.sleep(600)"
AWAKE_WHEN_LOOKED_AT = """
import time
print("up", flush=True)
while True:
    time.sleep(0.4)
    print("look", flush=True)  # and still at it when it is looked at
    end = time.monotonic() + 0.02
    while time.monotonic() < end: pass
"""
THREADS = """
import hashlib, threading
def work():
    while True: hashlib.sha256(bytes(1_000_000))
for _ in range(3): threading.Thread(target=work, daemon=True).start()
print("up", flush=True)
threading.Event().wait()
"""


def until(condition: Callable[[], bool], within_s: float = 20.0) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def measured(pid: int, laps: int, lap_s: float = 0.1) -> tuple[int, int]:
    """What a process waited, and the time that passed, while we keep the core busy."""
    began = time.monotonic_ns()
    waiting, held = Waiting(pid, began), 0
    for _ in range(laps):
        spin(lap_s)
        held += sum(waiting.lap_ns(time.monotonic_ns()))
    return held, time.monotonic_ns() - began


def test_who_wants_to_run_waits_while_others_have_the_core(start: Start) -> None:
    held, wall = measured(start(SPIN), 10)
    assert 0.2 * wall < held <= wall


def test_who_sleeps_waits_for_nothing(start: Start) -> None:
    pid = start(SLEEP)
    until(lambda: not wants_to_run(pid))
    held, wall = measured(pid, 10)
    assert held < 0.1 * wall


def test_who_works_in_threads_waits_with_each_of_them_but_time_counts_once(start: Start) -> None:
    held, wall = measured(start(THREADS), 10)
    assert 0.2 * wall < held <= wall


def test_who_never_gets_the_core_waits_in_one_piece(start: Start) -> None:
    pid, _ = start(SPIN), start(SPIN)
    os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))  # it runs when nobody else will
    began = time.monotonic_ns()
    waiting, short, long = Waiting(pid, began), 0, 0
    for _ in range(60):
        spin(0.02)  # shorter than what is between two turns of such a process
        lap = waiting.lap_ns(time.monotonic_ns())
        short, long = short + lap[0], long + lap[1]
    assert long > 0.5 * (time.monotonic_ns() - began)
    assert long > short


def test_to_be_awake_whenever_one_is_looked_at_gains_nothing(at_table: Table) -> None:
    os.sched_setaffinity(0, {at_table.core})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    with subprocess.Popen(
        [sys.executable, "-c", AWAKE_WHEN_LOOKED_AT], stdout=subprocess.PIPE
    ) as bot:
        try:
            assert bot.stdout is not None
            assert bot.stdout.readline() == b"up\n"
            bot.stdout.readline()
            began = time.monotonic_ns()
            waiting, held, awake = Waiting(bot.pid, began), 0, 0
            for _ in range(6):
                bot.stdout.readline()
                awake += wants_to_run(bot.pid)
                held += sum(waiting.lap_ns(time.monotonic_ns()))
            wall = time.monotonic_ns() - began
        finally:
            os.sched_setaffinity(0, set(ALL_CORES))
            for child in (bot, *others):
                child.kill()
                child.wait()
    assert awake >= 3  # or the test would show nothing
    assert held < 0.5 * wall


def test_of_a_process_that_is_gone_all_the_time_counts() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    waiting = Waiting(child.pid, 0)
    assert waiting.lap_ns(7 * MS) == (7 * MS, 0)
