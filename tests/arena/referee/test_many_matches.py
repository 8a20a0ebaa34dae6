"""Many matches in one process on a busy machine: no time lost, nothing left, nothing grown."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from referee_kit import ALL_CORES, Table

from arena.house import house_bot_files, pack
from arena.referee import Entrant, MatchSpec
from arena.referee.host import Host
from arena.sandbox import BoxLimits, Pool
from arena.santase import ruleset


def resident_kb() -> int:
    """Memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def play_many(table: Table, count: int) -> None:
    files = house_bot_files("random")
    entrant = Entrant("random", pack(files).hex()[:64], files)
    spec = MatchSpec("m_many", "0" * 64, (entrant, entrant), ruleset())
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(2 * len(ALL_CORES))
    ]
    try:
        with Pool(table.sandbox, BoxLimits(), table.core, size=4) as pool:
            host = Host(table.sandbox, (pool, pool), table.core)
            for number in range(count + 10):
                if number == 10:  # everything that is made once has been made
                    files_before, kb_before = open_files(), resident_kb()
                record = host.play(replace(spec, seed=f"{number:064x}")).record
                assert record.faults == ()
                assert all(seat.exit.survivors == 0 for seat in record.seats)
            assert open_files() == files_before
            assert resident_kb() - kb_before < 5_000
    finally:
        os.sched_setaffinity(0, set(ALL_CORES))
        for child in busy:
            child.kill()
            child.wait()


def test_fc033_instant_bots_lose_no_time_on_a_busy_machine(at_table: Table) -> None:
    play_many(at_table, 20)


@pytest.mark.soak
def test_fc033_a_thousand_matches_on_a_busy_machine(at_table: Table) -> None:
    play_many(at_table, 1_000)
