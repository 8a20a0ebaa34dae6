"""Whether the user that a bot becomes can run what a box is made of: tried as that user."""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arena.finding import Finding
from arena.sandbox import runtime
from arena.sandbox.bwrap import find_bwrap
from arena.sandbox.errors import BoxError
from arena.sandbox.process import read_available, wait_readable
from arena.sandbox.reaping import reap
from arena.sandbox.remedies import remedy_for_start
from arena.sandbox.spawn import spawn
from arena.sandbox.wall.orders import PYTHON_ENVIRONMENT

_ANSWER_S = 20.0
_WHO_AM_I = (
    "import json, os, sys;"
    "print(json.dumps([os.getuid(), os.getgroups(), '.'.join(map(str, sys.version_info[:3]))]))"
)


def findings() -> Iterator[Finding]:
    """Whether root can drop to a box's uid, then Python and bubblewrap under it.

    Of an ordinary user the same with its own uid. Nothing where there is no runtime: that is told.
    """
    try:
        copy = runtime.ready()
    except (BoxError, OSError):
        return
    python = copy.root / copy.python
    environment = {**PYTHON_ENVIRONMENT, "LD_LIBRARY_PATH": str(copy.root / copy.libraries)}
    try:
        said = _said([python, "-ISB", "-c", _WHO_AM_I], environment)
        uid, groups, version = json.loads(said)
    except (BoxError, ValueError) as error:
        yield _refused("user", python, str(error))
        return
    if os.geteuid() != 0:
        yield Finding("user", True, f"uid {uid}: bots run as this user, not as root")
    elif uid in (0, None) or any(group != uid for group in groups):
        yield Finding("user", False, f"a box of root's runs as uid {uid}, groups {groups}", _DROP)
    else:
        yield Finding("user", True, f"root, and bots become another user, as uid {uid} just now")
    yield Finding("runtime: as a bot's user", True, f"Python {version} runs as uid {uid}")
    yield from _bubblewrap(uid)


def _bubblewrap(uid: int) -> Iterator[Finding]:
    name = "bubblewrap: as a bot's user"
    try:
        program = Path(find_bwrap())
    except (BoxError, OSError):
        return
    try:
        said = _said([program, "--version"], {})
    except BoxError as error:
        yield _refused(name, program, str(error))
        return
    yield Finding(name, True, f"{said.strip()} runs as uid {uid}")


def _said(command: Sequence[str | Path], environment: Mapping[str, str]) -> str:
    """What a program says under a box's uid. Raises BoxError where it says nothing."""
    spawned = spawn(command, environment, None)
    try:
        deadline_s = time.monotonic() + _ANSWER_S
        answered = wait_readable((spawned.pipes.stdout,), deadline_s)
        said = os.read(spawned.pipes.stdout, 4096).decode(errors="replace") if answered else ""
        if not said:
            words = read_available(spawned.pipes.stderr).decode(errors="replace").strip()
            raise BoxError(words.rpartition("\n")[2] or "no answer")
        return said
    finally:
        spawned.child.kill()
        reap(spawned.child)
        spawned.pipes.close_ours()
        if spawned.slot:
            spawned.slot.release()


def _refused(name: str, program: Path, words: str) -> Finding:
    closed = [str(each) for each in program.parents if not each.stat().st_mode & 0o001]
    if os.geteuid() == 0 and closed:
        return Finding(
            name,
            False,
            f"{program} cannot be run by a bot's user: {words}",
            f"Other users may not enter {closed[-1]}: chmod o+x it, or set SANTASE_RUNTIME to a "
            "folder outside any home.",
        )
    return Finding(name, False, f"{program}: {words}", remedy_for_start(words))


_DROP = remedy_for_start("Operation not permitted")
