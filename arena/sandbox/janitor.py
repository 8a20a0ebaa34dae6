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


def sweep(engine: Engine) -> int:
    """Removes what is left of dead owners and past its deadline; how many. Raises BoxError."""
    mine, dead = owner(), set(dead_owners())
    removed = 0
    for container, labels in engine.boxes():
        if labels[f"{LABEL}owner"] == mine.name:
            left = labels.get(f"{LABEL}box") not in mine.live
        else:
            left = _is_left(labels, dead)
        if left:
            engine.remove(container)
            removed += 1
    for name in dead:
        shutil.rmtree(_place() / name, ignore_errors=True)
    return removed


def left_behind(engine: Engine, dead: Container[str]) -> Iterator[str]:
    """Each container of others that `sweep` would remove, by its id. Raises BoxError."""
    return (container for container, labels in engine.boxes() if _is_left(labels, dead))


def _is_left(labels: Mapping[str, str], dead: Container[str]) -> bool:
    return labels[f"{LABEL}owner"] in dead or _is_late(labels)


def _is_late(labels: Mapping[str, str]) -> bool:
    deadline = labels.get(f"{LABEL}deadline", "")
    return deadline.isdecimal() and time.time() > int(deadline)


def dead_owners() -> Iterator[str]:
    """Names of those whose lock no process holds. Raises BoxError where there is no place."""
    with contextlib.suppress(OSError):
        for folder in _place().iterdir():
            with contextlib.suppress(OSError):
                lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    yield folder.name
                finally:
                    os.close(lock)
