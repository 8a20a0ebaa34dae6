"""Control groups: which this process has, and what they hold of a box. For information."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.finding import Finding
from arena.sandbox import belt

_ROOT = Path("/sys/fs/cgroup")
_CONTROLLERS = "cgroup.controllers"
_BELT = ("memory", "pids")


def findings() -> Iterator[Finding]:
    """Which controllers are there and what they hold; a belt that is missing is no fault."""
    groups = own_groups()
    if not groups:
        yield Finding("cgroups", True, "none to be seen: the walls do without")
        return
    held = belt.controllers()
    unified = all((folder / _CONTROLLERS).is_file() for folder in groups.values())
    yield Finding(
        "cgroups",
        True,
        f"version {2 if unified else 1}; here: {', '.join(sorted(groups))}; "
        f"a box in a group of its own is held by: {', '.join(held) or 'none'}",
        ""
        if set(_BELT) <= set(held)
        else "Nothing has to be done: the limits of the inner wall need no cgroup. A second belt "
        "needs a worker that is root on cgroup v1, or in a systemd unit with Delegate=memory pids "
        "and DelegateSubgroup=worker.",
    )


def own_groups(listed: Path = Path("/proc/self/cgroup"), root: Path = _ROOT) -> Mapping[str, Path]:
    """Each controller, and the folder of the group that this process is in."""
    found: dict[str, Path] = {}
    with contextlib.suppress(OSError):
        for line in listed.read_text().splitlines():
            _, names, path = line.split(":", 2)
            if names:
                found |= _there(names.split(","), root / names, path)
            else:
                for base in (root, root / "unified"):
                    found |= _of_version_2(base / path.lstrip("/"))
    return found


def _there(names: list[str], base: Path, path: str) -> dict[str, Path]:
    for folder in (base / path.lstrip("/"), base):  # in a container its own group is the root
        if folder.is_dir():
            return dict.fromkeys((name for name in names if "=" not in name), folder)
    return {}


def _of_version_2(folder: Path) -> dict[str, Path]:
    with contextlib.suppress(OSError):
        return dict.fromkeys((folder / _CONTROLLERS).read_text().split(), folder)
    return {}
