"""What a control group says of a process that its parent, not we, will reap.

Its files are opened while it lives. Version 1 and 2; where there is none, nothing is known.
"""

import contextlib
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")


class Account:
    """The group that `pid` is alone in: CPU time and kills for want of memory."""

    def __init__(self, pid: int) -> None:
        places: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
                _, controllers, path = line.split(":", 2)
                places |= dict.fromkeys(controllers.split(","), path)
        self._unified = _place("", places.get(""))
        self._cpu = _place("cpuacct", places.get("cpuacct"))
        self._memory = _place("memory", places.get("memory"))
        self._before_ns = self._used_ns() or 0

    def cpu_ns(self) -> int | None:
        """CPU time since the account was opened; None where the group is gone."""
        used_ns = self._used_ns()
        return None if used_ns is None else used_ns - self._before_ns

    def _used_ns(self) -> int | None:
        with contextlib.suppress(OSError, ValueError):
            return int((self._cpu / "cpuacct.usage").read_text())
        usage = _field(self._unified / "cpu.stat", "usage_usec")
        return None if usage is None else usage * 1000

    def was_out_of_memory(self) -> bool:
        """Whether the kernel has killed in the group for want of memory."""
        v1 = _field(self._memory / "memory.oom_control", "oom_kill")
        return bool(v1 or _field(self._unified / "memory.events", "oom_kill"))


def _place(hierarchy: str, path: str | None) -> Path:
    """A group's folder; one that is not there where the group is everybody's."""
    if path in (None, "/"):
        return _ROOT / "none"
    return _ROOT / hierarchy / str(path).lstrip("/")


def _field(file: Path, name: str) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    return None
