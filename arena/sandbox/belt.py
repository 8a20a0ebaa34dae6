"""The second belt: a control group for each box, where this process may make one; never required.

It holds memory and processes by itself, a little looser than the inner wall's limits, so that those
speak first. Version 1: below the worker's own groups. Version 2: below its own group where that
hands its controllers on, else beside it where it has been delegated (systemd: `Delegate=` and
`DelegateSubgroup=`), because a group with processes in it can't hand them on.

The launcher enters the group by itself, before a wall is closed, through files that were opened
here: so no other process of a box is ever outside, and a worker need not wait for the kernel.
"""

import contextlib
import itertools
import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.sandbox import label
from arena.sandbox.base import BoxLimits
from arena.sandbox.cgroup import V2, Hierarchy, groups_of, hierarchies, was_out_of_memory
from arena.sandbox.process import signal_pidfd

MORE_MEMORY_MB = 16
"""What a group may use above the bot's address space: the kernel's part. The address space is used
up first, so that a bot is told by MemoryError everywhere."""
_PROCS = "cgroup.procs"
_EMPTY_S = 0.1
"""How long a killed bot's group may take to be empty: then it is left to the next box, or to the
janitor."""


def most_processes(limits: BoxLimits) -> int:
    """Twice the threads: the kernel counts one for a moment after its joiner has gone on."""
    return 2 * limits.threads + 2


class Group:
    """The control group of one box: a folder in one hierarchy, or in two."""

    def __init__(self, name: str, folders: tuple[Path, ...]) -> None:
        self.name = name
        self._folders = folders
        self.entries = tuple(
            os.open(folder / _PROCS, os.O_WRONLY | os.O_CLOEXEC) for folder in folders
        )
        """Files for the box to enter by; closed by `hand_over`."""

    def hand_over(self) -> None:
        """The box's first process has its own of the entries."""
        for fd in self.entries:
            os.close(fd)
        self.entries = ()

    def was_out_of_memory(self) -> bool:
        """Whether the kernel has killed in it for want of memory."""
        return any(map(was_out_of_memory, self._folders))

    def remove(self) -> None:
        """Ends what is in it and removes it; what can't be removed yet, `make` tries again."""
        self.hand_over()
        _busy.update(folder for folder in self._folders if not remove(folder))
        _live.discard(self.name)


_live: set[str] = set()
"""The groups of this process's boxes."""
_busy: set[Path] = set()
"""Folders of its stopped boxes that the kernel had not emptied in time."""
_numbers = itertools.count()


def make(limits: BoxLimits) -> Group | None:
    """A group with these limits; None where there can be none. Removes what was busy before."""
    _busy.difference_update([folder for folder in _busy if remove(folder, within_s=0.0)])
    name = f"{label.mine()}-{next(_numbers)}"
    made: list[Path] = []
    _live.add(name)
    try:
        for place in _places():
            folder = place.folder / name
            folder.mkdir()
            made.append(folder)
            for file, value in place.files(limits).items():
                if file not in _OF_SWAP or (folder / file).exists():
                    (folder / file).write_text(value)
        if made:
            return Group(name, tuple(made))
    except OSError:
        for folder in made:
            remove(folder)
    _live.discard(name)
    return None


@dataclass(frozen=True, slots=True)
class Place:
    """A group below which those of boxes are made, and for the sake of which controllers."""

    folder: Path
    controllers: frozenset[str]
    version: int

    def files(self, limits: BoxLimits) -> Mapping[str, str]:
        """The limits by their files; those of swap are not there where it is not accounted."""
        memory = str((limits.memory_mb + MORE_MEMORY_MB) << 20)
        files: dict[str, str] = {}
        if "memory" in self.controllers and self.version == 1:
            files |= {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory}
        elif "memory" in self.controllers:
            files |= {"memory.max": memory, "memory.swap.max": "0"}
        if "pids" in self.controllers:
            files["pids.max"] = str(most_processes(limits))
        return files


_WANTED = ("memory", "pids")
_OF_SWAP = ("memory.memsw.limit_in_bytes", "memory.swap.max")


@cache
def _places() -> tuple[Place, ...]:
    """Where groups can be made: at most one place for each controller."""
    mine, mounted = groups_of("self"), hierarchies()
    places = []
    for controller in _WANTED:
        for hierarchy in mounted:
            is_in = controller in mine and controller in hierarchy.controllers
            folder = hierarchy.folder(mine[controller]) if is_in else None
            if folder and _is_ours(folder):
                places.append(Place(folder, frozenset({controller}), 1))
    for hierarchy in mounted:
        if V2 in hierarchy.controllers and V2 in mine:
            places += v2_places(hierarchy, mine[V2])
    return tuple(places)


def v2_places(hierarchy: Hierarchy, group: str) -> list[Place]:
    """Where a process in `group` can make groups of version 2 with limits: one place, or none."""
    own = hierarchy.folder(group)
    if own is None:
        return []
    beside = own.parent if own != hierarchy.mount else None
    for folder in (own, beside if beside and _is_delegated(beside) else None):
        handed_on = frozenset(_WANTED) & _words(folder / "cgroup.subtree_control") if folder else ()
        if folder and handed_on and _is_ours(folder):
            return [Place(folder, frozenset(handed_on), 2)]
    return []


def _is_delegated(folder: Path) -> bool:
    """An ordinary user could write nothing else; root can write all, and is told by systemd."""
    if os.geteuid() != 0:
        return True
    with contextlib.suppress(OSError):
        marks = os.listxattr(folder)
        return any(mark in marks for mark in ("trusted.delegate", "user.delegate"))
    return False


def _is_ours(folder: Path) -> bool:
    """Whether groups can be made below, and processes moved into them."""
    return all(os.access(path, os.W_OK) for path in (folder, folder / _PROCS))


def _words(file: Path) -> frozenset[str]:
    with contextlib.suppress(OSError):
        return frozenset(file.read_text().split())
    return frozenset()


def controllers() -> tuple[str, ...]:
    """What a box's group holds here, "memory" and "pids"; a group is made to find out."""
    group = make(BoxLimits())
    if group is None:
        return ()
    group.remove()
    return tuple(sorted(word for place in _places() for word in place.controllers))


def leftovers() -> Iterator[Path]:
    """Groups of owners that are dead, and of this process's boxes that have been stopped."""
    for hierarchy in hierarchies():
        if hierarchy.controllers & {V2, *_WANTED}:
            for folder, below, _ in os.walk(hierarchy.mount):
                ours = [name for name in below if name.startswith(label.PREFIX)]
                below[:] = [name for name in below if name not in ours]
                yield from (Path(folder, name) for name in ours if _is_left(name))


def _is_left(name: str) -> bool:
    if name.startswith(f"{label.mine()}-"):
        return name not in _live
    return label.is_ownerless(name)


def remove(folder: Path, within_s: float = _EMPTY_S) -> bool:
    """Ends what is in a group and removes it; whether that succeeded."""
    deadline_s = time.monotonic() + within_s
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if time.monotonic() >= deadline_s:
                return False
            _kill_all(folder)
            time.sleep(0.001)
        else:
            return True


def _kill_all(folder: Path) -> None:
    for word in _words(folder / _PROCS):
        with contextlib.suppress(OSError):
            pidfd = os.pidfd_open(int(word))
            try:
                if word in _words(folder / _PROCS):  # still the same: its number is not reused
                    signal_pidfd(pidfd, signal.SIGKILL)
            finally:
                os.close(pidfd)
