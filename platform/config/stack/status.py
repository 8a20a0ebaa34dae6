"""The live status line: what is played, how fast, how long it will take, where to look."""

import shutil
import sys
import time
from contextlib import suppress

from django.db import DatabaseError, connection

from matches.queries import worker_health
from tournaments.queries import Progress, ProgressState, progress, running_tournaments

_TTY_EVERY_S = 1.0
_PLAIN_EVERY_S = 10.0


class StatusLine:
    """One line that is written over on a terminal, and printed now and then elsewhere."""

    def __init__(self, url: str) -> None:
        """`url` comes first: a narrow terminal cuts the words, not the address."""
        self._url = url
        self._tty = sys.stdout.isatty()
        self._next = 0.0
        self._shown = False

    def show(self) -> None:
        """Writes the line where it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (_TTY_EVERY_S if self._tty else _PLAIN_EVERY_S)
        text = f"{self._url} · {self._text()}"
        if self._tty:
            width = shutil.get_terminal_size().columns - 1
            _write("\r\x1b[K" + (text if len(text) <= width else text[: width - 1] + "…"))
            self._shown = True
        else:
            _write(text + "\n")

    def say(self, text: str) -> None:
        """A line that stays."""
        _write(("\r\x1b[K" if self._shown else "") + text + "\n")
        self._shown = False

    def _text(self) -> str:
        try:
            workers = worker_health()
            parts = [_words(one.name, progress(one)) for one in running_tournaments()[:3]]
        except DatabaseError as error:
            return f"the database does not answer ({error})"
        finally:
            connection.close()
        blocked = next((one.message for one in workers if one.alive and not one.plays), "")
        if blocked:
            parts.append("NO SANDBOX: " + blocked.partition("\n")[0])
        return " · ".join(parts) or "no tournament is running"


def _write(text: str) -> None:
    """To whoever still reads: a closed pipe must not keep the stack from stopping in order."""
    with suppress(OSError):
        sys.stdout.write(text)
        sys.stdout.flush()


def _words(name: str, now: Progress) -> str:
    if now.state is not ProgressState.PLAYING:
        return f"{name}: {now.state.value.replace('_', ' ')}, {now.done:,} matches done"
    rate = f"{now.per_minute / 60:.1f}/s ({now.per_minute}/min)"
    left = "" if now.eta_s is None else f", {_duration(now.eta_s)} left"
    of = "" if now.total is None else f" of {now.total:,}"
    return f"{name}: {now.done:,}{of} matches, {rate}{left}"


def _duration(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
