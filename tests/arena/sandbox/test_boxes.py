"""What every box does, whichever back-end made it."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import KINDS, children, converse, replied, sandbox, settled

from arena.sandbox import BadBotFiles, Box, BoxError, BoxLimits
from arena.sandbox.process import process_state

ECHO = {"bot.py": b"import sys\nfor line in sys.stdin:\n    print(line.strip())\n"}
DEADLINE_S = 10.0

MakeBox = Callable[..., Box]


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make_box(kind: str) -> Iterator[MakeBox]:
    back_end, made = sandbox(kind), []

    def make(core: int | None = None, **limits: Any) -> Box:
        made.append(back_end.start(BoxLimits(**limits), core))
        return made[-1]

    yield make
    for box in made:
        assert box.stop("test over").survivors == 0


def ask(box: Box, line: bytes) -> bytes:
    """Sends a line, reads one."""
    os.write(box.stdin, line + b"\n")
    ready, _, _ = select.select([box.stdout], [], [], DEADLINE_S)
    assert ready, "no answer"
    return os.read(box.stdout, 65_536)


def wait_end(box: Box) -> None:
    ready, _, _ = select.select([box.pidfd], [], [], DEADLINE_S)
    assert ready, "the bot did not end"


def test_a_box_waits_for_its_bot_and_then_becomes_it(make_box: MakeBox) -> None:
    box = make_box()
    box.wait_ready()
    before = box.pid
    box.load(ECHO)
    assert ask(box, b"hello") == b"hello\n"
    assert box.pid == before


def test_what_follows_the_files_is_the_protocol_to_the_byte(make_box: MakeBox) -> None:
    bot = b"import os\nwhile True:\n    data = os.read(0, 100)\n    os.write(1, data)\n"
    box = make_box()
    box.load({"bot.py": bot, "data.bin": bytes(range(256)) * 20_000})  # 5 MB
    assert ask(box, b"\x00first") == b"\x00first\n"


def test_a_box_takes_one_bot_once(make_box: MakeBox) -> None:
    box = make_box()
    box.load(ECHO)
    with pytest.raises(BoxError, match="once"):
        box.load(ECHO)


@pytest.mark.parametrize("name", ["/etc/passwd", "../up.py", "a//b.py", "./a.py", "."])
def test_a_name_outside_the_bot_is_refused(make_box: MakeBox, name: str) -> None:
    with pytest.raises(BadBotFiles, match="no relative path"):
        make_box().load({"bot.py": b"", name: b""})


def test_files_without_bot_py_are_refused(make_box: MakeBox) -> None:
    with pytest.raises(BadBotFiles, match=r"bot\.py"):
        make_box().load({"main.py": b""})


def test_hanging_up_is_the_end_of_file_for_the_bot(make_box: MakeBox) -> None:
    box = make_box()
    box.load(ECHO)
    assert ask(box, b"one") == b"one\n"
    box.hang_up()
    box.hang_up()
    wait_end(box)
    assert box.stop("left").code == 0


def test_cpu_counts_all_threads_since_the_load(make_box: MakeBox) -> None:
    bot = b"""
import sys, threading, time
def burn():
    while time.process_time() < until: pass
