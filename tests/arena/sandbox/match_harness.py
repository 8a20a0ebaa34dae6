"""Plays a hostile case as a match: its bot is woken by its first request, the other one plays on.

Separate from `sandbox_harness`, which needs no referee.
"""

import hashlib
import json
import os
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import sandbox_harness
from sandbox_harness import children, files_of, left_behind

from arena.protocol import Limits
from arena.referee import Entrant, MatchRecord, MatchSpec, play_match
from arena.referee.referee import GRACE_MS
from arena.sandbox import Box, BoxLimits
from arena.santase import ruleset

LIMITS = Limits(start_ms=2_000, move_ms=100, bank_ms=500, wall_factor=3, stderr_total_kb=4_096)

# Line 1 of the bot, so that its own lines keep their numbers from 1 on but for that. It takes part
# in the handshake, byte by byte so that it holds nothing back, and at the first request hands the
# case its lines on stdin.
AWAKE = """
import os
def line():
    said = b""
    while not said.endswith(b"\\n"):
        byte = os.read(0, 1)
        if not byte:
            raise SystemExit
        said += byte
    return said
line()
os.write(1, b'{"type":"ready"}\\n')
while b'"type":"request"' not in line():
    pass
there, here = os.pipe()
os.write(here, LINES)
os.close(here)
os.dup2(there, 0)
os.close(there)
del there, here, line, os
"""

# A bot that behaves: it plays its first legal card.
PLAYER = b"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "request":
        card = next(action for action in message["legal"] if action.startswith("play:"))
        print(json.dumps({"id": message["id"], "action": card}), flush=True)
"""

# The quiet match to compare with: it leaves at its first request.
LEAVER = b"raise SystemExit"


def play_as_match(kind: str, folder: Path) -> dict[str, Any]:
    """A match of the case (seat 0) and a bot that behaves (seat 1, which leads); plain values."""
    case = tomllib.loads((folder / "case.toml").read_text())
    files = files_of(folder)
    if case["match"].get("at") != "start":
        sent = "".join(line.format(pid=os.getpid()) + "\n" for line in case.get("lines", ["{{}}"]))
        files["bot.py"] = awake(files["bot.py"], sent.encode())
    limits = msgspec.structs.replace(
        LIMITS,
        bank_ms=case["match"].get("bank_ms", LIMITS.bank_ms),
        memory_mb=case.get("limits", {}).get("memory_mb", LIMITS.memory_mb),
    )
    return _play(kind, files, limits)


def play_quiet(kind: str) -> dict[str, Any]:
    """The same against a bot that only leaves."""
    return _play(kind, {"bot.py": awake(LEAVER, b"")}, LIMITS)


def awake(source: bytes, lines: bytes) -> bytes:
    """The case's bot, with the handshake done before its first line."""
    return f"exec({AWAKE.replace('LINES', repr(lines))!r})\n".encode() + source


def _play(kind: str, files: dict[str, bytes], limits: Limits) -> dict[str, Any]:
    core = min(os.sched_getaffinity(0))
    before, before_kb = children(), resident_kb()
    sandbox = sandbox_harness.sandbox(kind)
    boxes: list[Box] = []
    try:
        for _ in range(2):
            boxes.append(sandbox.start(BoxLimits(limits.memory_mb, limits.threads), core))
        for box in boxes:
            box.wait_ready()
        pids = [box.pid for box in boxes]
        began = time.monotonic()
        record = play_match(_spec(files, limits), (boxes[0], boxes[1]), sandbox, core=None)
        took_s = time.monotonic() - began
    finally:
        for box in boxes:
            box.stop("the case is over")
    return {
        **_told(record),
        "took_s": took_s,
        "deadline_s": _deadline_s(limits),
        "left": [line for pid in pids for line in left_behind(kind, pid, before)],
        "grown_kb": resident_kb() - before_kb,
    }


def _deadline_s(limits: Limits) -> float:
    """Wall time that a match may take which ends at the case's only request."""
    return limits.wall_factor * (limits.move_ms + limits.bank_ms) / 1000 + GRACE_MS / 1000


def _spec(files: dict[str, bytes], limits: Limits) -> MatchSpec:
    hostile = Entrant("hostile", hashlib.sha256(files["bot.py"]).hexdigest(), files)
    player = Entrant("player", hashlib.sha256(PLAYER).hexdigest(), {"bot.py": PLAYER})
    return MatchSpec("m_case", "0" * 64, (hostile, player), ruleset(), limits)


def _told(record: MatchRecord) -> dict[str, Any]:
    return {
        "winner": record.winner,
        "reason": record.reason,
        "faults": [msgspec.to_builtins(fault) for fault in record.faults],
        "refused": (record.seats[0].refused or b"")[:4_096].decode(errors="replace"),
        "stderr": record.seats[0].stderr.decode(errors="replace"),
        "survivors": [seat.exit.survivors for seat in record.seats],
        "cpu_ms": [seat.cpu_ms for seat in record.seats],
        "billed_ms": list(_billed_ms(record)),
    }


def _billed_ms(record: MatchRecord) -> Iterator[float]:
    """CPU of each action of the bot that behaves, as the replay tells it."""
    for line in record.body.splitlines():
        for seat, _, cpu_ms, _ in json.loads(line).get("actions", []):
            if seat == 1:
                yield cpu_ms


def resident_kb() -> int:
    """Memory of this process, which is the referee's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
