"""What is taken for a leftover, and what never is; the leftovers are real processes and groups."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from worker_to_kill import wait_for

from arena.sandbox import BoxLimits, Leftover, belt, label, leftovers, slots, sweep
from arena.sandbox.cgroup import hierarchies
from arena.sandbox.landlock import LandlockSandbox
from arena.sandbox.process import process_state, started_at
from arena.sandbox.wall.orders import PYTHON_OPTIONS

SLEEP = """
import os, sys, time
if len(sys.argv) > 2:  # root's python can't be reached by a box's uid
    os.setuid(int(sys.argv[1]))
print('up', flush=True)
time.sleep(60)
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a process as a box's would be, with a last word of the test's choice."""
    made: list[subprocess.Popen[str]] = []
    slot = slots.take() if os.geteuid() == 0 else None

    def run(word: str, option: str = PYTHON_OPTIONS[0]) -> "subprocess.Popen[str]":
        words = [str(slot.uid), word] if slot else [word]
        made.append(
            subprocess.Popen(
                [sys.executable, option, "-c", SLEEP, *words], stdout=subprocess.PIPE, text=True
            )
        )
        assert made[-1].stdout is not None
        assert made[-1].stdout.readline() == "up\n"
        return made[-1]

    yield run
    for process in made:
        process.kill()
        process.communicate()
    if slot:
        slot.release()


def dead_owners_label() -> str:
    """The label of a process that has lived and is gone."""
    script = "from arena.sandbox import label\nprint(label.mine())\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_process_of_a_dead_owner_is_told_of_and_then_ended(start: Start) -> None:
    process = start(dead_owners_label())
    leftover = Leftover("process", str(process.pid))
    assert leftover in leftovers().left
    assert process.poll() is None
    swept = sweep()
    assert leftover in swept.removed
    assert leftover not in swept.left
    assert process.wait(10) == -9


def label_that_is_not(what: str) -> str:
    namespace, pid, started = label.mine().removeprefix(label.PREFIX).split("-")
    return {
        "dead": label.mine(),
        "of this pid namespace": f"{label.PREFIX}1{namespace}-{pid}-1{started}",
        "a label": f"{label.PREFIX}{namespace}-{pid}",
        "ours": f"other-{namespace}-{pid}-1{started}",
    }[what]


@pytest.mark.parametrize("what", ["dead", "of this pid namespace", "a label", "ours"])
def test_a_process_whose_owner_is_not_known_to_be_dead_is_left_alone(
    start: Start, what: str
) -> None:
    process = start(label_that_is_not(what))
    assert Leftover("process", str(process.pid)) not in leftovers().left
    sweep()
    assert process.poll() is None


def test_whoever_else_names_a_dead_owners_label_is_left_alone(start: Start) -> None:
    process = start(dead_owners_label(), "-IS")
    assert Leftover("process", str(process.pid)) not in leftovers().left
    sweep()
    assert process.poll() is None


def test_a_pid_that_was_given_to_another_process_is_no_owner(start: Start) -> None:
    word = f"{label.mine().rpartition('-')[0]}-{started_at(os.getpid()) - 1}"
    process = start(word)
    assert Leftover("process", str(process.pid)) in sweep().removed


def test_a_zombie_owns_nothing(start: Start) -> None:
    owner = os.fork()
    if owner == 0:
        os._exit(0)
    wait_for(lambda: process_state(owner) == "Z")
    word = f"{label.mine().rsplit('-', 2)[0]}-{owner}-{started_at(owner)}"
    process = start(word)
    assert Leftover("process", str(process.pid)) in sweep().removed
    os.waitpid(owner, 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could end another user's process")
def test_root_ends_no_process_that_is_not_a_boxs() -> None:
    with subprocess.Popen(
        [sys.executable, PYTHON_OPTIONS[0], "-c", SLEEP, dead_owners_label()],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert Leftover("process", str(process.pid)) not in leftovers().left
        sweep()
        assert process.poll() is None
        process.kill()


def test_boxes_in_use_are_no_leftovers() -> None:
    sandbox = LandlockSandbox()
    boxes = [sandbox.start(BoxLimits(), None) for _ in range(3)]
    pids = {str(box.pid) for box in boxes}
    assert not pids & {leftover.name for leftover in leftovers().left}
    sweep()
    assert all(box.stop("enough").killed for box in boxes)


def test_a_group_of_a_dead_owner_is_removed_with_what_is_in_it(
    start: Start, v2_mount: Path
) -> None:
    folder = v2_mount / f"{dead_owners_label()}-0"
    folder.mkdir()
    process = start("no label: it has written over it")
    (folder / "cgroup.procs").write_text(str(process.pid))
    leftover = Leftover("control group", str(folder))
    assert leftover in leftovers().left
    assert process.poll() is None
    assert leftover in sweep().removed
    assert process.wait(10) == -9
    assert not folder.exists()


def test_a_group_of_ours_that_could_not_be_removed_is_removed_later(v2_mount: Path) -> None:
    folder = v2_mount / f"{label.mine()}-99999"
    folder.mkdir()
    assert Leftover("control group", str(folder)) in sweep().removed
    assert not folder.exists()


def test_a_box_in_use_keeps_its_group(first_belt: belt.Group) -> None:
    mounts = [hierarchy.mount for hierarchy in hierarchies()]
    folders = [
        Path(folder, first_belt.name)
        for mount in mounts
        for folder, below, _ in os.walk(mount)
        if first_belt.name in below
    ]
    assert folders
    sweep()
    assert all(folder.is_dir() for folder in folders)
    first_belt.remove()
    assert not any(folder.is_dir() for folder in folders)
