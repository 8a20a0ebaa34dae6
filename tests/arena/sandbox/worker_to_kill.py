"""Drives `boxes_worker.py` as some user, and looks at what processes leave."""

import json
import os
import select
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.sandbox import label
from arena.sandbox.process import parent_of, process_state

DEADLINE_S = 30.0


class Worker:
    """A worker process of some user."""

    def __init__(self, user: Any, kind: str, *words: str) -> None:
        script = user.scripts / "boxes_worker.py"
        self.process = subprocess.Popen(
            [*user.command, str(script), kind, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **user.options,
        )
        self.pid = self.process.pid

    def ask(self, order: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([order]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the worker has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Ends it, and what it plays."""
        for pid in tree(self.pid) if self.process.poll() is None else ():
            subprocess.run(["kill", "-9", str(pid)], check=False, stderr=subprocess.DEVNULL)
        self.process.communicate()


def tree(pid: int) -> set[int]:
    """A process and all below it."""
    found = {pid}
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found |= tree(int(child))
    return found


def wait_for(what: Callable[[], bool]) -> None:
    """Asks again and again; the deadline is wide."""
    deadline = time.monotonic() + DEADLINE_S
    while not what():
        assert time.monotonic() < deadline, "it did not come about"
        select.select([], [], [], 0.005)


def is_gone(pid: int) -> bool:
    """Not there, or a zombie that is init's to reap, when it comes to it."""
    return process_state(pid) == "X" or (process_state(pid) == "Z" and parent_of(pid) == 1)


def labelled(mark: str) -> set[str]:
    """Living processes and control groups whose label holds `mark`, "-PID-START"."""
    pids = (entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit())
    found = {pid for pid in pids if mark in label.of_process(int(pid))}
    for folder, below, _ in os.walk("/sys/fs/cgroup"):
        found |= {f"{folder}/{name}" for name in below if f"{mark}-" in name}
    return found
