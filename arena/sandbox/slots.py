"""A uid of its own for every box of a worker that runs as root.

60800 to 61055: the systemd list of uid ranges and Debian's policy leave them unused. A uid is held
by a lock on a file, which the kernel lets go with the worker, however that ends.
"""

import contextlib
import fcntl
import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.errors import BoxError

FIRST, COUNT = 60_800, 256
LOCKS = Path("/run/santase-slots")
"""One place for all workers of a machine, whatever runtime they use."""


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


# Workers of several containers share the kernel's uids: each begins somewhere else.
_next = int.from_bytes(os.urandom(2))


def take() -> Slot:
    """A free uid. Raises BoxError where all are taken."""
    global _next
    try:
        LOCKS.mkdir(mode=0o700, exist_ok=True)
        for step in range(COUNT):
            uid = FIRST + (_next + step) % COUNT
            slot = None if _is_a_users(uid) else _lock(uid)
            if slot:
                _next += step + 1
                return slot
    except OSError as error:
        raise BoxError(
            f"no uid for a box: {LOCKS}: {error.strerror}. Give the worker a /run that it can "
            "write, or run it as an ordinary user."
        ) from error
    raise BoxError(f"no uid for a box: all of {FIRST}-{FIRST + COUNT - 1} are in use")


def has(uid: int) -> bool:
    """Whether it is a uid of boxes."""
    return uid in range(FIRST, FIRST + COUNT)


def is_free(uid: int) -> bool:
    """Whether no worker that uses this /run holds the uid; it may be asked for those of `has`."""
    with contextlib.suppress(OSError):
        slot = _lock(uid)
        if slot:
            slot.release()
        return slot is not None
    return False


def _lock(uid: int) -> Slot | None:
    lock = os.open(LOCKS / str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return Slot(uid, lock)


def _is_a_users(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
