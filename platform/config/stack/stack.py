"""Starts the parts in order, keeps them up, stops them in reverse."""

import fcntl
import os
import signal
import time
from collections.abc import Callable
from logging import Formatter, LogRecord, makeLogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType

from config.errors import StackError
from config.stack.parts import Part, Process

_LOG_BYTES = 20_000_000
_RESTARTS = 5
"""A part that ends more often than this within a minute is not started again."""
_MINUTE = 60.0


class Stack:
    """The parts that run, in order of starting; a context that stops them in reverse."""

    def __init__(
        self, state: Path, environment: dict[str, str], say: Callable[[str], None]
    ) -> None:
        """Takes the state folder for itself. Raises `StackError` where another stack has it."""
        self._environment = environment
        self._say = say
        self._processes: list[Process] = []
        self._signals = 0
        self.log_path = state / "logs" / "santase.log"
        try:
            self.log_path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _take(state / "up.lock")
            self._log = _LogFile(
                self.log_path, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8"
            )
        except OSError as error:
            raise StackError(
                f"the state folder {state} cannot be written: {error.strerror}. Make it writable "
                "for this user, or name another with SANTASE_STATE"
            ) from error
        self._log.setFormatter(Formatter("%(asctime)s %(message)s"))

    def __enter__(self) -> "Stack":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note_signal)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def stopping(self) -> bool:
        """Whether somebody asked us to stop."""
        return self._signals > 0

    def start(self, part: Part) -> None:
        """Starts a part and waits until it is ready. Raises `StackError`."""
        if self.stopping:
            return
        process = Process(part, self._environment, self._logger(part.name))
        self._processes.append(process)
        process.start()
        if not process.wait_ready(lambda: self.stopping) and not self.stopping:
            code = process.ended()
            how = "is not ready in time" if code is None else f"ended with code {code}"
            raise StackError(f"the {part.name} {how}; {self.log_path} says more")

    def tend(self) -> None:
        """Starts again what has ended. Raises `StackError` for what does not stay up."""
        for process in self._processes:
            code = process.ended()
            if code is None or self.stopping:
                continue
            now = time.monotonic()
            process.restarts = [at for at in process.restarts if now - at < _MINUTE] + [now]
            if len(process.restarts) > _RESTARTS:
                raise StackError(
                    f"the {process.part.name} does not stay up (code {code}); "
                    f"{self.log_path} says more"
                )
            self._say(f"the {process.part.name} ended with code {code}: it is started again")
            process.start()

    def stop(self) -> None:
        """Stops all parts, the last started first; a second signal kills."""
        asked = self._signals
        while self._processes:
            process = self._processes.pop()
            self._say(f"stopping the {process.part.name} …")
            process.stop(hurry=lambda: self._signals > max(1, asked))
        self._log.close()
        os.close(self._lock)

    def _note_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1

    def _logger(self, name: str) -> Callable[[str], None]:
        def log(line: str) -> None:
            self._log.handle(_record(f"{name:<7}| {line}"))

        return log


class _LogFile(RotatingFileHandler):
    """The log of all parts; on a full disk lines are lost, and nothing else."""

    def handleError(self, record: LogRecord) -> None:
        """Not a traceback a line on the terminal."""


def _record(line: str) -> LogRecord:
    return makeLogRecord({"msg": line, "levelname": "INFO"})


def _take(path: Path) -> int:
    """Locks the state folder for this process."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise StackError(
            f"the platform is running already from {path.parent}: stop it first, or name another "
            "state folder with SANTASE_STATE"
        ) from error
    return lock
