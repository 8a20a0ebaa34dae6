"""Clears up what other runs have left, in every back-end: the janitor of a worker.

A box ends with its worker by itself, however that ends: the kernel's parent-death signal, the end
of file on its pipes. What is looked for here is what slipped through: processes with the label of
an owner that is dead, or under a box's uid that no one holds; children of a killed process that
came to us as zombies; control groups; containers, and the folders of their owners.

Nothing is touched whose owner lives, or can't be seen from here.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from arena.sandbox import belt, janitor, label, slots
from arena.sandbox.engine import Engine
from arena.sandbox.errors import BoxError
from arena.sandbox.process import kill_pid, name_of, parent_of, process_state, session_of
from arena.sandbox.reaping import is_to_be_reaped, reap_now

_ANSWER_S = 5.0


@dataclass(frozen=True, slots=True)
class Leftover:
    """One thing that was left: a "process" or "zombie" by its pid, a "control group" by its path, a
    "container" by its id, a "folder" by the name of its owner, a worker that started containers.
    `note` says more for people.
    """

    kind: str
    name: str
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Swept:
    """What came of a look around: what was removed, what is still there, what could not be asked
    ("" where all could).
    """

    removed: tuple[Leftover, ...]
    left: tuple[Leftover, ...]
    trouble: str = ""


def sweep() -> Swept:
    """Removes what dead owners have left, in all back-ends; never raises.

    For a worker's start, and then about once a minute. May take seconds where an engine is asked,
    which is done only where containers have been used: else it may be none of ours.
    """
    here = _sweep_here()
    if not janitor.is_in_use():
        return here
    try:
        with Engine() as engine:
            return Swept((*here.removed, *_containers(janitor.sweep(engine))), here.left)
    except BoxError as error:
        return Swept(here.removed, here.left, str(error))


def leftovers() -> Swept:
    """What there is to remove, as `left`: nothing is touched; never raises.

    An engine is asked, for 5 s at most, and nothing said where there is none.
    """
    found = tuple(leftover for leftover, _ in _found())
    try:
        with Engine(_ANSWER_S) as engine:
            return Swept((), (*found, *_containers(janitor.left_behind(engine))))
    except BoxError as error:
        folders = janitor.Left((), janitor.dead_owners())
        trouble = str(error) if janitor.is_in_use() else ""
        return Swept((), (*found, *_containers(folders)), trouble)


def _containers(left: janitor.Left) -> Iterator[Leftover]:
    yield from (Leftover("container", each) for each in left.containers)
    yield from (Leftover("folder", each) for each in left.owners)


_swept_by = 0


def sweep_once() -> None:
    """Sweeps in a process that has not done it yet, without asking an engine; never raises."""
    global _swept_by
    if _swept_by != os.getpid():
        _swept_by = os.getpid()
        _sweep_here()


def _sweep_here() -> Swept:
    removed: list[Leftover] = []
    left: list[Leftover] = []
    for leftover, remove in _found():
        (removed if remove() else left).append(leftover)
    return Swept(tuple(removed), tuple(left))


Found = tuple[Leftover, Callable[[], bool]]
"""Something that was left, and how to remove it."""


def _found() -> Iterator[Found]:
    """Zombies after the processes: what has just been killed may be one by then."""
    for pid, uid in _processes():
        if _is_ownerless(pid, uid):
            yield Leftover("process", str(pid), f"uid {uid}"), _end(pid, uid)
    for pid, uid in _processes():
        if _is_adopted(pid, uid):
            yield Leftover("zombie", str(pid)), partial(_reap, pid)
    for folder in belt.leftovers():
        yield Leftover("control group", str(folder)), partial(belt.remove, folder)


def _processes() -> Iterator[tuple[int, int]]:
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if entry.name.isdigit():
                yield int(entry.name), entry.stat().st_uid


def _end(pid: int, uid: int) -> Callable[[], bool]:
    return lambda: kill_pid(pid, lambda: _is_ownerless(pid, uid))


def _is_ownerless(pid: int, uid: int) -> bool:
    """Whether it is a box's process, and its owner is dead.

    For root also one without a label, a bot that has written over it say: by its uid. An orphan it
    must be then, because a worker in another container may hold its uids in a /run of its own.
    """
    is_root = os.geteuid() == 0
    if not slots.has(uid) if is_root else uid != os.geteuid():
        return False
    if process_state(pid) in "ZX":
        return False
    if label.is_ownerless(label.of_process(pid)):
        return True
    return is_root and parent_of(pid) == 1 and slots.is_free(uid)


def _is_adopted(pid: int, uid: int) -> bool:
    """Whether it is a child that came to us, as a subreaper or as pid 1, by its parent's death.

    Root knows it by its uid, which no one holds. Anyone else knows only what bubblewrap leaves: a
    bot of `landlock` is told from another child by nothing, and is left to a real init.
    """
    if parent_of(pid) != os.getpid() or is_to_be_reaped(pid) or process_state(pid) != "Z":
        return False
    if os.geteuid() == 0:
        return slots.has(uid) and slots.is_free(uid)
    return session_of(pid) != os.getsid(0) and name_of(pid) == "bwrap"


def _reap(pid: int) -> bool:
    return reap_now(pid)[0]
