"""Who owns which boxes of the container engine, and who clears up after an owner that was killed.

A container outlives whoever started it. So each worker process is an owner with a folder, which it
holds by a lock that the kernel lets go with the process. Containers carry the owner's name and a
deadline as labels. Removed is what has our label and a dead owner, or is past its deadline;
nothing else, ever. An owner whose folder is not here (a worker in another container) is judged by
the deadline alone.
"""

import atexit
import contextlib
import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.sandbox.engine import LABEL, Engine
from arena.sandbox.errors import BoxError
from arena.sandbox.runtime import base_folder, make_folder

DEADLINE_S = 24 * 3600
"""How long a box may be there: longer than any match, and any wait in a pool that is in use."""
EVERY_S = 60.0
_LOCK = "lock"


@dataclass(slots=True)
class Owner:
    """A process, as the owner of boxes; `live` are those that it has not yet cleared up."""

    name: str
    folder: Path
    pid: int
    lock: int
    live: set[str] = field(default_factory=set)
    swept_s: float = float("-inf")

    def labels(self, box: str) -> dict[str, str]:
        """What a container of this owner carries."""
        return {
            f"{LABEL}owner": self.name,
            f"{LABEL}box": box,
            f"{LABEL}deadline": str(int(time.time() + DEADLINE_S)),
        }


_owners: dict[Path, Owner] = {}
"""This process by the folder that holds its boxes: one, but where a test uses several."""


def owner() -> Owner:
    """The process that asks; made an owner on first use, and after a fork. Raises BoxError."""
    place = _place()
    for path, known in list(_owners.items()):
        if known.pid != os.getpid():
            os.close(known.lock)  # the parent's lock, which would outlive it in this process
            del _owners[path]
    if place not in _owners:
        try:
            _owners[place] = _become(place)
        except OSError as error:
            raise BoxError(
                f"no folder for boxes below {base_folder()}: {error.strerror}. Set SANTASE_RUNTIME "
                "to a folder that this user can write, and that the engine sees by the same path."
            ) from error
    return _owners[place]


def _become(place: Path) -> Owner:
    name = secrets.token_hex(8)
    folder = place / name
    make_folder(place)
    # Locked before it has its name: else another janitor could take it for a dead owner's.
    made = folder.with_name(f".{name}")
    made.mkdir()
    made.chmod(0o711)
    lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    made.rename(folder)
    mine = Owner(name, folder, os.getpid(), lock)
    atexit.register(_leave, mine)
    return mine


def _leave(mine: Owner) -> None:
    """Where boxes are left, the folder stays: it tells the next janitor that they are no one's."""
    if mine.pid == os.getpid() and not mine.live:
        shutil.rmtree(mine.folder, ignore_errors=True)


def _place() -> Path:
    return base_folder() / "boxes"


def sweep_if_due(engine: Engine) -> None:
    """Sweeps where this process has not done it for a minute. Raises BoxError."""
    mine = owner()
    if time.monotonic() - mine.swept_s >= EVERY_S:
        mine.swept_s = time.monotonic()
        sweep(engine)


@dataclass(frozen=True, slots=True)
class Left:
    """What is left: containers by their ids, and the names of dead owners that have a folder."""

    containers: tuple[str, ...]
    owners: tuple[str, ...]


def sweep(engine: Engine) -> Left:
    """Removes what is left of dead owners and past its deadline. Raises BoxError."""
    left = left_behind(engine)
    for container in left.containers:
        engine.remove(container)
    for name in left.owners:
        shutil.rmtree(_place() / name, ignore_errors=True)
    return left


def left_behind(engine: Engine) -> Left:
    """What `sweep` would remove. Raises BoxError."""
    dead = dead_owners()
    return Left(tuple(_left(engine, dead)), dead)


def is_in_use() -> bool:
    """Whether this process starts containers, or one that is dead did and has left its folder."""
    return any(known.pid == os.getpid() for known in _owners.values()) or bool(dead_owners())


def _left(engine: Engine, dead: Container[str]) -> Iterator[str]:
    mine = next((known for known in _owners.values() if known.pid == os.getpid()), None)
    for container, labels in engine.boxes():
        name = labels[f"{LABEL}owner"]
        if mine is not None and name == mine.name:
            is_left = labels.get(f"{LABEL}box") not in mine.live
        else:
            is_left = name in dead or _is_late(labels)
        if is_left:
            yield container


def _is_late(labels: Mapping[str, str]) -> bool:
    deadline = labels.get(f"{LABEL}deadline", "")
    return deadline.isdecimal() and time.time() > int(deadline)


def dead_owners() -> tuple[str, ...]:
    """Names of those that have a folder here, and whose lock no process holds."""
    with contextlib.suppress(OSError, BoxError):  # no home, no folders
        return tuple(folder.name for folder in _place().iterdir() if _is_unlocked(folder))
    return ()


def _is_unlocked(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(lock)
        return True
    return False
