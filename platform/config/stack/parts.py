"""One process of the stack: started, watched, stopped; its output goes to the log, line by line."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

LogLine = Callable[[str], None]

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Part:
    """What to start, how to tell that it is ready, and how long it may take to leave (seconds)."""

    name: str
    argv: Sequence[str]
    is_ready: Callable[[], bool]
    ready_s: float = 60.0
    leave_s: float = 10.0


@dataclass(slots=True)
class Process:
    """A running part."""

    part: Part
    environment: Mapping[str, str]
    log: LogLine
    restarts: list[float] = field(default_factory=list)
    _popen: "subprocess.Popen[bytes] | None" = None
    _reader: threading.Thread | None = None

    def start(self) -> None:
        """Starts it, apart from our terminal, so that Ctrl-C reaches us alone."""
        self._popen = subprocess.Popen(
            list(self.part.argv),
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        assert self._popen.stdout is not None
        self._reader = threading.Thread(
            target=self._copy_output, args=(self._popen.stdout,), daemon=True
        )
        self._reader.start()

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._popen is not None
        return self._popen.pid

    def ended(self) -> int | None:
        """Its exit code, once it has ended."""
        return None if self._popen is None else self._popen.poll()

    def wait_ready(self, stopping: Callable[[], bool]) -> bool:
        """Waits until it is ready; False where it ended, took too long, or we are to stop."""
        deadline = time.monotonic() + self.part.ready_s
        while time.monotonic() < deadline and not stopping():
            if self.ended() is not None:
                return False
            if self.part.is_ready():
                return True
            time.sleep(0.1)
        return False

    def stop(self, hurry: Callable[[], bool]) -> None:
        """Asks it to leave and waits; kills it where it stays, or when told to hurry."""
        if self._popen is None:
            return
        deadline = time.monotonic() + self.part.leave_s
        self._signal(signal.SIGTERM)
        while self._popen.poll() is None and time.monotonic() < deadline and not hurry():
            time.sleep(0.05)
        if self._popen.poll() is None:
            self.log("did not leave in time: killed")
            self._signal(signal.SIGKILL)
            self._popen.wait()
        if self._reader is not None:
            self._reader.join(2)

    def _signal(self, number: signal.Signals) -> None:
        """To the whole session where it must die, else to the process, which ends its own."""
        assert self._popen is not None
        try:
            if number is signal.SIGKILL:
                os.killpg(self._popen.pid, number)
            else:
                os.kill(self._popen.pid, number)
        except ProcessLookupError:
            return

    def _copy_output(self, output: IO[bytes]) -> None:
        for line in output:
            self.log(line.decode(errors="replace").rstrip())


def _end_with_parent() -> None:
    """Run in the child before it starts: it is told to end when the stack's process dies."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
