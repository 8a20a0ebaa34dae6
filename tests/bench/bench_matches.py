"""P3: a whole match, replay written, beside two bare Python starts to a first JSON reply.

The match is between random legal players, uniform over all that is legal. They close and claim at
random, so deals are short; their match here is one of usual length. The house bot `random` claims
only what it has won and never closes: its longer match stands beside it. Rows say how many
exchanges theirs has, and the anchor is measured anew for each back-end.
"""

import json
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean

from measured import (
    Row,
    back_ends,
    bare_start_ms,
    entrant,
    interleaved,
    match_of,
    not_measured,
    on_one_core,
    row,
)
from programs import RANDOM_LEGAL_PY

from arena.house import house_bot_files
from arena.referee import Entrant, Keyring, MatchRecord, play_match, seal
from arena.referee.host import Host
from arena.sandbox import Box, BoxLimits, Pool, Sandbox

ROUNDS = 7
USUAL = 16
"""The match that is played from ready boxes: as long as the matches of these players mostly are."""
IN_A_ROW = {"docker": 3}
MOSTLY_IN_A_ROW = 6
"""Matches in a round of the sustained rows, each another one."""
AHEAD = 4
"""Boxes that a worker has started ahead."""
BARE = "two bare starts"
READY, SUSTAINED = 1.0, 3.0
"""What is wanted, in starts of two bare Pythons."""


def rows() -> list[Row]:
    """Medians of interleaved rounds, a row a bot, a back-end and a way to play."""
    told = []
    with on_one_core() as core, tempfile.TemporaryDirectory() as folder:
        for kind, sandbox in back_ends()[0].items():
            told += _rows_of(kind, partial(_Matches, kind, sandbox, core, Path(folder)))
    return [*told, *not_measured("P3")]


def _rows_of(kind: str, matches: Callable[[Entrant], "_Matches"]) -> list[Row]:
    """A back-end by itself: an engine still has work with its boxes when they are gone for us."""
    legal = matches(entrant("random-legal", {"bot.py": RANDOM_LEGAL_PY}))
    house = matches(entrant("random", house_bot_files("random")))
    measured: dict[str, tuple[Callable[[], float], list[int], float | None]] = {
        "random legal players, boxes ready": (legal.ready_ms, legal.ready, READY),
        "random legal players, sustained": (legal.sustained_ms, legal.sustained, SUSTAINED),
        "house bot random, boxes ready": (house.ready_ms, house.ready, None),
    }
    todo = {what: measure for what, (measure, _, _) in measured.items()}
    found = interleaved({BARE: _two_bare_starts_ms, **todo}, ROUNDS)
    return [
        row("P3", f"{what}, in {kind}; {mean(counts):.0f} exchanges", found[what], "ms",
            found[BARE], wanted)
        for what, (_, counts, wanted) in measured.items()
    ]  # fmt: skip


def _two_bare_starts_ms() -> float:
    return bare_start_ms() + bare_start_ms()


class _Matches:
    """One bot's matches in one back-end; `ready` and `sustained` are their exchanges, by match."""

    def __init__(self, kind: str, sandbox: Sandbox, core: int, folder: Path, bot: Entrant) -> None:
        self._sandbox, self._core, self._bot, self._folder = sandbox, core, bot, folder
        self._in_a_row = IN_A_ROW.get(kind, MOSTLY_IN_A_ROW)
        self._keyring = Keyring(folder / "keys")
        self._next = 100
        self.ready: list[int] = []
        self.sustained: list[int] = []

    def ready_ms(self) -> float:
        """One match, from two boxes that wait; none is started meanwhile."""
        first, second = (self._sandbox.start(BoxLimits(), self._core) for _ in range(2))
        first.wait_ready()
        second.wait_ready()
        began = time.perf_counter()
        record = play_match(match_of(USUAL, self._bot), (first, second), self._sandbox, self._core)
        self._write(record)
        took_ms = (time.perf_counter() - began) * 1000
        self.ready.append(_exchanges(record))
        _let_boxes_go()
        return took_ms

    def sustained_ms(self) -> float:
        """A match of several in a row, the pool refilled as fast as it is used.

        From a pool that is full to one that is full again: two starts a match count.
        """
        starting = _Starting(self._sandbox)
        with Pool(starting, BoxLimits(), self._core, AHEAD) as pool:
            host = Host(self._sandbox, (pool, pool), self._core)
            pool.fill()
            starting.wait_for_the_last(AHEAD)
            began = time.perf_counter()
            for _ in range(self._in_a_row):
                self._next += 1
                record = host.play(match_of(self._next, self._bot)).record
                self._write(record)
                self.sustained.append(_exchanges(record))
            starting.wait_for_the_last(AHEAD)
            took_ms = (time.perf_counter() - began) * 1000 / self._in_a_row
        _let_boxes_go()
        return took_ms

    def _write(self, record: MatchRecord) -> None:
        assert record.reason == "target", record.faults
        (self._folder / "replay.jsonl").write_bytes(seal(record.body, self._keyring))


class _Starting:
    """A sandbox as a pool sees it, whose boxes can be waited for."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._boxes: list[Box] = []

    def start(self, limits: BoxLimits, core: int | None) -> Box:
        """A box on its way up."""
        self._boxes.append(self._sandbox.start(limits, core))
        return self._boxes[-1]

    def wait_for_the_last(self, count: int) -> None:
        """Returns once the boxes that were started last are ready."""
        for box in self._boxes[-count:]:
            box.wait_ready()


def _exchanges(record: MatchRecord) -> int:
    return sum(len(json.loads(line).get("actions", ())) for line in record.body.splitlines())


def _let_boxes_go() -> None:
    """Waits for the threads that remove containers: the next measure shall not share the core."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join()
