"""Bots that are threads of the test on plain pipes: thousands of matches with scripted bytes."""

import json
import os
import queue
import select
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from arena.protocol import Limits
from arena.referee import Entrant, MatchRecord, MatchSpec, play_match
from arena.sandbox import ExitReport
from arena.santase import ruleset

LIMITS = Limits(move_ms=100, bank_ms=100, stderr_kb=4, stderr_total_kb=64)
"""A request is cut off after a second; stderr may hold 64 KB."""


READY = b'{"type":"ready"}\n'


@dataclass(frozen=True)
class Script:
    """What the bot on turn does at its first request: writes these pieces to 1 or 2, in order.

    Then it ends, or waits for the end of the match; `closes` shuts its stdout meanwhile. `greeting`
    is written for `hello`; after an odd one it may end at once. With `beyond` it plays well all the
    time, and writes that with its first reply.
    """

    pieces: Sequence[tuple[int, bytes]] = ()
    ends: bool = False
    closes: bool = False
    greeting: bytes = READY
    beyond: bytes | None = None


PLAYS_WELL = Script(beyond=b"")
LEAVES = Script(ends=True)


@dataclass
class PipeBox:
    """What the referee needs of a box, over a thread instead of a process."""

    pid: int = field(default_factory=os.getpid)

    def __post_init__(self) -> None:
        (self.their_in, self.stdin), (self.stdout, self.their_out) = os.pipe(), os.pipe()
        (self.stderr, self.their_err), (self.pidfd, self.their_end) = os.pipe(), os.pipe()
        os.set_blocking(self.their_out, False)
        os.set_blocking(self.their_err, False)
        self._ours = [self.stdin, self.stdout, self.stderr, self.pidfd]
        self._hung_up = False

    def wait_ready(self) -> None:
        """It is."""

    def load(self, files: Any) -> None:
        """Its bot is the thread."""

    def cpu_ns(self) -> int:
        """A thread of the test has no clock of its own."""
        return 0

    def freeze(self) -> None:
        """Not needed."""

    def thaw(self) -> None:
        """Not needed."""

    def hang_up(self) -> None:
        if not self._hung_up:
            self._hung_up = True
            self._ours.remove(self.stdin)
            os.close(self.stdin)

    def stop(self, why: str) -> ExitReport:
        while self._ours:
            os.close(self._ours.pop())
        return ExitReport(why, 0, None, False, False, 0, None, 0)


class PipeSandbox:
    """Named in the replay's header."""

    kind = image = "pipes"
    python = "3"

    def probe(self) -> tuple[()]:
        return ()

    def start(self, limits: Any, core: int | None) -> Any:
        raise AssertionError("boxes of pipes are made by the test")


class Player(threading.Thread):
    """Plays one seat of match after match, by the script that it is given."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.todo: queue.SimpleQueue[tuple[PipeBox, Script] | None] = queue.SimpleQueue()
        self.requests: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        """The request that each match brought, or None."""

    def run(self) -> None:
        while (given := self.todo.get()) is not None:
            box, script = given
            self.requests.put(self._play(box, script))

    def _play(self, box: PipeBox, script: Script) -> dict[str, Any] | None:
        seen = None
        with open(box.their_in, "rb") as lines:
            for line in lines:
                message = json.loads(line)
                if message["type"] == "hello":
                    self._write(box, box.their_out, script.greeting)
                    if script.greeting != READY and script.ends:
                        break
                elif message["type"] == "request" and script.beyond is not None:
                    reply = {"id": message["id"], "action": message["legal"][-1]}
                    beyond = script.beyond if seen is None else b""
                    self._write(box, box.their_out, json.dumps(reply).encode() + b"\n" + beyond)
                    seen = seen or message
                elif message["type"] == "request" and seen is None:
                    seen = message
                    for fd, data in script.pieces:
                        self._write(box, box.their_out if fd == 1 else box.their_err, data)
                    if script.closes:
                        os.close(box.their_out)
                    if script.ends:
                        break
        for fd in (box.their_out, box.their_err, box.their_end):
            with suppress(OSError):
                os.close(fd)
        return seen

    def _write(self, box: PipeBox, fd: int, data: bytes) -> None:
        """Writes all, or what is taken before the match ends and hangs up."""
        waiting = select.poll()
        waiting.register(fd, select.POLLOUT)
        waiting.register(box.their_in, select.POLLHUP)
        while data:
            try:
                data = data[os.write(fd, data) :]
            except BlockingIOError:
                if any(event & select.POLLHUP for _, event in waiting.poll()):
                    return
            except BrokenPipeError:
                return


class PipeMatches:
    """Matches between a scripted bot (seat 1, which leads) and one that ends when it is asked."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._players = (Player(), Player())
        for player in self._players:
            player.start()
        bot = Entrant("pipes", "0" * 64, {"bot.py": b""})
        self._spec = MatchSpec("m_pipes", "0" * 64, (bot, bot), ruleset(), limits)

    def play(
        self,
        script: Script,
        other: Script = LEAVES,
        *,
        pid: int | None = None,
        core: int | None = None,
    ) -> tuple[MatchRecord, dict[str, Any] | None]:
        """The record, and the request that the script answered, if it came to that.

        `pid` is the process whose waits for `core` are the scripted bot's.
        """
        boxes = (PipeBox(), PipeBox(pid or os.getpid()))
        for player, box, act in zip(self._players, boxes, (other, script), strict=True):
            player.todo.put((box, act))
        record = play_match(self._spec, boxes, PipeSandbox(), core)
        requests = [player.requests.get() for player in self._players]
        return record, requests[1]

    def close(self) -> None:
        for player in self._players:
            player.todo.put(None)
            player.join()
