"""Runs inside a throwaway namespace: victims, one attack as a plain process, what came of it.

`python control_stage.py FOLDER LINES SECONDS`: prints a JSON object.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

KEPT = 2_000
SECRET = {"TOPSECRET": "OPPONENT_MARK", "PYTHONHASHSEED": "0"}


def set_the_stage() -> None:
    """What the attacks look for."""
    for path in ("/etc/passwd", "/etc/shadow", "/tmp/OPPONENT_FILE", "/dev/kmsg"):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text("OPPONENT_MARK\n")
    Path("/home").mkdir(exist_ok=True)


def attack(folder: str, lines: str, seconds: float) -> dict[str, Any]:
    """The bot as a plain process beside its victims."""
    environment = {**SECRET, "LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"]}
    with (
        socket.create_server(("127.0.0.1", 47_999)),
        socket.socket(socket.AF_UNIX) as unix,
        subprocess.Popen(
            [sys.executable, "-c", "input()  # OPPONENT_MARK"],
            env=environment,
            stdin=subprocess.PIPE,
        ) as victim,
    ):
        unix.bind("\0sbx-host")
        unix.listen()
        told = _run(folder, lines.format(pid=victim.pid), seconds, environment)
        victim.kill()
    return told


def _run(folder: str, lines: str, seconds: float, environment: dict[str, str]) -> dict[str, Any]:
    before = processes()
    with subprocess.Popen(
        [sys.executable, "bot.py"],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as bot:
        try:
            out, err = bot.communicate(lines.encode(), timeout=seconds)
        except subprocess.TimeoutExpired as late:
            out, err = late.stdout or b"", late.stderr or b""
        ended = bot.poll()
        left = processes() - before
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, 9)
        return {
            "stdout": out[:KEPT].decode(errors="replace"),
            "stderr": err[-KEPT:].decode(errors="replace"),
            "bytes": len(out) + len(err),
            "ended": ended,
            "left": len(left - {bot.pid}),
        }


def processes() -> set[int]:
    """All that are in the namespace."""
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


if __name__ == "__main__":
    set_the_stage()
    print(json.dumps(attack(sys.argv[1], sys.argv[2], float(sys.argv[3]))))
