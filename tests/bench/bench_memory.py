"""P9: memory of the process that plays: under floods, and over many matches.

Measured in a fresh process for each back-end, which plays as a worker does (a pool, sealed
replays), and first some matches, so that everything made once has been made. Floods: how far the
peak of resident memory rises above what is held before. Many matches: how much more is held after
them, garbage collected. The number of matches stands in the row; nothing is extrapolated.
`bench_memory=10000` plays so many.
"""

import gc
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from measured import Row, back_ends, entrant, match_of, not_measured, on_one_core, row
from programs import FLOODS, RANDOM_LEGAL_PY, flooding

from arena.referee import Entrant, Keyring, seal
from arena.referee.host import Host
from arena.sandbox import BoxLimits, Pool

FIRST = 15
"""Matches before the measuring begins."""
FLOODED = 5
"""Matches under each flood."""
MANY = {"landlock": 200, "bubblewrap": 200, "docker": 30}
MOST_MB = 5.0


def rows(matches: int | None = None) -> list[Row]:
    """A row a back-end and a flood, and one a back-end over many matches."""
    told = []
    for kind in back_ends()[0]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            grown_mb = process.submit(_measure, kind, matches or MANY[kind]).result()
        for what, value in grown_mb.items():
            told.append(row("P9", f"{what}, in {kind}", [value], "MB", at_most=MOST_MB))
    return [*told, *not_measured("P9")]


def _measure(kind: str, matches: int) -> dict[str, float]:
    """Megabytes by what they were measured over."""
    found = {}
    sandbox = back_ends((kind,))[0][kind]
    quiet = entrant("quiet", {"bot.py": RANDOM_LEGAL_PY})
    with (
        on_one_core() as core,
        tempfile.TemporaryDirectory() as folder,
        Pool(sandbox, BoxLimits(), core, size=4) as pool,
    ):
        host, keyring = Host(sandbox, (pool, pool), core), Keyring(Path(folder, "keys"))

        def play(number: int, *bots: Entrant) -> str:
            """Plays a match, writes its replay; gives how it ended."""
            record = host.play(match_of(number, *bots)).record
            Path(folder, "replay.jsonl").write_bytes(seal(record.body, keyring))
            return record.reason

        for number in range(FIRST):
            assert play(number, quiet) == "target"
        for flood, (verdict, _) in FLOODS.items():
            loud = entrant("loud", {"bot.py": flooding(flood)})
            held_mb = _held_mb()
            _forget_the_peak()
            for number in range(FLOODED):
                assert play(number, quiet, loud) == verdict
            found[f"peak under {flood}, {FLOODED} matches"] = _of_status_mb("VmHWM") - held_mb
        held_mb = _held_mb()
        for number in range(matches):
            assert play(number, quiet) == "target"
        found[f"more held after {matches:,} matches"] = _held_mb() - held_mb
    return found


def _held_mb() -> float:
    gc.collect()
    return _of_status_mb("VmRSS")


def _forget_the_peak() -> None:
    """From now on the kernel's VmHWM counts anew."""
    Path("/proc/self/clear_refs").write_text("5")


def _of_status_mb(name: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(name)
