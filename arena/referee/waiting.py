"""How long a bot was ready to run while its core ran something else, as the kernel counts it.

A bot that sleeps is not held up by a busy core: without this its sleep would be free there.
"""

import os
from dataclasses import dataclass

_ONE_PIECE_NS = 100_000_000
"""So long a wait is nothing that a thread can have at will: dozens of others would have to want the
core as well.
"""


@dataclass(frozen=True, slots=True)
class _Thread:
    """`turns` on the core so far; `since_ns` when it was first seen waiting without one in between;
    `total_ns` waited so far.
    """

    turns: int
    since_ns: int | None
    total_ns: int


_BORN = _Thread(0, None, 0)


class Waiting:
    """The waits of all threads of one process, lap by lap; times in nanoseconds (monotonic).

    The kernel adds a wait to a thread's account (`schedstat`) when it ends. One that still lasts is
    known too: who is runnable at two looks, and had no turn on the core meanwhile, was so all the
    time. So a thread gains nothing by being awake whenever it is looked at.
    """

    def __init__(self, pid: int, now_ns: int) -> None:
        """Counts from now."""
        self._pid = pid
        self._threads: dict[str, _Thread] = {}
        self._began_ns = now_ns
        self.lap_ns(now_ns)

    def lap_ns(self, now_ns: int) -> tuple[int, int]:
        """The longest that a thread waited since the lap before: in short waits, in long waits.

        Where the process is gone, or the kernel keeps no such account and a thread is runnable, the
        lap is taken for short waits.
        """
        lap_ns, self._began_ns = now_ns - self._began_ns, now_ns
        before, self._threads = self._threads, {}
        longest, known = (0, False), False
        for name in _threads_of(self._pid):
            then = before.get(name, _BORN)
            seen = _look(f"/proc/{self._pid}/task/{name}", now_ns, then)
            if seen is None:
                continue
            known = known or seen.turns > 0
            self._threads[name] = seen
            gained_ns, turns = seen.total_ns - then.total_ns, seen.turns - then.turns
            longest = max(longest, (gained_ns, gained_ns >= _ONE_PIECE_NS * turns))
        if not known:
            return (lap_ns if wants_to_run(self._pid) or not self._threads else 0), 0
        waited_ns, in_one_piece = min(longest[0], lap_ns), longest[1]
        return (0, waited_ns) if in_one_piece else (waited_ns, 0)


def _threads_of(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def _look(folder: str, now_ns: int, then: _Thread) -> _Thread | None:
    """A thread's account; None where it has ended."""
    try:
        with open(f"{folder}/schedstat", "rb") as file:
            _, delay_ns, turns = (int(word) for word in file.read(128).split())
        runnable = _state(folder) == b"R"
    except (OSError, ValueError):
        return None
    if not runnable:
        return _Thread(turns, None, delay_ns)
    since_ns = now_ns
    if then.since_ns is not None and then.turns == turns:
        since_ns = then.since_ns
    return _Thread(turns, since_ns, delay_ns + now_ns - since_ns)


def wants_to_run(pid: int) -> bool:
    """Whether a thread of the process is runnable, or waits for the disk."""
    for name in _threads_of(pid):
        try:
            if _state(f"/proc/{pid}/task/{name}") in (b"R", b"D"):
                return True
        except OSError:
            continue
    return False


def _state(folder: str) -> bytes:
    """One letter for a thread. Raises OSError."""
    with open(f"{folder}/stat", "rb") as file:
        return file.read(512).rpartition(b")")[2].split()[0]
