"""Bots that try to have the host blamed, to think for nothing, or to let the opponent pay.

Each is tried in every sandbox. A request here is worth 300 ms of CPU and a second of waiting.
"""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from referee_kit import ALL_CORES, Table, bot, deviates, lines_of

from arena.protocol import Limits
from arena.referee import FaultName, MatchRecord

LIMITS = Limits(start_ms=2_000, move_ms=50, bank_ms=250)
CUTOFF_MS = 1_000
GOOD = bot()

SPINNING = """
import hashlib, threading
def spin():
    while True: hashlib.sha256(bytes(100_000))  # without the interpreter's lock: all of them run
"""
FOR_EVER = {
    "sleeps": "time.sleep(60)",
    "many_threads_spin": SPINNING
    + "for _ in range(14): threading.Thread(target=spin, daemon=True).start()\ntime.sleep(60)",
    "fork_attempts": "while True:\n    try: os.fork()\n    except OSError: pass",
    "tiny_sleeps": "while True: time.sleep(1e-5)",
    "tiny_sleeps_in_threads": "import threading\n"
    "def nap():\n    while True: time.sleep(1e-5)\n"
    "for _ in range(14): threading.Thread(target=nap, daemon=True).start()\ntime.sleep(60)",
    "timers_go_off": "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\n"
    "signal.setitimer(signal.ITIMER_REAL, 1e-5, 1e-5)\nwhile True: time.sleep(60)",
    "threads_end_at_once": "import threading\nwhile True:\n"
    "    thread = threading.Thread(target=int)\n    thread.start()\n    thread.join()",
    "pages_come_and_go": "import mmap\nwhile True:\n"
    "    with mmap.mmap(-1, 1 << 24, mmap.MAP_PRIVATE) as room: room[::4096] = bytes(4096)",
    "wakes_the_referee": "while True:\n    time.sleep(1e-4)\n    os.write(2, b'x')",
    "keeps_the_referee_reading": "while True:\n    time.sleep(0.05)\n"
    "    os.write(2, bytes(500_000))",
    "awake_when_it_is_looked_at": "while True:\n    time.sleep(0.101)\n    os.write(2, b'x')\n"
    "    end = time.monotonic() + 0.006\n    while time.monotonic() < end: pass",
}  # fmt: skip


def check_time(record: MatchRecord) -> None:
    (fault,) = record.faults
    assert (fault.seat, fault.name, fault.limit) == (0, FaultName.TIME, 300), fault
    assert fault.used is not None
    assert fault.used > 300
    assert record.winner == 1
    assert record.wall_ms < 60_000  # every wait ends


@pytest.mark.parametrize("trick", FOR_EVER)
def test_who_never_answers_is_out_of_time_whatever_it_does_meanwhile(
    anywhere: Table, trick: str
) -> None:
    check_time(anywhere.play(deviates(FOR_EVER[trick], at=1), GOOD, LIMITS))


def test_a_partner_that_burns_off_turn_makes_no_stall_for_a_sleeper(anywhere: Table) -> None:
    partner = bot(f"{SPINNING}\nthreading.Thread(target=spin, daemon=True).start()")
    record = anywhere.play(deviates(FOR_EVER["sleeps"], at=1), partner, LIMITS)
    check_time(record)
    assert record.seats[1].cpu_ms < 2_000 + CUTOFF_MS  # its start, and little after


@pytest.fixture
def busy(at_table: Table) -> Iterator[Table]:
    """The table, and two other programs that never leave its core."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    for other in others:
        os.sched_setaffinity(other.pid, {at_table.core})
    yield at_table
    for other in others:
        other.kill()
        other.wait()


@pytest.mark.parametrize("trick", FOR_EVER)
def test_a_core_that_others_keep_busy_hides_none_of_it(busy: Table, trick: str) -> None:
    check_time(busy.play(deviates(FOR_EVER[trick], at=1), GOOD, LIMITS))


A_WHILE = {
    "fork_attempts": "for _ in range(2000):\n    try: os.fork()\n    except OSError: pass",
    "tiny_sleeps": "for _ in range(300): time.sleep(1e-5)",
    "threads_end_at_once": "import threading\nfor _ in range(100):\n"
    "    thread = threading.Thread(target=int)\n    thread.start()\n    thread.join()",
    "pages_come_and_go": "import mmap\nfor _ in range(2):\n"
    "    with mmap.mmap(-1, 1 << 24, mmap.MAP_PRIVATE) as room: room[::4096] = bytes(4096)",
    "threads_spin": SPINNING
    + "def work():\n    for _ in range(10): hashlib.sha256(bytes(100_000))\n"
    "threads = [threading.Thread(target=work) for _ in range(10)]\n"
    "for thread in threads: thread.start()\nfor thread in threads: thread.join()",
    "words_on_stderr": "for _ in range(200): os.write(2, bytes(200))",
    "threads_spin_off_turn": SPINNING
    + "if n == 1: threading.Thread(target=spin, daemon=True).start()",
}


def metered(trick: str, *, leaves_at: int = 6) -> bytes:
    """Does the trick at every request, and notes its own CPU clock beside the reply."""
    lines = "\n".join("    " + line for line in A_WHILE[trick].splitlines())
    return bot(
        "usual = on_request\n"
        f"def on_request(m):\n    if n == {leaves_at}: os._exit(0)\n{lines}\n"
        "    return dict(usual(m), note=str(time.process_time_ns()))"
    )


@pytest.mark.parametrize("trick", A_WHILE)
def test_fc038_what_a_bot_burns_is_billed_as_its_own_clock_tells_it_and_nobody_else_pays(
    anywhere: Table, trick: str
) -> None:
    """Threads that spin while the opponent is on turn are paid for and then frozen there."""
    opponent = bot(
        "usual = on_request\ndef on_request(m):\n    time.sleep(0.05)\n"
        "    return dict(usual(m), note=str(m['clock']['bank_ms']))"
    )
    record = anywhere.play(metered(trick), opponent, Limits(start_ms=2_000))
    own_ms = [int(note) / 1e6 for _, note in record.seats[0].notes]
    billed_ms = [
        action[2] for line in lines_of(record) for action in line.get("actions", [])
        if action[0] == 0
    ]  # fmt: skip
    assert len(own_ms) == len(billed_ms) == 5
    burned_ms = own_ms[-1] - own_ms[0]
    assert sum(billed_ms[1:]) == pytest.approx(burned_ms, rel=0.25, abs=20)
    assert {note for _, note in record.seats[1].notes} == {"10000"}
    assert [(fault.seat, fault.name) for fault in record.faults] == [(0, FaultName.EXIT)]


def test_a_match_and_its_referee_share_one_core_which_no_bot_can_leave(anywhere: Table) -> None:
    mover = bot(
        "places = sorted(os.sched_getaffinity(0))\n"
        "refused = 0\n"
        "for target in (0, os.getpid()):\n"
        "    for core in range(8):\n"
        "        try: os.sched_setaffinity(target, {core})\n"
        "        except OSError: refused += 1\n"
        "after = sorted(os.sched_getaffinity(0))\n"
        "usual = on_request\n"
        "def on_request(m):\n"
        "    return dict(usual(m), note=json.dumps([places, after, refused]))"
    )
    record = anywhere.play(mover, mover)
    assert record.faults == ()
    for seat in record.seats:
        assert {note for _, note in seat.notes} == {f"[[{anywhere.core}], [{anywhere.core}], 16]"}


def test_the_table_leaves_the_tests_on_all_cores() -> None:
    assert sorted(os.sched_getaffinity(0)) == ALL_CORES
