"""What the host does wrong costs nobody the match: it is void and played again from its seed."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pipe_kit import PipeMatches, Script
from referee_kit import ALL_CORES, SEED, Table, bot, deviates

from arena.protocol import Limits
from arena.referee import Entrant, FaultName, HostFault, MatchSpec
from arena.referee.host import BoxSource, Host
from arena.sandbox import Box, BoxError, BoxLimits, Pool
from arena.santase import ruleset

LIMITS = Limits(start_ms=2_000, move_ms=100, bank_ms=200)


class Boxes:
    """A source of boxes that remembers those in play."""

    def __init__(self, table: Table, fails: int = 0) -> None:
        self.table, self.fails, self.taken = table, fails, list[Box]()

    def take(self) -> Box:
        if self.fails:
            self.fails -= 1
            raise BoxError("no memory left")
        self.taken.append(self.table.sandbox.start(BoxLimits(), self.table.core))
        return self.taken[-1]

    def fill(self) -> None:
        """Nothing is kept ready."""


def spec(first: bytes, second: bytes, limits: Limits = LIMITS) -> MatchSpec:
    entrants = [Entrant(name, "0" * 64, {"bot.py": source})
                for name, source in (("first", first), ("second", second))]  # fmt: skip
    return MatchSpec("m_void", SEED, (entrants[0], entrants[1]), ruleset(), limits)


@contextlib.contextmanager
def host(table: Table, *sources: BoxSource) -> Iterator[Host]:
    """Plays on the table's core, with boxes of these sources by seat."""
    try:
        yield Host(table.sandbox, (sources[0], sources[-1]), table.core)
    finally:
        os.sched_setaffinity(0, set(ALL_CORES))


@pytest.fixture
def starved(at_table: Table) -> Iterator[int]:
    """A process on the table's core that wants to run and never gets to it, and who keeps it away.

    Here it is one that runs when nobody else will; in the tests' own session, or the kernel would
    share out by sessions.
    """
    last, first = (subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2))
    for child in (last, first):
        os.sched_setaffinity(child.pid, {at_table.core})
    os.sched_setscheduler(last.pid, os.SCHED_IDLE, os.sched_param(0))
    yield last.pid
    for child in (last, first):
        child.kill()
        child.wait()


@pytest.mark.slow
def test_fc040_a_bot_that_its_core_never_gets_to_is_nobodys_loss_and_the_wait_ends(
    at_table: Table, starved: int
) -> None:
    """Its request is worth a second; ten times that and more is what no bot can bring about."""
    began = time.monotonic()
    matches = PipeMatches()
    with pytest.raises(HostFault, match="others had the core"):
        matches.play(Script(), pid=starved, core=at_table.core)
    matches.close()
    assert 10 < time.monotonic() - began < 100


def test_a_bot_that_sleeps_beside_it_is_out_of_time(at_table: Table, starved: int) -> None:
    matches = PipeMatches()
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    record, _ = matches.play(Script(), pid=sleeper.pid, core=at_table.core)
    sleeper.communicate(b"\n")
    matches.close()
    assert [(fault.seat, fault.name) for fault in record.faults] == [(1, FaultName.TIME)]


def test_fc037_a_worker_that_stood_still_while_a_bot_was_asked_voids_the_match(
    at_table: Table,
) -> None:
    """In a process of its own, so that nobody wonders why the tests have stopped."""
    sleeper = deviates("time.sleep(1)\nreturn usual(m)", at=1)
    told, tell = os.pipe()
    worker = os.fork()
    if worker == 0:
        with host(at_table, Boxes(at_table)) as playing:
            calls = iter([b"waiting "])
            played = playing.play(
                spec(sleeper, sleeper, Limits(start_ms=2_000)),
                lambda: os.write(tell, next(calls, b"")),
            )
        os.write(tell, b"%d voids, %d faults" % (played.voids, len(played.record.faults)))
        os._exit(0)
    os.close(tell)
    with open(told, "rb", buffering=0) as said:
        assert said.read(100) == b"waiting "
        os.kill(worker, signal.SIGSTOP)
        time.sleep(2)  # the standstill itself
        os.kill(worker, signal.SIGCONT)
        assert said.read(100) == b"1 voids, 0 faults"
    assert os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]) == 0


