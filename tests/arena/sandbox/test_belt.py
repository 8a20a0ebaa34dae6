"""The second belt: control groups that hold memory and processes by themselves."""

import os
import select
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from sandbox_harness import converse, replied, sandbox

from arena.referee.verdict import FaultName, process_gone
from arena.sandbox import Box, BoxLimits, belt
from arena.sandbox.cgroup import V2, Hierarchy

HOG = b"""
import sys
sys.stdin.readline()
kept = []
while True:
    kept.append(b"x" * (1 << 20))
"""
# Threads as the C library makes them: Python's own cap does not see them.
THREADS = b"""
import ctypes
libc, made, thread = ctypes.CDLL(None), 0, ctypes.c_ulong()
stack = ctypes.create_string_buffer(64)
libc.pthread_attr_init(stack)
libc.pthread_attr_setstacksize(stack, ctypes.c_size_t(65536))
while made < 500 and not libc.pthread_create(ctypes.byref(thread), stack, libc.pause, None):
    made += 1
print(made)
"""


@pytest.fixture(params=["bubblewrap", "landlock"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def groups(box: Box) -> set[str]:
    """The groups that a box's process is in, but for those that are everybody's."""
    lines = Path(f"/proc/{box.pid}/cgroup").read_text().splitlines()
    return {line.rpartition("/")[2] for line in lines if "/santase-box-" in line}


def test_a_box_is_in_a_group_of_its_own_which_goes_with_it(kind: str, first_belt: Any) -> None:
    boxes = [sandbox(kind).start(BoxLimits(), None) for _ in range(2)]
    names = [groups(box) for box in boxes]
    assert [len(name) for name in names] == [1, 1]
    assert names[0] != names[1]
    for box in boxes:
        assert box.stop("enough").survivors == 0
    left = [
        name for _, below, _ in os.walk("/sys/fs/cgroup") for name in below
        if {name} in names
    ]  # fmt: skip
    assert left == []


def folders_of(group: belt.Group) -> list[Path]:
    return [
        Path(place, group.name)
        for place, below, _ in os.walk("/sys/fs/cgroup")
        if group.name in below
    ]


def test_a_group_that_could_not_be_removed_goes_with_the_next(first_belt: belt.Group) -> None:
    folders = folders_of(first_belt)
    holds = [folder / "held" for folder in folders]
    for hold in holds:
        hold.mkdir()
    first_belt.remove()
    assert folders_of(first_belt) == folders
    for hold in holds:
        hold.rmdir()
    group = belt.make(BoxLimits())
    assert group is not None
    group.remove()
    assert folders_of(first_belt) == []


def test_the_group_alone_holds_the_memory(kind: str, first_belt: Any) -> None:
    box = sandbox(kind, {"address_space": False}).start(BoxLimits(memory_mb=64), None)
    box.load({"bot.py": HOG})
    os.write(box.stdin, b"go\n")
    assert select.select([box.pidfd], [], [], 60)[0]
    report = box.stop("gone")
    assert (report.oom, report.killed, report.code, report.signal) == (True, False, None, "SIGKILL")
    assert process_gone(report, b"", 64).name is FaultName.MEMORY


def test_the_address_space_is_used_up_before_the_group(kind: str, first_belt: Any) -> None:
    box = sandbox(kind).start(BoxLimits(memory_mb=64), None)
    box.load({"bot.py": HOG})
    os.write(box.stdin, b"go\n")
    assert select.select([box.pidfd], [], [], 60)[0]
    said = os.read(box.stderr, 65_536)
    report = box.stop("gone")
    assert (report.oom, report.code) == (False, 1)
    assert said.rstrip().endswith(b"MemoryError")


def test_the_group_alone_holds_the_threads(kind: str, first_belt: Any) -> None:
    limits = BoxLimits(threads=16)
    box = sandbox(kind, {"processes": False}).start(limits, None)
    out, _, _ = converse(box, {"bot.py": THREADS}, b"", 60, replied)
    box.stop("enough")
    assert int(out) == belt.most_processes(limits) - 1
    free = sandbox(kind, {"processes": False, "belt": False}).start(limits, None)
    out, _, _ = converse(free, {"bot.py": THREADS}, b"", 60, replied)
    free.stop("enough")
    assert int(out) > 100  # it is the group that holds them


def test_a_killed_bot_is_not_said_to_have_run_out_of_memory(kind: str, first_belt: Any) -> None:
    box = sandbox(kind).start(BoxLimits(), None)
    box.load({"bot.py": b"while True: pass\n"})
    report = box.stop("enough")
    assert (report.killed, report.oom) == (True, False)


@pytest.mark.skipif(os.geteuid() != 0, reason="to play an ordinary user takes root")
def test_a_user_who_can_make_no_group_plays_without(kind: str, user_ordinary: Any) -> None:
    script = (
        "import json, sys\n"
        "from sandbox_harness import sandbox\n"
        "from arena.sandbox import BoxLimits, belt\n"
        f"box = sandbox({kind!r}).start(BoxLimits(), None)\n"
        "box.load({'bot.py': b'print(1)'})\n"
        "print(open(f'/proc/{box.pid}/cgroup').read().count('santase-box'), belt.controllers())\n"
        "box.stop('enough')\n"
    )
    done = subprocess.run(
        [*user_ordinary.command, "-c", script],
        capture_output=True, text=True, timeout=60, **user_ordinary.options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 ()\n"
    assert done.stderr == ""


def test_what_the_groups_hold_is_known(first_belt: Any) -> None:
    assert belt.controllers() == ("memory", "pids")


# No kernel here has memory and pids on version 2: what is chosen and written is looked at in a
# folder that is laid out as such a hierarchy.
def v2(folder: Path, *groups: str, **handed_on: str) -> Hierarchy:
    for group in ("", *groups):
        (folder / group).mkdir(parents=True, exist_ok=True)
        (folder / group / "cgroup.procs").touch()
        words = handed_on.get(group.rpartition("/")[2] or "root", "")
        (folder / group / "cgroup.subtree_control").write_text(words + "\n")
    return Hierarchy(frozenset({V2}), PurePosixPath("/"), folder)


def test_on_v2_groups_are_made_below_a_group_that_hands_its_controllers_on(tmp_path: Path) -> None:
    mounted = v2(tmp_path, "arena", "arena/worker", worker="cpu memory pids")
    (place,) = belt.v2_places(mounted, "/arena/worker")
    assert place.folder == tmp_path / "arena/worker"
    assert place.files(BoxLimits(memory_mb=100, threads=4)) == {
        "memory.max": str((100 + belt.MORE_MEMORY_MB) << 20),
        "memory.swap.max": "0",
        "pids.max": "10",
    }


def test_on_v2_only_what_is_handed_on_is_limited(tmp_path: Path) -> None:
    mounted = v2(tmp_path, "arena", arena="pids")
    (place,) = belt.v2_places(mounted, "/arena")
    assert place.files(BoxLimits(threads=4)) == {"pids.max": "10"}


def test_on_v2_a_group_beside_the_workers_is_used_where_it_is_delegated(tmp_path: Path) -> None:
    mounted = v2(tmp_path, "arena", "arena/worker", arena="memory pids")
    if os.geteuid() == 0:  # root can write everywhere: systemd's mark says where it may
        assert belt.v2_places(mounted, "/arena/worker") == []
        os.setxattr(tmp_path / "arena", "user.delegate", b"1")
    (place,) = belt.v2_places(mounted, "/arena/worker")
    assert place.folder == tmp_path / "arena"


def test_on_v2_without_controllers_there_is_no_second_belt(tmp_path: Path) -> None:
    mounted = v2(tmp_path, "arena", "arena/worker")
    assert belt.v2_places(mounted, "/arena/worker") == []
    assert belt.v2_places(mounted, "/elsewhere") == []
    assert belt.v2_places(mounted, "/") == []
