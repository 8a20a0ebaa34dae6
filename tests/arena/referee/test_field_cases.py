"""Failures that other platforms have had, around clocks and ends: they do not happen here."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from referee_kit import Table, bot, deviates

from arena.protocol import Limits
from arena.referee import FaultName
from arena.referee.referee import GRACE_MS

BURN = "end = time.process_time() + {s}\n    while {when} and time.process_time() < end: pass"


def test_fc026_the_first_match_of_a_fresh_process_is_charged_for_no_start() -> None:
    program = (
        "from referee_kit import bot, table\n"
        "from arena.protocol import Limits\n"
        "print(table().play(bot(), bot(), Limits(move_ms=300, bank_ms=0)).faults)"
    )
    for _ in range(3):
        played = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True,
            text=True,
        )
        assert (played.stdout, played.stderr) == ("()\n", "")


def test_fc028_a_rematch_at_once_has_the_whole_bank(at_table: Table) -> None:
    spender = bot(
        "usual = on_request\n"
        "def on_request(m):\n"
        "    sys.stderr.write('%d\\n' % m['clock']['bank_ms'])\n"
        "    " + BURN.format(s=0.4, when="n == 1") + "\n"
        "    return usual(m)"
    )
    limits = Limits(start_ms=2_000, move_ms=20, bank_ms=5_000)
    for _ in range(2):
        banks = at_table.play(spender, bot(), limits).seats[0].stderr.split()
        assert int(banks[0]) == 5_000
        assert int(banks[-1]) <= 5_000 - 300


def test_fc007_moves_without_end_and_without_reading_are_a_fault_at_once(at_table: Table) -> None:
    flood = deviates(
        'line = json.dumps(usual(m)) + "\\n"\nwhile True: sys.stdout.write(line)', at=2
    )
    began = time.monotonic()
    record = at_table.play(flood, bot())
    assert (record.winner, record.faults[0].name) == (1, FaultName.PROTOCOL)
    assert time.monotonic() - began < 20


def test_a_reply_a_byte_at_a_time_is_a_reply(at_table: Table) -> None:
    drips = bot(
        "def say(message):\n"
        "    for letter in (json.dumps(message) + chr(10)).encode():\n"
        "        os.write(1, bytes([letter]))"
    )
    assert at_table.play(drips, bot()).faults == ()


def test_pipes_in_packet_mode_carry_a_whole_match(at_table: Table) -> None:
    odd = bot(
        "import fcntl\nfor fd in 0, 1, 2:\n"
        "    mode = fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_DIRECT | os.O_ASYNC\n"
        "    fcntl.fcntl(fd, fcntl.F_SETFL, mode)"
    )
    assert at_table.play(odd, bot()).faults == ()


def test_fc048_who_ignores_the_end_of_file_is_ended_after_the_grace(at_table: Table) -> None:
    stays = bot(
        "import atexit\ndef stay():\n"
        "    sys.stderr.write('staying')\n"
        "    while True: time.sleep(60)\n"
        "atexit.register(stay)"
    )
    began = time.monotonic()
    record = at_table.play(stays, bot())
    assert record.faults == ()
    assert record.seats[0].stderr == b"staying"
    assert record.seats[0].exit.killed
    assert record.seats[0].exit.survivors == 0
    assert time.monotonic() - began < 10 * GRACE_MS / 1000 + 20


def test_fc049_matches_cut_short_leave_no_thread_and_no_descriptor(at_table: Table) -> None:
    ends = [
        *("sys.exit(1)", "os.kill(os.getpid(), 9)", "os.close(1); time.sleep(60)"),
        *("print('x')", "sys.stdout.write('x' * 9999)", "x = bytearray(4 << 30)"),
    ]
    counts = set()
    for _ in range(2):  # the first round makes what is made once
        for end in ends:
            assert at_table.play(deviates(end, at=2), bot()).winner == 1
        counts.add((threading.active_count(), len(os.listdir("/proc/self/fd"))))
    assert len(counts) == 1
