"""The clock of PROTOCOL §4: what is billed, and what the host's load does not cost."""

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_kit import Table, bot, lines_of

from arena.protocol import Limits
from arena.referee.clock import (
    Allowance,
    CoreAccount,
    backstop_ns,
    held_up_ns,
    host_is_suspect,
    stall_of,
)

MS = 1_000_000
times_ns = st.integers(0, 100_000 * MS)


@given(cpu=times_ns, wall=times_ns)
def test_a_charge_is_the_cpu_or_the_wall_share_whichever_is_more(cpu: int, wall: int) -> None:
    allowance = Allowance(100 * MS, 10_000 * MS, 3)
    assert allowance.charge_ns(cpu, wall, 0) == max(cpu, wall // 3)
    assert allowance.charge_ns(cpu, wall, wall) == cpu
    assert allowance.charge_ns(None, wall, 0) == wall


@given(st.lists(times_ns, max_size=20))
def test_the_bank_pays_what_is_above_the_free_time_and_is_never_overdrawn(
    charges: list[int],
) -> None:
    allowance = Allowance(100 * MS, 10_000 * MS, 3)
    for charge in charges:
        bank = allowance.bank_ns
        paid = allowance.pay(charge)
        assert paid is (charge <= 100 * MS + bank)
        assert allowance.bank_ns == (bank - max(0, charge - 100 * MS) if paid else bank)
        assert allowance.bank_ns >= 0


def test_fc014_a_charge_one_nanosecond_above_the_limit_is_not_paid() -> None:
    allowance = Allowance(100 * MS, 0, 3)
    assert not allowance.pay(100 * MS + 1)
    assert allowance.pay(100 * MS)


def test_a_request_is_cut_off_after_a_second_at_the_earliest() -> None:
    assert Allowance(1 * MS, 0, 3).cutoff_ns == 1_000 * MS
    assert Allowance(1_000 * MS, 0, 3).cutoff_ns == 3_000 * MS


@pytest.mark.parametrize(
    ("others", "held", "wall", "stall"),
    [
        *((0, 100, 100, 0), (100, 0, 100, 0), (19, 100, 100, 0), (100, 19, 100, 0)),
        *((20, 100, 100, 20), (100, 20, 100, 20), (150, 150, 100, 100)),
    ],
)
def test_a_stall_is_what_others_had_while_the_bot_waited_and_below_a_fifth_none(
    others: int, held: int, wall: int, stall: int
) -> None:
    assert stall_of(others, held, wall) == stall


@pytest.mark.parametrize(
    ("waited", "in_one_piece", "cpu", "held_up"),
    [
        *((900, 0, 0, 900), (30_000, 0, 0, 1_000)),  # it slept, to wait again
        *((5_000, 0, 1_000, 5_000), (30_000, 0, 1_000, 11_000)),
        *((0, 30_000, 0, 30_000), (30_000, 5_000, 1_000, 16_000)),
    ],
)
def test_short_waits_beside_little_cpu_are_not_believed_and_one_long_wait_is(
    waited: int, in_one_piece: int, cpu: int, held_up: int
) -> None:
    assert held_up_ns(waited * MS, in_one_piece * MS, cpu * MS) == held_up * MS


@given(times_ns, times_ns, times_ns, times_ns)
def test_no_bot_gets_to_the_backstop_by_waits_of_its_own_making(
    waited: int, cpu: int, limit: int, room: int
) -> None:
    cutoff, cpu = max(3 * limit, 1_000 * MS), min(cpu, limit)
    wall = backstop_ns(limit, cutoff) + room
    assert wall - stall_of(wall, held_up_ns(waited, 0, cpu), wall) >= cutoff


def test_only_a_gap_that_nothing_explains_makes_the_host_suspect() -> None:
    assert host_is_suspect(2_000 * MS, 0, 0)
    assert not host_is_suspect(2_000 * MS, 1_500 * MS, 0)
    assert not host_is_suspect(2_000 * MS, 0, 1_500 * MS)


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_what_others_run_on_the_core_is_a_stall_and_own_work_is_not(at_table: Table) -> None:
    os.sched_setaffinity(0, {at_table.core})
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    account = CoreAccount(at_table.core, time.process_time_ns)
    try:
        account.start_lap()
        spin(1.0)
        shared_ns = account.lap_ns()
    finally:
        other.kill()
        other.wait()
        account.close()
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    assert shared_ns > 250 * MS


PONDER = """
import threading
def burn():
    while True: pass
threading.Thread(target=burn, daemon=True).start()
"""


def test_fc038_thinking_on_the_opponents_time_is_billed_and_then_frozen(at_table: Table) -> None:
    slow = bot("usual = on_request\ndef on_request(m):\n    time.sleep(0.05)\n    return usual(m)")
    record = at_table.play(bot(PONDER), slow, Limits(start_ms=2_000))
    cpu_ms = [
        action[2]
        for line in lines_of(record)
        for action in line.get("actions", [])
        if action[0] == 0
    ]
    assert cpu_ms[0] > 5  # it burned while the other slept: billed
    assert sum(cpu_ms) < 0.5 * 50 * len(cpu_ms)  # frozen off turn, it could not go on like that


def test_fc027_a_slow_start_is_charged_to_the_start_only(at_table: Table) -> None:
    limits = Limits(start_ms=2_000, move_ms=100, bank_ms=100)
    record = at_table.play(bot("time.sleep(1.5)"), bot(), limits)
    assert record.faults == ()


def test_the_bank_of_a_request_is_what_the_replies_before_have_left(at_table: Table) -> None:
    teller = bot(
        "usual = on_request\n"
        "def on_request(m):\n"
        "    sys.stderr.write('%d\\n' % m['clock']['bank_ms'])\n"
        "    end = time.process_time() + 0.06\n"
        "    while n == 2 and time.process_time() < end: pass\n"
        "    return usual(m)"
    )
    record = at_table.play(teller, bot(), Limits(start_ms=2_000, move_ms=20, bank_ms=5_000))
    banks = [int(line) for line in record.seats[0].stderr.split()]
    assert banks[0] == 5_000
    assert banks == sorted(banks, reverse=True)
    assert banks[2] <= 5_000 - 40
    assert record.faults == ()


def test_cpu_and_wall_of_every_action_stand_in_the_replay(at_table: Table) -> None:
    record = at_table.play(bot(), bot())
    actions = [action for line in lines_of(record) for action in line.get("actions", [])]
    assert all(cpu_ms >= 0 and wall_ms > 0 for _, _, cpu_ms, wall_ms in actions)
    assert any(cpu_ms > 0 for _, _, cpu_ms, _ in actions)