sys.stdin.readline()
until = time.process_time() + 0.2
threads = [threading.Thread(target=burn) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("burnt")
sys.stdin.readline()
"""
    box = make_box()
    box.load({"bot.py": bot})
    assert ask(box, b"go") == b"burnt\n"
    used_ns = box.cpu_ns()
    assert used_ns is not None
    assert 0.2e9 <= used_ns < 2e9
    report = box.stop("enough")
    assert report.killed
    assert report.cpu_ns is not None
    assert report.cpu_ns >= used_ns


def test_the_final_cpu_of_a_bot_that_has_ended_is_known(make_box: MakeBox) -> None:
    bot = (
        b"import time\nuntil = time.process_time() + 0.3\nwhile time.process_time() < until: pass\n"
    )
    box = make_box()
    box.load({"bot.py": bot})
    wait_end(box)
    report = box.stop("gone")
    assert not report.killed
    assert report.code == 0
    assert report.cpu_ns is not None
    assert 0.2e9 < report.cpu_ns < 2e9


def test_a_frozen_bot_burns_nothing_and_goes_on_when_thawed(make_box: MakeBox) -> None:
    box = make_box()
    box.load({"bot.py": b"import sys\nprint('up')\nwhile True:\n    pass\n"})
    assert ask(box, b"") == b"up\n"
    box.freeze()
    _wait_for(lambda: process_state(box.pid) == "T")
    before = box.cpu_ns()
    assert before is not None
    for _ in range(20):
        os.sched_yield()
    assert box.cpu_ns() == before
    box.thaw()
    _wait_for(lambda: (box.cpu_ns() or 0) > before)


def test_a_frozen_bot_is_stopped_like_any_other(make_box: MakeBox) -> None:
    box = make_box()
    box.load(ECHO)
    box.freeze()
    assert box.stop("frozen").killed


def test_freezing_what_is_gone_does_no_harm(make_box: MakeBox) -> None:
    box = make_box()
    box.load({"bot.py": b""})
    wait_end(box)
    box.freeze()
    box.thaw()
    box.stop("gone")
    box.freeze()
    box.thaw()
    assert box.cpu_ns() is None


def test_stop_is_the_same_twice_and_closes_the_pipes(make_box: MakeBox) -> None:
    box = make_box()
    box.load(ECHO)
    pipes, pid = (box.stdin, box.stdout, box.stderr), box.pid
    began = time.monotonic()
    report = box.stop("enough")
    assert time.monotonic() - began < 1
    assert box.stop("again") is report
    assert report.killed
    assert report.why == "enough"
    assert process_state(pid) in "XZ"
    _wait_for(lambda: not os.path.exists(f"/proc/{pid}"))  # an engine reaps it, not we
    for fd in pipes:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(fd)


def test_a_box_without_a_bot_is_stopped_too(make_box: MakeBox) -> None:
    ready, fresh = make_box(), make_box()
    ready.wait_ready()
    assert ready.stop("never used").survivors == 0
    assert fresh.stop("never waited for").survivors == 0
    with pytest.raises(BoxError, match="stopped"):
        fresh.wait_ready()


def test_an_exit_code_is_told_as_it_is(make_box: MakeBox) -> None:
    box = make_box()
    box.load({"bot.py": b"import sys\nsys.exit(3)\n"})
    wait_end(box)
    report = box.stop("gone")
    assert (report.code, report.signal, report.killed) == (3, None, False)


LAST_THINGS = b"""
import atexit, sys, threading
def work():
    threading.main_thread().join()
    print("a thread", file=sys.__stdout__)
threading.Thread(target=work).start()
atexit.register(print, "an exit handler")
import brain
sys.stderr = open(2, "w", closefd=False)
sys.stderr.write("no newline")
"""
OWN_FILE = b"""
class Knot: pass
knot = Knot()
knot.itself, knot.out = knot, open(1, "w", closefd=False)
knot.out.write("a file of its own\\n")
"""


def test_a_bot_that_comes_to_its_end_has_its_last_things_done(make_box: MakeBox) -> None:
    files = {"bot.py": LAST_THINGS, "brain.py": OWN_FILE}
    box = make_box()
    out, err, _ = converse(box, files, b"", DEADLINE_S)
    assert out == b"a thread\nan exit handler\na file of its own\n"
    assert err == b"no newline"
    report = box.stop("gone")
    assert (report.code, report.signal, report.killed) == (0, None, False)


def test_a_bot_whose_streams_cannot_be_written_out_is_told_by_the_interpreter(
    make_box: MakeBox,
) -> None:
    box = make_box()
    box.load({"bot.py": b"import os\nprint('lost', end='')\nos.close(1)\n"})
    wait_end(box)
    assert box.stop("gone").code == 120  # Python's own code for it


def test_the_bot_stays_on_its_core_and_we_on_ours(make_box: MakeBox) -> None:
    ours = os.sched_getaffinity(0)
    core = max(ours)
    box = make_box(core)
    box.load(ECHO)
    assert ask(box, b"x") == b"x\n"
    assert os.sched_getaffinity(box.pid) == {core}
    assert os.sched_getaffinity(0) == ours


def test_a_limit_below_what_python_needs_is_refused() -> None:
    with pytest.raises(ValueError, match="Python alone needs 32"):
        BoxLimits(memory_mb=8)


def test_an_empty_bot_fits_into_the_least_memory(make_box: MakeBox) -> None:
    box = make_box(memory_mb=32)
    box.load(ECHO)
    assert ask(box, b"x") == b"x\n"


def test_a_core_that_is_not_there_is_the_hosts_fault(make_box: MakeBox) -> None:
    with pytest.raises(BoxError, match="core 100000"):
        make_box(100_000)


def test_fc062_a_fork_loop_leaves_the_other_bot_alone(make_box: MakeBox) -> None:
    bomb = b"import os\nprint('on')\nwhile True:\n    try: os.fork()\n    except OSError: pass\n"
    hostile, quiet = make_box(), make_box()
    quiet.load(ECHO)
    hostile.load({"bot.py": bomb})
    assert ask(hostile, b"") == b"on\n"
    assert ask(quiet, b"still here") == b"still here\n"
    assert hostile.stop("enough").killed
    assert ask(quiet, b"and now") == b"and now\n"


def test_many_boxes_leave_no_process_and_no_descriptor(kind: str) -> None:
    back_end = sandbox(kind)
    back_end.start(BoxLimits(), None).stop("warm")
    if kind == "docker":
        assert settled(0, children()) == []  # removed by a thread, which has descriptors of its own
    before, fds = children(), len(os.listdir("/proc/self/fd"))
    boxes = [back_end.start(BoxLimits(), None) for _ in range(6)]
    for number, box in enumerate(boxes):
        if number % 3:
            box.load(ECHO)
        if number % 3 == 2:
            ask(box, b"x")
    for box in boxes:
        assert box.stop("enough").survivors == 0
    assert children() == before
    _wait_for(lambda: len(os.listdir("/proc/self/fd")) == fds)  # an engine takes its time


def test_a_bot_is_never_root_and_shares_no_uid_where_it_can_have_its_own(
    make_box: MakeBox,
) -> None:
    owners = [os.stat(f"/proc/{make_box().pid}").st_uid for _ in range(3)]
    if os.geteuid() == 0:
        assert len(set(owners)) == 3
        assert all(60_800 <= uid < 61_056 for uid in owners)
    else:
        assert set(owners) == {os.geteuid()}


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])  # containers: test_containers.py
def test_a_killed_worker_takes_its_bots_along(kind: str) -> None:
    worker = """
import sys, time
sys.path[:0] = {path!r}
from sandbox_harness import sandbox
from arena.sandbox import BoxLimits
box = sandbox({kind!r}).start(BoxLimits(), None)
box.load({{"bot.py": b"while True: pass"}})
print(box.pid, flush=True)
time.sleep(60)
"""
    here = Path(__file__).parent
    script = worker.format(path=[str(here), str(here.parents[2])], kind=kind)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
    _wait_for(lambda: process_state(pid) in "XZ")


def test_boxes_stopped_on_their_way_up_leave_nothing(kind: str) -> None:
    back_end = sandbox(kind)
    back_end.start(BoxLimits(), None).stop("warm")
    before = children()
    for pause_ms in range(12):
        box = back_end.start(BoxLimits(), None)
        select.select([], [], [], pause_ms / 1000)
        assert box.stop("not wanted").survivors == 0
    assert children() == before


def test_a_thread_cap_of_four_is_four(make_box: MakeBox) -> None:
    bot = b"""
import threading, time
made = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
        made += 1
except RuntimeError as error:
    print(made, error)
"""
    box = make_box(threads=4)
    out, _, _ = converse(box, {"bot.py": bot}, b"", DEADLINE_S, replied)
    assert out == b"4 can't start new thread\n"


def _wait_for(what: Callable[[], bool]) -> None:
    """Asks again and again; the deadline is wide."""
    deadline = time.monotonic() + DEADLINE_S
    while not what():
        assert time.monotonic() < deadline, "it did not come about"
        select.select([], [], [], 0.005)
