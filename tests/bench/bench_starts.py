"""From nothing, and from a box that waits, to a bot's first JSON reply; beside a bare Python's."""

import os
import select
import time
from functools import partial

from measured import Row, back_ends, bare_start_ms, interleaved, not_measured, on_one_core, row
from programs import ONE_REPLY_PY, ONE_REQUEST

from arena.sandbox import BoxLimits, Sandbox

ROUNDS = 7
BARE = "bare Python (-IS)"
PRINT = "bare Python (-IS), to a print without an import"


def rows() -> list[Row]:
    """Medians of interleaved rounds, a row a way to start."""
    with on_one_core() as core:
        todo = {BARE: bare_start_ms, PRINT: partial(bare_start_ms, b"print(1)\ninput()")}
        for kind, sandbox in back_ends()[0].items():
            todo[f"cold, in {kind}"] = partial(_reply_ms, sandbox, core, started=False)
            todo[f"box started before, bot sent late, in {kind}"] = partial(
                _reply_ms, sandbox, core, started=True
            )
        found = interleaved(todo, ROUNDS)
    return [
        *(row("start", what, values, "ms", found[BARE]) for what, values in found.items()),
        *not_measured("start"),
    ]


def _reply_ms(sandbox: Sandbox, core: int, *, started: bool) -> float:
    began = time.perf_counter()
    box = sandbox.start(BoxLimits(), core)
    try:
        if started:
            box.wait_ready()
            began = time.perf_counter()
        box.load({"bot.py": ONE_REPLY_PY})
        os.write(box.stdin, ONE_REQUEST)
        select.select([box.stdout], [], [])
        return (time.perf_counter() - began) * 1000
    finally:
        box.stop("measured")
