"""What the referee's tests share: bots made of a few lines, and a table to play them at."""

import ctypes
import gc
import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from arena.protocol import Limits
from arena.referee import Entrant, MatchRecord, MatchSpec
from arena.referee.host import Host, cores
from arena.sandbox import BoxLimits, Pool, choose
from arena.santase import ruleset

SEED = "0" * 64
QUICK = Limits(start_ms=2_000, move_ms=100, bank_ms=500)

PLAYER = """
import json, sys, time, os
def say(message):
    sys.stdout.write(json.dumps(message) + "\\n"); sys.stdout.flush()
def on_request(m):
    legal = [a for a in m["legal"] if a not in ("claim", "close")]
    return {"id": m["id"], "action": legal[-1]}
n = 0
REPLACE
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say({"type": "ready"})
    elif m["type"] == "request":
        n += 1
        reply = on_request(m)
        if reply is not None:
            say(reply)
"""


def resident_kb() -> int:
    """Memory of this process, once what nothing uses any more has been given back to the kernel:
    what the allocator keeps of bytes of odd sizes grows for a while, and is no leak.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def bot(extra: str = "") -> bytes:
    """A bot that always plays its last legal card, changed by the lines of `extra`."""
    return PLAYER.replace("REPLACE", extra).encode()


def deviates(action: str, *, at: int = 3) -> bytes:
    """A bot that at its request number `at` does `action` (Python lines) instead of a reply."""
    lines = "\n".join("        " + line for line in action.splitlines())
    return bot(
        f"usual = on_request\ndef on_request(m):\n    if n == {at}:\n{lines}\n    return usual(m)"
    )


@dataclass(frozen=True)
class Table:
    """A sandbox and a core to play at."""

    sandbox: Any
    core: int

    def play(
        self,
        first: bytes,
        second: bytes,
        limits: Limits = QUICK,
        seed: str = SEED,
        rules: str = "santase-bg",
    ) -> MatchRecord:
        """One match between two sources, seat 0 and seat 1; again where the host failed."""
        spec = MatchSpec(
            match="m_test",
            seed=seed,
            entrants=(_entrant("first", first), _entrant("second", second)),
            rules=ruleset(rules),
            limits=limits,
        )
        box_limits = BoxLimits(limits.memory_mb, limits.threads)
        with Pool(self.sandbox, box_limits, self.core, size=0) as pool:
            try:
                return Host(self.sandbox, (pool, pool), self.core).play(spec).record
            finally:
                os.sched_setaffinity(0, set(ALL_CORES))


ALL_CORES = cores()


KINDS = ("bubblewrap", "landlock", "docker")


@cache
def table(kind: str = "auto") -> Table:
    """A table of one of this machine's sandboxes, on a core of this test process's own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    return Table(choose(kind), ALL_CORES[worker % len(ALL_CORES)])


def _entrant(name: str, source: bytes) -> Entrant:
    return Entrant(name, hashlib.sha256(source).hexdigest(), {"bot.py": source})


def lines_of(record: MatchRecord) -> list[dict[str, Any]]:
    """The replay's lines before the seal, decoded."""
    return [json.loads(line) for line in record.body.splitlines()]
