"""The label of what a process starts for bots: it tells whose it is, and whether that one lives.

The last word of a box's command line and the name of its control group: "santase-box-", then the
owner's pid namespace, its pid, and when it started. No file is needed, and a number that the kernel
gave to another process since is no owner. A label from another pid namespace is never judged: its
owner can't be seen from here.
"""

import os
import re
from functools import cache

from arena.sandbox.process import process_state, started_at
from arena.sandbox.wall.orders import BWRAP_OPTION, PYTHON_OPTIONS

PREFIX = "santase-box-"
_FIRST_OPTIONS = frozenset({BWRAP_OPTION, PYTHON_OPTIONS[0]})
_FORM = re.compile(rf"{PREFIX}(\d+)-(\d+)-(\d+)(?:-\d+)?", re.ASCII)


def mine() -> str:
    """The label of what this process starts."""
    return _of(os.getpid())


@cache
def _of(pid: int) -> str:
    return f"{PREFIX}{_pid_namespace()}-{pid}-{started_at(pid)}"


def is_ownerless(label: str) -> bool:
    """Whether it is a label of this pid namespace, of a process that is dead, or a zombie."""
    form = _FORM.fullmatch(label)
    if form is None or form[1] != _pid_namespace():
        return False
    owner = int(form[2])
    return str(started_at(owner)) != form[3] or process_state(owner) in "ZX"


def of_process(pid: int) -> str:
    """The label on a box's command line; "" without one, and for what is gone or a zombie.

    A box is told from whoever else names a label (a `grep` for one, say) by how it was called.
    """
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().decode(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return ""
    is_a_box = len(words) > 1 and words[1] in _FIRST_OPTIONS
    return words[-1] if is_a_box and _FORM.fullmatch(words[-1]) else ""


def _pid_namespace() -> str:
    return os.readlink("/proc/self/ns/pid").strip("pid:[]")
