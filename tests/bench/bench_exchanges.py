"""P2: an exchange of the referee, beside a C program's ping-pong with a C program, on one core.

The rows of the channel carry 400 bytes each way, as the ping-pong does. The rows of a whole
referee are what a match adds to that: rules, view, JSON both ways, clock, record; a request there
is some 460 bytes. They are timed from the first reply to the last, so that no start is in them.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from measured import Row, back_ends, entrant, interleaved, match_of, not_measured, on_one_core, row
from programs import ECHO_PY, MESSAGE, RANDOM_LEGAL_PY, c_programs

from arena.house import house_bot_files
from arena.referee import Entrant, play_match
from arena.sandbox import Box, BoxLimits, Channel, Sandbox, trusted
from arena.sandbox.container import DockerSandbox

ROUNDS = 15
EXCHANGES = 2_000
LONG_MATCH, SHORT_MATCH = 1, 16
PING = "C ping-pong, 400 B"
ECHO = "channel with a C echo, bare"
WANTED = {"docker": 4.5}
WANTED_INSIDE, WANTED_BARE = 3.5, 2.5


def rows() -> list[Row]:
    """Medians of interleaved rounds, a row a way to exchange."""
    with ExitStack() as stack:
        core = stack.enter_context(on_one_core())
        programs = c_programs(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        if programs is None:
            return [row("P2", "exchange: not measured, there is no C compiler")]
        echo, ping, first = programs
        counts: dict[str, int] = {}
        bare = trusted(str(echo))
        todo: dict[str, Callable[[], float]] = {
            PING: partial(_ping_us, ping, echo),
            "Python, plain write and read, with a C echo": _plain(stack, bare, core),
            ECHO: _echo(stack, bare, core),
        }
        wanted = {ECHO: WANTED_BARE}
        for kind, sandbox in back_ends()[0].items():
            what = f"channel with a Python echo, in {kind}"
            todo[what] = _echo(stack, sandbox, core)
            wanted[what] = WANTED.get(kind, WANTED_INSIDE)
        if "docker" in back_ends()[0]:
            attached = DockerSandbox(fifos=False)
            todo["the same through docker's attach stream"] = _echo(stack, attached, core)
        c_bot = entrant("first", house_bot_files("random"))  # its files are not read
        python_bot = entrant("random-legal", {"bot.py": RANDOM_LEGAL_PY})
        for what, sandbox, bot, number in [
            ("whole referee with a C bot, bare", trusted(str(first)), c_bot, LONG_MATCH),
            *(
                (f"whole referee with a Python bot, in {kind}", sandbox, python_bot, SHORT_MATCH)
                for kind, sandbox in back_ends()[0].items()
            ),
        ]:
            todo[what] = partial(_referee_us, what, sandbox, core, bot, number, counts)
        found = interleaved(todo, ROUNDS)
    told = [
        row("P2", _counted(what, counts), values, "µs", found[PING], wanted.get(what))
        for what, values in found.items()
    ]
    return [*told, *not_measured("P2")]


def _counted(what: str, counts: dict[str, int]) -> str:
    return f"{what}; a match of {counts[what]} exchanges" if what in counts else what


def _ping_us(ping: Path, echo: Path) -> float:
    command = [str(ping), str(echo), str(EXCHANGES)]
    said = subprocess.run(
        command, check=True, capture_output=True, text=True, start_new_session=True
    )
    return float(said.stdout)


def _plain(stack: ExitStack, sandbox: Sandbox, core: int) -> Callable[[], float]:
    (box,) = _boxes(stack, sandbox, core, 1)

    def exchange(times: int) -> None:
        for _ in range(times):
            os.write(box.stdin, MESSAGE)
            os.read(box.stdout, 65_536)

    return partial(_timed_us, exchange)


def _echo(stack: ExitStack, sandbox: Sandbox, core: int) -> Callable[[], float]:
    """A channel between two bots, of which one is spoken to: the same two for all rounds."""
    boxes = _boxes(stack, sandbox, core, 2)
    pipes = Channel(boxes, reply_bytes=4096, stderr_kb=64, stderr_total_kb=1024)
    return partial(_timed_us, partial(_exchange, pipes))


def _boxes(stack: ExitStack, sandbox: Sandbox, core: int, count: int) -> list[Box]:
    boxes = [sandbox.start(BoxLimits(), core) for _ in range(count)]
    for box in boxes:
        stack.callback(box.stop, "measured")
        box.load({"bot.py": ECHO_PY})
    return boxes


def _timed_us(exchange: Callable[[int], None]) -> float:
    exchange(50)
    began = time.perf_counter()
    exchange(EXCHANGES)
    return (time.perf_counter() - began) * 1e6 / EXCHANGES


def _exchange(pipes: Channel, times: int) -> None:
    seats = (0,)
    for _ in range(times):
        pipes.send(0, MESSAGE)
        pipes.receive(seats, _much_time, _note_sent)


def _much_time(now_ns: int) -> int:
    return 10**10


def _note_sent(seat: int, now_ns: int) -> None:
    raise AssertionError("the pipe was full")


def _referee_us(
    what: str, sandbox: Sandbox, core: int, bot: Entrant, number: int, counts: dict[str, int]
) -> float:
    boxes = (sandbox.start(BoxLimits(), core), sandbox.start(BoxLimits(), core))
    replied: list[float] = []
    play_match(
        match_of(number, bot), boxes, sandbox, core, lambda: replied.append(time.perf_counter())
    )
    counts[what] = len(replied)
    return (replied[-1] - replied[0]) * 1e6 / (len(replied) - 1)
