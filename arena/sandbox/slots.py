"""A uid of its own for every box of a worker that runs as root.

60800 to 61055: the systemd list of uid ranges and Debian's policy leave them unused. A uid is held
by a lock on a file, which the kernel lets go with the worker, however that ends.
"""

import fcntl
import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.errors import BoxError

FIRST, COUNT = 60_800, 256


@dataclass(slots=True)
class Slot:
    """A uid (and a gid of the same number) that no other box has while it is held."""

    uid: int
    _lock: int

    def release(self) -> None:
        """Gives the uid back; again is harmless."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


_next = int.from_bytes(os.urandom(2))  # workers of several containers share the kernel's uids


def take(base: Path) -> Slot:
    """A free uid; the locks stand in `base`/slots. Raises BoxError where all are taken."""
    global _next
    folder = base / "slots"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for step in range(COUNT):
            uid = FIRST + (_next + step) % COUNT
            lock = os.open(folder / str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            if _is_a_users(uid):
                os.close(lock)
                continue
            _next += step + 1
            return Slot(uid, lock)
    except OSError as error:
        raise BoxError(
            f"no uid for a box: {folder}: {error.strerror}. Set SANTASE_RUNTIME to a folder that "
            "root can write."
        ) from error
    raise BoxError(f"no uid for a box: all of {FIRST}-{FIRST + COUNT - 1} are in use")


def _is_a_users(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
