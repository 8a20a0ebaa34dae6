"""What the referee's benches share: back-ends, rounds on one core, rows of the table."""

import contextlib
import hashlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from statistics import median

from programs import ONE_REPLY_PY, ONE_REQUEST

from arena.house import pack
from arena.referee import Entrant, MatchSpec
from arena.referee.host import cores
from arena.sandbox import BoxError, NoSandbox, Sandbox, bot_image, choose
from arena.santase import ruleset

KINDS = ("landlock", "bubblewrap", "docker")

Row = dict[str, object]


@cache
def back_ends(kinds: tuple[str, ...] = KINDS) -> tuple[dict[str, Sandbox], dict[str, str]]:
    """Those that hold here, by name, and why the others do not. An engine gets its image."""
    found, missing = {}, {}
    for kind in kinds:
        try:
            if kind == "docker":
                bot_image.build()
            found[kind] = choose(kind)
        except NoSandbox as error:
            failed = [finding.what for finding in error.findings if not finding.ok]
            missing[kind] = failed[0] if failed else str(error)
        except BoxError as error:
            missing[kind] = str(error).partition(". ")[0]
    return found, missing


def not_measured(goal: str) -> Iterator[Row]:
    """A row for each back-end that does not hold here."""
    for kind, why in back_ends()[1].items():
        yield row(goal, f"in {kind}: not measured, {why}")


@contextlib.contextmanager
def on_one_core() -> Iterator[int]:
    """This process on one core meanwhile, the last that it may use; all that it starts too."""
    allowed = os.sched_getaffinity(0)
    core = cores()[-1]
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, allowed)


def interleaved(todo: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Every measure once a round, so that what else the machine does meets all of them."""
    found: dict[str, list[float]] = {what: [] for what in todo}
    for _ in range(rounds):
        for what, measure in todo.items():
            found[what].append(measure())
    return found


def row(
    goal: str,
    what: str,
    values: Sequence[float] = (),
    unit: str = "",
    anchors: Sequence[float] = (),
    at_most: float | None = None,
) -> Row:
    """A line of the table: medians over rounds, and the median of the rounds' own ratios.

    `at_most` bounds the ratio, or the value where there is no anchor.
    """
    value = median(values) if values else None
    anchor = median(anchors) if anchors else None
    ratio = (
        median(one / other for one, other in zip(values, anchors, strict=True)) if anchors else None
    )
    judged = value if anchor is None else ratio
    return {
        "goal": goal,
        "what": what,
        "value": value,
        "unit": unit,
        "anchor": anchor,
        "ratio": ratio,
        "wanted": None if at_most is None else f"≤ {at_most:g}",
        "reached": None if judged is None or at_most is None else judged <= at_most,
    }


def bare_start_ms(source: bytes = ONE_REPLY_PY) -> float:
    """From nothing to the first reply of a bare Python program, without site.

    In a session of its own, as boxes are: a busy kernel shares the processor out by session.
    """
    began = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-IS", "-c", source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(ONE_REQUEST)
    child.stdin.flush()
    select.select([child.stdout], [], [])
    took_ms = (time.perf_counter() - began) * 1000
    child.kill()
    child.communicate()
    return took_ms


def entrant(name: str, files: Mapping[str, bytes]) -> Entrant:
    """A bot for `match_of`."""
    return Entrant(name, hashlib.sha256(pack(files)).hexdigest(), files)


def match_of(number: int, first: Entrant, second: Entrant | None = None) -> MatchSpec:
    """Match `number` between two bots, or of one with itself; the number is its seed."""
    return MatchSpec(f"m_{number}", f"{number:064x}", (first, second or first), ruleset())
