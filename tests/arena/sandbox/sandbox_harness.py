"""Plays one bot in one box of any back-end and tells what came of it; no referee, no channel.

In the tests' own process: `play`. As a program: JSON lines `[kind, folder, walls]` in, outcomes
out; so that the tests of a machine where pytest is root can play as an ordinary user too. Walls
"match" ask for a whole match (`match_harness`), a folder of null for the quiet one.
"""

import contextlib
import json
import os
import select
import socket
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.sandbox import Box, BoxLimits, janitor
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.container import DockerSandbox
from arena.sandbox.engine import Engine
from arena.sandbox.landlock import LandlockSandbox
from arena.sandbox.launched import Walls

KINDS = {
    "bubblewrap": BubblewrapSandbox,
    "landlock": LandlockSandbox,
    # Whether FIFOs work is found out in a test of its own, not for every box.
    "docker": lambda walls: DockerSandbox(walls, fifos=True),
}
ORDINARY_UID = 61_200
"""No one's: below it lie the uids of boxes."""
KEPT = 1 << 16
PLACES = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/opt", "/root")
PORT, ABSTRACT = 47_999, "\0sbx-host"


def sandbox(kind: str, walls: Mapping[str, Any] | None = None) -> Any:
    """A back-end by its name, some walls taken away where a test says so."""
    return KINDS[kind](Walls(**(walls or {})))


def converse(
    box: Box,
    files: Mapping[str, bytes],
    lines: bytes,
    seconds: float,
    enough: Callable[[bytes, int], bool] = lambda out, total: False,
) -> tuple[bytes, bytes, int]:
    """Loads a bot, sends it `lines`, reads what it says until it ends or it is `enough`.

    `enough` is asked with stdout so far and the bytes of both streams. Gives the heads of stdout
    and stderr and the number of all bytes.
    """
    box.load(files)
    with contextlib.suppress(BrokenPipeError):
        os.write(box.stdin, lines)
    said = {box.stdout: b"", box.stderr: b""}
    total, open_fds = 0, set(said)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        ready, _, _ = select.select([*open_fds, box.pidfd], [], [], 0.02)
        for fd in open_fds & set(ready):
            data = os.read(fd, KEPT)
            total += len(data)
            said[fd] = (said[fd] + data)[: 2 * KEPT]
            if not data:
                open_fds.discard(fd)
        if ready == [box.pidfd] or enough(said[box.stdout], total):
            break  # it has ended and all it said is read, or it has said what was wanted
    return said[box.stdout], said[box.stderr], total


def files_of(folder: Path) -> dict[str, bytes]:
    """The bot of a case, as it would be uploaded."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "case.toml" and "__pycache__" not in path.parts
    }


def replied(out: bytes, total: int) -> bool:
    """Whether a line has come: for `converse`."""
    return b"\n" in out


def play(kind: str, folder: Path, walls: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Runs the bot in `folder` as its case.toml says; a dict of plain values."""
    case = tomllib.loads((folder / "case.toml").read_text())
    files = files_of(folder)
    limits = BoxLimits(**case.get("limits", {}))
    core = min(os.sched_getaffinity(0))
    before = children()
    box = sandbox(kind, walls).start(limits, core)
    try:
        pid = box.pid
        sent = "".join(line.format(pid=os.getpid()) + "\n" for line in case.get("lines", ["{{}}"]))
        out, err, total = converse(
            box, files, sent.encode(), case.get("seconds", 20.0), _enough(case, box)
        )
        began = time.monotonic()
        report = box.stop("the case is over")
        stop_s = time.monotonic() - began
    finally:
        box.stop("the case is over")
    return {
        "stdout": out.decode(errors="replace"),
        "stderr": err.decode(errors="replace"),
        "bytes": total,
        "report": asdict(report),
        "stop_s": stop_s,
        "left": left_behind(kind, pid, before),
    }


def _enough(case: Mapping[str, Any], box: Box) -> Callable[[bytes, int], bool]:
    if "until_bytes" in case:
        return lambda out, total: total >= case["until_bytes"]
    if "until_cpu_ms" in case:
        return lambda out, total: (box.cpu_ns() or 0) >= case["until_cpu_ms"] * 1_000_000
    return replied if case.get("until") == "reply" else lambda out, total: False


def children() -> set[str]:
    """The processes that are ours to reap."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def left_behind(kind: str, pid: int, before: set[str]) -> list[str]:
    """What a box of this kind has left: nothing, where all is right."""
    return settled(pid, before) if kind == "docker" else leftovers(pid, before)


def leftovers(pid: int, before: set[str]) -> list[str]:
    """What a box must not leave: its process, children of ours, files of a box's owner."""
    left = [f"process {pid}"] if os.path.exists(f"/proc/{pid}") else []
    left += [f"child {child}" for child in children() - before]
    owners = range(60_800, 61_056) if os.geteuid() == 0 else {os.geteuid()}
    # As an ordinary user, what other tests make meanwhile has the same owner: among it brokers.
    others = ("santase-ordinary-", "santase-probe-", f"santase-{os.geteuid()}-")
    for place in PLACES:
        with contextlib.suppress(OSError):
            for entry in os.scandir(place):
                fresh = entry.stat(follow_symlinks=False)
                known = entry.name.startswith(others)
                if fresh.st_uid in owners and fresh.st_ctime > STARTED and not known:
                    left.append(entry.path)
    return left


def settled(pid: int, before: set[str]) -> list[str]:
    """`leftovers`, once the engine has taken notice of the end; containers of ours too."""
    mine = janitor.owner()
    deadline = time.monotonic() + 10
    while left := leftovers(pid, before) + sorted(mine.live):
        if time.monotonic() > deadline:
            return left
        time.sleep(0.01)
    with Engine() as engine:
        return [name for name, labels in engine.boxes() if mine.name in labels.values()]


STARTED = time.time()


@contextlib.contextmanager
def something_to_find() -> Any:
    """What the hostile bots look for: listeners, and a secret in our environment."""
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(socket.socket())
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        with contextlib.suppress(OSError):  # another run's listener does as well
            tcp.bind(("127.0.0.1", PORT))
            tcp.listen()
        with contextlib.suppress(OSError):
            unix.bind(ABSTRACT)
            unix.listen()
        os.environ["TOPSECRET"] = "OPPONENT_MARK"
        stack.callback(os.environ.pop, "TOPSECRET")
        yield


def main() -> None:
    """Plays what stdin asks for, one line each."""
    with something_to_find():
        for line in sys.stdin:
            kind, folder, walls = json.loads(line)
            print(json.dumps(outcome(kind, folder, walls)), flush=True)


def outcome(kind: str, folder: Path | str | None, walls: Any = None) -> dict[str, Any]:
    """What is asked for in one line of the program's input."""
    if walls != "match":
        return play(kind, Path(str(folder)), walls)
    import match_harness  # needs more than the sandbox alone

    if folder is None:
        return match_harness.play_quiet(kind)
    return match_harness.play_as_match(kind, Path(folder))


if __name__ == "__main__":
    main()
