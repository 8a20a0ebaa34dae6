"""P2 and P3: an exchange beside a C ping-pong, a match beside two bare Python starts."""

import contextlib
import hashlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from arena.house import house_bot_files, pack
from arena.protocol import Limits
from arena.referee import Entrant, Keyring, MatchRecord, MatchSpec, play_match, seal
from arena.referee.host import Host, cores
from arena.sandbox import Box, BoxLimits, Channel, NoSandbox, Pool, Sandbox, choose, trusted
from arena.santase import ruleset

ROUNDS = 7
EXCHANGES = 2_000
MATCHES = 20
MESSAGE = b"x" * 399 + b"\n"

ECHO_C = """
#include <unistd.h>
#include <string.h>
int main(void) {
    static char buffer[65536];
    size_t held = 0;
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - held);
        if (got <= 0) return 0;
        held += got;
        if (buffer[held - 1] == '\\n') {
            if (write(1, buffer, held) < 0) return 0;
            held = 0;
        }
    }
}
"""

PING_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int down[2], up[2], rounds = atoi(argv[2]);
    char line[400], back[400];
    struct timespec a, b;
    if (pipe(down) || pipe(up)) return 1;
    if (!fork()) {
        dup2(down[0], 0); dup2(up[1], 1);
        close(down[1]); close(up[0]);
        execl(argv[1], argv[1], (char *)0);
        _exit(1);
    }
    close(down[0]); close(up[1]);
    memset(line, 'x', sizeof line); line[399] = '\\n';
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < rounds; i++) {
        size_t got = 0;
        if (write(down[1], line, 400) != 400) return 1;
        while (got < 400) { ssize_t n = read(up[0], back, 400); if (n <= 0) return 1; got += n; }
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%f\\n", ((b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3) / rounds);
}
"""

# Answers with the first action of `legal`, found by plain search: the fastest bot there can be.
FIRST_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\\"legal\\":[\\""), *id = strstr(line, "\\"id\\":");
        if (strstr(line, "\\"type\\":\\"hello\\"")) { puts("{\\"type\\":\\"ready\\"}"); }
        else if (legal && id) {
            legal += 10;
            if (!strncmp(legal, "claim", 5)) legal = strstr(legal, "\\"play");
            if (*legal == '"') legal++;
            if (!strncmp(legal, "close", 5)) { legal = strstr(legal, "\\"play"); legal++; }
            *strchr(legal, '"') = 0;
            printf("{\\"id\\":%d,\\"action\\":\\"%s\\"}\\n", atoi(id + 5), legal);
        }
        fflush(stdout);
    }
    return 0;
}
"""

ECHO_PY = b"""
import os
while True:
    data = os.read(0, 65536)
    if not data: break
    os.write(1, data)
"""


def rows() -> list[dict[str, object]]:
    """Medians of interleaved rounds; what this machine cannot measure says so."""
    core = cores()[-1]
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        with tempfile.TemporaryDirectory() as folder:
            return [
                *_starts(core),
                *_exchanges(Path(folder), core),
                *_matches(Path(folder), core),
            ]
    finally:
        os.sched_setaffinity(0, allowed)


def _starts(core: int) -> Iterator[dict[str, object]]:
    """From nothing, and from a box that is ready, to the bot's first line."""
    bare = [_bare_start_ms() for _ in range(ROUNDS)]
    for kind, sandbox in _sandboxes():
        cold = [_first_line_ms(sandbox, core, ready=False) for _ in range(ROUNDS)]
        warm = [_first_line_ms(sandbox, core, ready=True) for _ in range(ROUNDS)]
        bare += [_bare_start_ms() for _ in range(ROUNDS)]
        yield _row("start", f"cold, in {kind}", median(cold), "ms", median(bare))
        yield _row("start", f"box ready, in {kind}", median(warm), "ms", median(bare))


def _first_line_ms(sandbox: Sandbox, core: int, *, ready: bool) -> float:
    began = time.perf_counter()
    box = sandbox.start(BoxLimits(), core)
    try:
        if ready:
            box.wait_ready()
            began = time.perf_counter()
        box.load({"bot.py": b"print(1)\ninput()\n"})
        select.select([box.stdout], [], [])
        return (time.perf_counter() - began) * 1000
    finally:
        box.stop("measured")


def _exchanges(folder: Path, core: int) -> Iterator[dict[str, object]]:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        yield _row("P2", "exchange: not measured, there is no C compiler", None, "µs")
        return
    echo, ping, first = (
        _compile(compiler, folder, name, source)
        for name, source in (("echo", ECHO_C), ("ping", PING_C), ("first", FIRST_C))
    )
    measured: dict[str, list[float]] = {}
    todo: dict[str, Callable[[], float]] = {
        "C ping-pong, 400 B": lambda: _ping_us(ping, echo),
        "channel with a C echo, bare": lambda: _echo_us(trusted(str(echo)), core, {}),
        "whole referee with a C bot, bare": lambda: _referee_us(trusted(str(first)), core),
    }
    for kind, sandbox in _sandboxes():
        todo[f"channel with a Python echo in {kind}"] = lambda sandbox=sandbox: _echo_us(  # type: ignore[misc]
            sandbox, core, {"bot.py": ECHO_PY}
        )
    for _ in range(ROUNDS):
        for what, measure in todo.items():
            measured.setdefault(what, []).append(measure())
    anchor = median(measured["C ping-pong, 400 B"])
    wanted = {
        "channel with a C echo, bare": 2.5,
        "channel with a Python echo in docker": 4.5,
    }
    for what, values in measured.items():
        limit = wanted.get(what, 3.5 if "Python echo" in what else None)
        yield _row("P2", what, median(values), "µs", anchor, limit)


