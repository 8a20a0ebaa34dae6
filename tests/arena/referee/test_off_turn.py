"""What a bot does while it is not asked harms itself alone."""

import hashlib

import pytest
from referee_kit import SEED, Table, bot

from arena.protocol import Limits
from arena.referee import Entrant, FaultName, MatchSpec, play_match
from arena.sandbox import BoxLimits
from arena.santase import ruleset

LIMITS = Limits(start_ms=1_000, move_ms=100, bank_ms=1_000)
BURN = """
import hashlib, threading
def burn():
    block = bytes(4_000_000)
    while True:
        hashlib.sha256(block)  # without the interpreter's lock: every thread runs
def burn_from_now_on():
    for _ in range(16):
        threading.Thread(target=burn, daemon=True).start()
"""
BURN_AFTER = {
    "ready": BURN
    + """
usually = say
def say(message):
    usually(message)
    if message == {"type": "ready"}:
        burn_from_now_on()
""",
    "a line that is too long": BURN + 'burn_from_now_on()\nprint("?" * 5000)\ntime.sleep(99)',
}
LEAVE = "\ndef on_request(m):\n    os._exit(0)"
THINK = "end = time.process_time() + 0.8\nwhile time.process_time() < end: pass"


@pytest.mark.parametrize("said", BURN_AFTER)
def test_who_has_answered_hello_cannot_spoil_the_start_of_the_other(
    at_table: Table, said: str
) -> None:
    limits = Limits(start_ms=400, move_ms=100, bank_ms=500, wall_factor=20)
    sleeper = bot("time.sleep(3)")  # more than the CPU that the other one may use
    record = at_table.play(bot(BURN_AFTER[said] + LEAVE), sleeper, limits)
    assert [fault.seat for fault in record.faults] == [0]


def test_files_that_do_not_fit_into_a_bots_memory_are_its_own_fault(at_table: Table) -> None:
    limits = Limits(memory_mb=40)
    boxes = [at_table.sandbox.start(BoxLimits(memory_mb=40), at_table.core) for _ in range(2)]
    entrants = [
        Entrant(name, hashlib.sha256(name.encode()).hexdigest(), files)
        for name, files in (
            ("large", {"bot.py": bot(), "weights.bin": bytes(20_000_000)}),
            ("small", {"bot.py": bot()}),
        )
    ]
    spec = MatchSpec("m_test", SEED, (entrants[0], entrants[1]), ruleset("santase-bg"), limits)
    record = play_match(spec, (boxes[0], boxes[1]), at_table.sandbox, at_table.core)
    assert record.winner == 1
    assert record.faults[0].name is FaultName.START
    assert str(record.faults[0].cause).startswith("memory")


def test_h26_a_bot_is_frozen_as_soon_as_it_burns_while_the_other_thinks(at_table: Table) -> None:
    thinker = bot(
        "usual = on_request\ndef on_request(m):\n    if n == 1:\n        "
        + THINK.replace("\n", "\n        ")
        + "\n    return usual(m)"
    )
    record = at_table.play(bot(BURN_AFTER["ready"] + LEAVE), thinker, LIMITS)  # seat 1 leads
    assert [(fault.seat, fault.name) for fault in record.faults] == [(0, FaultName.EXIT)]
    assert record.seats[0].cpu_ms < 400


NOISE = {
    "stderr in single bytes": """
import threading
def drip():
    while True:
        os.write(2, b".")
threading.Thread(target=drip, daemon=True).start()
""",
    "a timer that never rests": """
import signal
signal.signal(signal.SIGALRM, lambda number, frame: None)
signal.setitimer(signal.ITIMER_REAL, 2e-4, 2e-4)
""",
}


@pytest.mark.parametrize("noise", NOISE)
def test_noise_costs_the_other_bot_nothing(at_table: Table, noise: str) -> None:
    quiet, noisy = at_table.play(bot(), bot()), at_table.play(bot(NOISE[noise]), bot())
    assert noisy.faults == ()
    assert noisy.seats[0].cpu_ms > quiet.seats[0].cpu_ms  # it was felt by whoever made it
    assert noisy.seats[1].cpu_ms < 10 * max(quiet.seats[1].cpu_ms, 5.0)