def test_fc040_the_referee_gives_signs_of_life_while_it_waits_for_a_reply(at_table: Table) -> None:
    calls: list[float] = []
    slow = deviates("time.sleep(1)\nos._exit(0)", at=1)
    with host(at_table, Boxes(at_table)) as playing:
        played = playing.play(
            spec(slow, slow, Limits(start_ms=2_000)), lambda: calls.append(time.monotonic())
        )
    assert played.record.faults[0].name is FaultName.EXIT
    assert len(calls) > 2  # and no reply has come


def test_a_host_that_fails_four_times_is_left_to_a_person(at_table: Table) -> None:
    with host(at_table, Boxes(at_table, fails=4)) as playing:
        with pytest.raises(HostFault, match=r"void 4 times.*no memory left"):
            playing.play(spec(bot(), bot()))
        assert playing.play(spec(bot(), bot())).voids == 0


def test_fc055_a_box_that_did_not_start_is_nobodys_loss_and_the_match_is_played(
    at_table: Table,
) -> None:
    good, failing = Boxes(at_table), Boxes(at_table, fails=3)
    with host(at_table, good, failing) as playing:
        played = playing.play(spec(bot(), bot()))
    assert (played.voids, played.record.faults) == (3, ())
    assert all(box.stop("again").survivors == 0 for box in good.taken)


class Interrupted(Exception):
    """What goes wrong on our side in the middle of a match."""


def test_fc041_fc049_matches_that_we_break_off_leave_no_process_thread_or_file(
    at_table: Table,
) -> None:
    def break_off() -> None:
        raise Interrupted

    def left() -> tuple[int, int]:
        return threading.active_count(), len(os.listdir("/proc/self/fd"))

    def children() -> set[str]:
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())

    there = children()
    with Pool(at_table.sandbox, BoxLimits(), at_table.core, size=2) as pool:
        playing = Host(at_table.sandbox, (pool, pool), at_table.core)
        try:
            pool.fill()
            before = left()
            for _ in range(20):
                with pytest.raises(Interrupted):
                    playing.play(spec(bot(), bot()), break_off)
                pool.close()
            pool.fill()
            assert left() == before
            pool.close()
            assert playing.play(spec(bot(), bot())).record.faults == ()
        finally:
            os.sched_setaffinity(0, set(ALL_CORES))
    assert children() - there == set()


def test_fc026_the_first_match_in_a_cold_box_is_not_charged_for_its_start(at_table: Table) -> None:
    limits = Limits(start_ms=2_000, move_ms=300, bank_ms=0)
    for _ in range(20):
        with (
            Pool(at_table.sandbox, BoxLimits(), at_table.core, size=0) as cold,
            host(at_table, cold) as playing,
        ):
            played = playing.play(spec(bot(), bot("import asyncio, decimal"), limits))
        assert (played.voids, played.record.faults) == (0, ())


def test_fc028_fc029_a_clock_knows_nothing_of_the_match_before_or_of_the_referees_pauses(
    at_table: Table,
) -> None:
    """Time between a reply and the next request is nobody's."""
    teller = bot(
        "usual = on_request\ndef on_request(m):\n"
        "    if n == 4: os._exit(0)\n"
        "    return dict(usual(m), note=str(m['clock']['bank_ms']))"
    )
    limits = Limits(start_ms=2_000, move_ms=100, bank_ms=500)
    spent = bot(
        "usual = on_request\ndef on_request(m):\n"
        "    end = time.process_time() + (0.4 if n == 1 else 0)\n"
        "    while time.process_time() < end: pass\n"
        "    return usual(m)"
    )
    with host(at_table, Boxes(at_table)) as playing:
        long = playing.play(spec(spent, spent, limits))
        assert long.record.faults == ()
        again = playing.play(spec(teller, bot(), limits), lambda: time.sleep(0.7))
    assert [note for _, note in again.record.seats[0].notes] == ["500"] * 3


@pytest.mark.parametrize(
    ("sleep_s", "fault"),
    [(1.5, None), (30.0, FaultName.START)],
)
def test_fc027_what_a_slow_import_may_take_is_a_limit_of_its_own(
    at_table: Table, sleep_s: float, fault: FaultName | None
) -> None:
    limits = Limits(start_ms=1_000, move_ms=100, bank_ms=100)
    record = at_table.play(bot(f"time.sleep({sleep_s})"), bot(), limits)
    assert [seen.name for seen in record.faults] == ([] if fault is None else [fault])
