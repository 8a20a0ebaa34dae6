"""Many matches in one process on a busy machine: no time lost, nothing left, nothing grown."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from referee_kit import ALL_CORES, KINDS, Table, resident_kb, table

from arena.house import house_bot_files, pack
from arena.referee import Entrant, MatchSpec
from arena.referee.host import BOXES_AHEAD, Host
from arena.sandbox import BoxLimits, Pool, belt, janitor
from arena.sandbox.engine import Engine
from arena.santase import ruleset

WARM = 10
"""Matches after which everything that is made once has been made."""


def children() -> set[str]:
    """Processes that this one started, or that came to it from a box, running or not reaped."""
    own = Path("/proc/self/task").iterdir()
    return {pid for thread in own for pid in (thread / "children").read_text().split()}


def control_groups() -> set[str]:
    """Groups that carry this process's name."""
    return {
        name
        for _, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        if name.startswith("santase-box-") and f"-{os.getpid()}-" in name
    }


def containers() -> list[str]:
    mine = janitor.owner().name
    with Engine() as engine:
        return [name for name, labels in engine.boxes() if mine in labels.values()]


def folders() -> list[str]:
    """What lies in the folder of this process's boxes, beside its lock."""
    return sorted(entry.name for entry in janitor.owner().folder.iterdir() if entry.name != "lock")


def _remove_what_was_busy(kind: str) -> None:
    """As a worker's janitor does each minute; what belongs to a living box it leaves."""
    for folder in belt.leftovers():
        belt.remove(folder)
    if kind == "docker":
        with Engine() as engine:
            janitor.sweep(engine)


def left_of(kind: str) -> Callable[[], list[str]]:
    """What is left of boxes made from now on: asked again, as containers go in the background."""
    before, groups = children(), control_groups()
    threads = threading.enumerate()

    def left() -> list[str]:
        _remove_what_was_busy(kind)
        names = [*(children() - before), *(control_groups() - groups)]
        if kind == "docker":
            names += [*containers(), *folders()]
        return names + [repr(each) for each in threading.enumerate() if each not in threads]

    return left


@pytest.fixture
def busy() -> Iterator[None]:
    """Two programs for each core that never rest."""
    programs = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(2 * len(ALL_CORES))
    ]
    yield
    for program in programs:
        program.kill()
        program.wait()


def until_none(left: Callable[[], list[str]], within_s: float = 60.0) -> None:
    end = time.monotonic() + within_s
    while names := left():
        assert time.monotonic() < end, names
        time.sleep(0.01)


def play_many(at: Table, kind: str, count: int) -> None:
    """Plays so many matches of instant bots; prints what they took."""
    files = house_bot_files("random")
    entrant = Entrant("random", pack(files).hex()[:64], files)
    spec = MatchSpec("m_many", "0" * 64, (entrant, entrant), ruleset())
    voids, left = 0, left_of(kind)
    try:
        with Pool(at.sandbox, BoxLimits(), at.core, size=BOXES_AHEAD) as pool:
            host = Host(at.sandbox, (pool, pool), at.core)
            for number in range(WARM + count):
                if number == WARM:
                    files_before, kb_before = len(os.listdir("/proc/self/fd")), resident_kb()
                    began = time.monotonic()
                played = host.play(replace(spec, seed=f"{number:064x}"))
                voids += played.voids
                assert played.record.faults == ()
                assert all(seat.exit.survivors == 0 for seat in played.record.seats)
            took_s, grown_kb = time.monotonic() - began, resident_kb() - kb_before
            until_none(lambda: os.listdir("/proc/self/fd")[files_before:])
    finally:
        os.sched_setaffinity(0, set(ALL_CORES))
    until_none(left)
    print(f"{kind}: {count} matches, {voids} voids, {grown_kb} KB grown, {took_s:.0f} s")
    assert grown_kb < 5_000


# In `make test` a hundred in one sandbox; the others show in a sample that they are no different.
@pytest.mark.parametrize(("kind", "count"), [("bubblewrap", 100), ("landlock", 20), ("docker", 20)])
def test_fc033_instant_bots_lose_no_time_on_a_busy_machine(
    busy: None, kind: str, count: int
) -> None:
    play_many(table(kind), kind, count)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_fc033_a_thousand_matches_on_a_busy_machine(busy: None, kind: str) -> None:
    play_many(table(kind), kind, 1_000)
