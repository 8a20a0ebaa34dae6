"""Finds out whether the walls hold here, by running a bot that tries them.

The bot must be stopped by exactly the right refusals: "no such file" where a file should be out of
sight, "not permitted" where the filter should answer. Where two walls stand, each is also tried
with the other one taken away, so that one can't hide that the other is missing.
"""

import contextlib
import json
import os
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.finding import Finding
from arena.sandbox.base import Box
from arena.sandbox.errors import BoxError
from arena.sandbox.launched import Walls
from arena.sandbox.process import read_available, wait_readable, write_all
from arena.sandbox.remedies import remedy_for_start

_ANSWER_S = 20.0

_WRITABLE_ELSEWHERE = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", "/usr")

Refusals = Mapping[str, frozenset[str]]
"""What may come of each attempt: names of errors."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of the probe bot: which walls stand, what may come of what it tries.

    `shows_marker`: the host's file is put into the box, so that only Landlock keeps it shut.
    """

    name: str
    walls: Walls
    refusals: Refusals
    shows_marker: bool = False


_FILTERED = frozenset({"EPERM"})
_NO_PLACE = frozenset({"EROFS", "EACCES", "ENOENT"})

OUTER_FILTER: Refusals = dict.fromkeys(
    ("make_socket", "fork", "leave_core", "signal_worker"), _FILTERED
)
INNER: Refusals = {
    **OUTER_FILTER,
    "run_program": _FILTERED,
    "raise_limit": _FILTERED,
    "read_marker": frozenset({"EACCES"}),
    "read_worker": frozenset({"EACCES", "ENOENT"}),
    "write_somewhere": _NO_PLACE,
    "take_memory": frozenset({"MemoryError"}),
    "find_authority": frozenset({"EBADF"}),
}
WHOLE: Refusals = {**INNER, "read_marker": frozenset({"EACCES", "ENOENT"})}
NAMESPACES: Refusals = {
    "read_marker": frozenset({"ENOENT"}),
    "read_worker": frozenset({"ENOENT"}),
    "reach_host": frozenset({"ECONNREFUSED", "ENETUNREACH"}),
    "signal_worker": frozenset({"ESRCH"}),
    "write_somewhere": _NO_PLACE,
}

_ATTEMPTS = {
    "read_marker": "reading a file of the host",
    "write_somewhere": "making a file",
    "make_socket": "making a socket",
    "reach_host": "reaching the host by network",
    "fork": "making a process",
    "run_program": "running a program",
    "signal_worker": "signalling the worker",
    "read_worker": "reading the worker's /proc",
    "take_memory": "taking 1 GB",
    "raise_limit": "setting a limit",
    "leave_core": "leaving its core",
    "find_authority": "finding root, an environment or an open file",
}

_REMEDY = (
    "Run no uploaded bots here: report this with the output of `santase doctor --json`; "
    "SANDBOX names another back-end."
)

Start = Callable[[Walls], Box]


@dataclass(frozen=True, slots=True)
class _Host:
    """What the host has put out to be found."""

    marker: Path
    port: int
    abstract: str
    places: tuple[Path, ...]
    """Files that do not exist, and that no bot may make."""


@contextlib.contextmanager
def _something_to_find(folder: Path | None) -> Iterator[_Host]:
    abstract = f"santase-probe-{secrets.token_hex(8)}"
    places = tuple(Path(folder, abstract) for folder in _WRITABLE_ELSEWHERE)
    with (
        tempfile.TemporaryDirectory(prefix="santase-probe-", dir=folder) as shown,
        socket.create_server(("127.0.0.1", 0)) as listening,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as unix,
    ):
        unix.bind("\0" + abstract)
        unix.listen()
        marker = Path(shown, "marker")
        marker.write_text("not for bots\n")
        marker.chmod(0o644)
        Path(shown).chmod(0o755)
        try:
            yield _Host(marker, listening.getsockname()[1], abstract, places)
        finally:  # where the walls do not hold
            for place in places:
                with contextlib.suppress(OSError):
                    place.unlink()


def run(
    kind: str, trials: Sequence[Trial], start: Start, folder: Path | None = None
) -> tuple[Finding, ...]:
    """Runs every trial, side by side; a finding for each attempt of each.

    The file that no bot may read is put into `folder`, or where such files go.
    """
    with _something_to_find(folder) as host, contextlib.ExitStack() as boxes:
        started: list[tuple[Trial, Box | BoxError]] = []
        for trial in trials:
            shown = (str(host.marker),) if trial.shows_marker else ()
            try:
                box = start(trial.walls.showing(shown))
            except BoxError as error:
                started.append((trial, error))
            else:
                boxes.callback(box.stop, "probed")
                started.append((trial, box))
        return tuple(
            finding
            for trial, box in started
            for finding in _judge(kind, trial, _outcomes(box, trial, host))
        )


def _outcomes(box: Box | BoxError, trial: Trial, host: _Host) -> dict[str, str] | BoxError:
    if isinstance(box, BoxError):
        return box
    question = {
        "attempts": list(trial.refusals),
        "marker": str(host.marker),
        "places": [str(place) for place in host.places],
        "port": host.port,
        "abstract": host.abstract,
        "pid": os.getpid(),
    }
    try:
        box.load({"bot.py": Path(__file__).with_name("probe_bot.py").read_bytes()})
        deadline_s = time.monotonic() + _ANSWER_S
        write_all(box.stdin, json.dumps(question).encode() + b"\n", deadline_s)
        said = b""
        while not said.endswith(b"\n"):
            if not wait_readable((box.stdout,), deadline_s):
                break
            piece = os.read(box.stdout, 65_536)
            if not piece:
                break
            said += piece
        return dict(json.loads(said))
    except BoxError as error:
        return error
    except ValueError:
        words = read_available(box.stderr).decode(errors="replace").strip()
        return BoxError(f"the probe bot gave no answer: {words.rpartition(chr(10))[2]}")


def _judge(kind: str, trial: Trial, outcomes: dict[str, str] | BoxError) -> Iterator[Finding]:
    where = f"{kind}, {trial.name}"
    if isinstance(outcomes, BoxError):
        yield Finding(f"{where}: start", False, str(outcomes), remedy_for_start(str(outcomes)))
        return
    for attempt, right in trial.refusals.items():
        outcome = outcomes.get(attempt, "not tried")
        words = "succeeded" if outcome == "done" else f"ended in {outcome}"
        expected = " or ".join(sorted(right))
        yield Finding(
            f"{where}: {attempt}",
            outcome in right,
            f"{_ATTEMPTS[attempt]} {words}" + ("" if outcome in right else f", not in {expected}"),
            "" if outcome in right else _REMEDY,
        )
