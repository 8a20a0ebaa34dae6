"""Where control groups are, and what one says of a process that its parent, not we, will reap.

Version 1 and 2; where there is none, nothing is known.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

V2 = ""
"""The hierarchy of version 2, among the controllers of version 1, as /proc/PID/cgroup has it."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """One hierarchy as it is mounted here: its controllers (`V2` for version 2), which of its
    groups the mount shows as its root, and where.
    """

    controllers: frozenset[str]
    root: PurePosixPath
    mount: Path

    def folder(self, group: str) -> Path | None:
        """The folder of a group, named as in /proc/PID/cgroup; None where it can't be seen."""
        path = PurePosixPath(group)
        if not path.is_relative_to(self.root):
            return None
        folder = self.mount / path.relative_to(self.root)
        return folder if folder.is_dir() else None


def hierarchies() -> list[Hierarchy]:
    """All that are mounted."""
    with contextlib.suppress(OSError):
        return list(_mounted(Path("/proc/self/mountinfo").read_text(errors="replace")))
    return []


def _mounted(mountinfo: str) -> Iterator[Hierarchy]:
    for line in mountinfo.splitlines():
        place, _, kind = line.partition(" - ")
        _, _, _, root, mount, *_ = place.split(" ")
        filesystem, _, options = kind.split(" ", 2)
        if filesystem == "cgroup2":
            yield Hierarchy(frozenset({V2}), PurePosixPath(root), Path(mount))
        elif filesystem == "cgroup":
            yield Hierarchy(frozenset(options.split(",")), PurePosixPath(root), Path(mount))


def groups_of(pid: int | str) -> dict[str, str]:
    """The group that a process ("self": this one) is in, by controller; V2 for version 2."""
    groups: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            groups |= dict.fromkeys(controllers.split(","), path)
    return groups


class Account:
    """The group that `pid` is alone in: CPU time and kills for want of memory."""

    def __init__(self, pid: int) -> None:
        groups, mounted = groups_of(pid), hierarchies()
        self._unified = _folder(V2, groups, mounted)
        self._cpu = _folder("cpuacct", groups, mounted)
        self._memory = _folder("memory", groups, mounted)
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
        return any(map(was_out_of_memory, (self._memory, self._unified)))


def was_out_of_memory(folder: Path) -> bool:
    """Whether the kernel has killed in a group for want of memory."""
    v1 = _field(folder / "memory.oom_control", "oom_kill")
    return bool(v1 or _field(folder / "memory.events", "oom_kill"))


def _folder(controller: str, groups: dict[str, str], mounted: list[Hierarchy]) -> Path:
    """A group's folder; one that is not there where the group is everybody's."""
    group = groups.get(controller, "/")
    for hierarchy in mounted:
        folder = hierarchy.folder(group) if controller in hierarchy.controllers else None
        if folder and group != "/":
            return folder
    return Path("/sys/fs/cgroup/none")


def _field(file: Path, name: str) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    return None
