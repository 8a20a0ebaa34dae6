"""One process of `santase play`: bound to a core, it plays pairs in boxes of its own."""

import atexit
import multiprocessing
import os
import threading
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any

import msgspec

from arena.commands.entrants import LocalBot
from arena.commands.errors import HostUnfit
from arena.protocol import Limits
from arena.rating import match_luck
from arena.referee import Keyring, MatchRecord, MatchSpec, seal
from arena.referee.host import BOXES_AHEAD, Host, Played
from arena.referee.played_again import deals_of
from arena.sandbox import Box, BoxLimits, Pool, Sandbox, choose, trusted_file
from arena.state import keys_dir

Job = tuple[MatchSpec, MatchSpec]
"""Both matches of a mirrored pair."""

_STDERR_TAIL = 2_000
"""Characters of a bot's stderr that the machine output shows."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What every worker needs to know; sent to it once."""

    sandbox: str
    trusted: bool
    bots: tuple[LocalBot, LocalBot]
    limits: Limits
    replays: Path | None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as the machine output shows it (PROTOCOL §8), and how often it was void.

    `luck` is by how much the cards raised A's chance to win it (docs/explanation/rating.md).
    """

    fields: dict[str, Any]
    voids: int
    luck: float


PairRows = tuple[MatchRow, MatchRow]


class _BareProcesses:
    """A source of `--trusted` boxes: nothing is started ahead."""

    def __init__(self, sandbox: Sandbox, core: int) -> None:
        self._sandbox = sandbox
        self._core = core

    def take(self) -> Box:
        return self._sandbox.start(BoxLimits(), self._core)

    def fill(self) -> None:
        """Nothing to do."""


class _Worker:
    """What a process keeps between pairs: a host, with boxes of the sandbox or bare processes."""

    def __init__(self, setup: Setup, core: int) -> None:
        self._replays = setup.replays
        self._keyring = None if setup.replays is None else Keyring(keys_dir())
        if setup.trusted:
            sandboxes = [trusted_file(bot.script, bot.beside) for bot in setup.bots]
            one, other = (_BareProcesses(sandbox, core) for sandbox in sandboxes)
            self._host = Host(sandboxes[0], (one, other), core)
            return
        sandbox = choose(setup.sandbox)
        limits = BoxLimits(setup.limits.memory_mb, setup.limits.threads)
        pool = Pool(sandbox, limits, core, size=BOXES_AHEAD)
        atexit.register(pool.close)
        self._host = Host(sandbox, (pool, pool), core)

    def play(self, spec: MatchSpec) -> MatchRow:
        played = self._host.play(spec)
        luck = match_luck(deals_of(played.record.body))
        return MatchRow(
            fields=_fields(spec, played, self._keep(spec, played.record)),
            voids=played.voids,
            luck=luck if spec.game == 0 else -luck,
        )

    def play_pair(self, job: Job) -> PairRows:
        """Both matches; the bots' sources change seats with them."""
        first = self.play(job[0])
        self._host.sources = self._host.sources[::-1]
        try:
            return first, self.play(job[1])
        finally:
            self._host.sources = self._host.sources[::-1]

    def _keep(self, spec: MatchSpec, record: MatchRecord) -> str | None:
        """Writes the sealed replay, whole or not at all; gives the file's name.

        Raises `HostUnfit`.
        """
        if self._replays is None or self._keyring is None:
            return None
        path = self._replays / f"{spec.match}.jsonl"
        part = path.with_suffix(".part")
        try:
            part.write_bytes(seal(record.body, self._keyring))
            part.replace(path)
        except OSError as error:
            raise HostUnfit(
                f"{path}: the replay cannot be written: {error.strerror}. "
                "Make room, or name another folder with --replays."
            ) from error
        return str(path)


_worker: _Worker


def begin(setup: Setup, turns: "SimpleQueue[int]") -> None:
    """Makes this process a worker on the next free core, which ends with its parent."""
    global _worker
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    _worker = _Worker(setup, turns.get())


def _end_with_the_parent() -> None:
    """Ends this process, and by that its boxes, when the parent was killed and can't tell it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def play_pair(job: Job) -> PairRows:
    """Plays both matches of a pair.

    Raises `HostFault` where the host fails again and again, `HostUnfit` where no replay can be
    written.
    """
    return _worker.play_pair(job)


def _fields(spec: MatchSpec, played: Played, replay: str | None) -> dict[str, Any]:
    record = played.record
    return {
        "match": spec.match,
        "pair": spec.pair,
        "game": spec.game,
        "seed": spec.seed,
        "seats": ["A", "B"] if spec.game == 0 else ["B", "A"],
        "winner": record.winner,
        "score": list(record.score),
        "reason": record.reason,
        "faults": [msgspec.to_builtins(fault) for fault in record.faults],
        "deals": record.deals,
        "wall_ms": record.wall_ms,
        "bots": [{"cpu_ms": seat.cpu_ms, "stderr": _tail(seat.stderr)} for seat in record.seats],
        "replay": replay,
    }


def _tail(stderr: bytes) -> str:
    """The end of a bot's stderr as text without control characters."""
    text = stderr.decode(errors="replace")[-_STDERR_TAIL:]
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