def _matches(folder: Path, core: int) -> Iterator[dict[str, object]]:
    bare = [_bare_start_ms() for _ in range(ROUNDS)]
    keyring = Keyring(folder / "keys")
    for kind, sandbox in _sandboxes():
        with Pool(sandbox, BoxLimits(), core, size=4) as pool:
            host = Host(sandbox, (pool, pool), core)
            ready = [_one_match_ms(sandbox, pool, core, keyring, folder) for _ in range(ROUNDS)]
            bare += [_bare_start_ms() for _ in range(ROUNDS)]
            began = time.perf_counter()
            for number in range(MATCHES):
                _write(host.play(_spec(100 + number)).record, keyring, folder)
            sustained = (time.perf_counter() - began) * 1000 / MATCHES
        anchor = 2 * median(bare)
        yield _row("P3", f"random match, boxes ready, in {kind}", median(ready), "ms", anchor, 1.0)
        yield _row("P3", f"random matches, sustained, in {kind}", sustained, "ms", anchor, 3.0)


def _sandboxes() -> Iterator[tuple[str, Sandbox]]:
    for kind in ("bubblewrap", "landlock", "docker"):
        with contextlib.suppress(NoSandbox):
            yield kind, choose(kind)


def _row(
    goal: str,
    what: str,
    value: float | None,
    unit: str,
    anchor: float | None = None,
    at_most: float | None = None,
) -> dict[str, object]:
    ratio = None if value is None or anchor is None else value / anchor
    return {
        "goal": goal,
        "what": what,
        "value": value,
        "unit": unit,
        "anchor": anchor,
        "ratio": ratio,
        "wanted": None if at_most is None else f"≤ {at_most}",
        "reached": None if ratio is None or at_most is None else ratio <= at_most,
    }


def _compile(compiler: str, folder: Path, name: str, source: str) -> Path:
    (folder / f"{name}.c").write_text(source)
    program = folder / name
    subprocess.run(
        [compiler, "-O2", "-w", "-o", str(program), str(folder / f"{name}.c")], check=True
    )
    return program


def _ping_us(ping: Path, echo: Path) -> float:
    done = subprocess.run(
        [str(ping), str(echo), str(EXCHANGES)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def _echo_us(sandbox: Sandbox, core: int, files: dict[str, bytes]) -> float:
    boxes = [sandbox.start(BoxLimits(), core) for _ in range(2)]
    try:
        for box in boxes:
            box.load(files)
        pipes = Channel(boxes, reply_bytes=4096, stderr_kb=64, stderr_total_kb=1024)
        _exchange(pipes, 50)
        began = time.perf_counter()
        _exchange(pipes, EXCHANGES)
        return (time.perf_counter() - began) * 1e6 / EXCHANGES
    finally:
        for box in boxes:
            box.stop("measured")


def _exchange(pipes: Channel, times: int) -> None:
    for _ in range(times):
        pipes.send(0, MESSAGE)
        pipes.receive((0,), lambda now: 10**10, lambda seat, now: None)


def _referee_us(sandbox: Sandbox, core: int) -> float:
    boxes = (sandbox.start(BoxLimits(), core), sandbox.start(BoxLimits(), core))
    record = play_match(_spec(1), boxes, sandbox, core)
    return record.wall_ms * 1000 / record.body.count(b'"play:')


def _spec(number: int) -> MatchSpec:
    files = house_bot_files("random")
    entrant = Entrant("random", hashlib.sha256(pack(files)).hexdigest(), files)
    return MatchSpec(f"m_{number}", f"{number:064x}", (entrant, entrant), ruleset(), Limits())


def _one_match_ms(sandbox: Sandbox, pool: Pool, core: int, keyring: Keyring, folder: Path) -> float:
    pool.fill()
    boxes: tuple[Box, Box] = (pool.take(), pool.take())
    began = time.perf_counter()
    _write(play_match(_spec(7), boxes, sandbox, core), keyring, folder)
    return (time.perf_counter() - began) * 1000


def _write(record: MatchRecord, keyring: Keyring, folder: Path) -> None:
    (folder / "replay.jsonl").write_bytes(seal(record.body, keyring))


def _bare_start_ms() -> float:
    began = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-ISc", "print(1, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdout is not None
    select.select([child.stdout], [], [])
    took: Any = (time.perf_counter() - began) * 1000
    child.kill()
    child.communicate()
    return float(took)
