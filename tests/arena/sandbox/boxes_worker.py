"""A worker for tests that kill it: a master that has probed, and a process of its pool that plays.

Lines of JSON on stdin are orders to the master, which answers each with one: `["pool"]` starts the
pool's process and its match, `["sweep"]` and `["leftovers"]` look around. As a match two bots spin,
one box waits for its bot, and one is on its way up.
"""

import json
import multiprocessing
import os
import sys
import threading
from dataclasses import asdict
from typing import Any

from sandbox_harness import sandbox

from arena.sandbox import BoxLimits, leftovers, stop_reaping, sweep

SPIN = {"bot.py": b"while True: pass\n"}


def play(kind: str, tell: Any) -> None:
    """Runs in the pool's process until that is killed."""
    back_end = sandbox(kind)
    boxes = [back_end.start(BoxLimits(), None) for _ in range(3)]
    for box in boxes[:2]:
        box.load(SPIN)
    boxes[2].wait_ready()
    coming = back_end.start(BoxLimits(), None)
    tell.send({"pid": os.getpid(), "bots": [box.pid for box in boxes]})
    threading.Event().wait()
    coming.stop("never reached")


def start_boxes(kind: str, tell: Any) -> None:
    """Starts boxes one after another until it is killed; tells when it begins."""
    back_end = sandbox(kind)
    tell.send({"pid": os.getpid()})
    while True:
        back_end.start(BoxLimits(), None).stop("not wanted")


WORK = {"pool": play, "start": start_boxes}


def main() -> None:
    """KIND, and "reaps" for a master that stays a subreaper."""
    kind = sys.argv[1]
    sandbox(kind).start(BoxLimits(), None).stop("probed")
    if "reaps" not in sys.argv:
        stop_reaping()
    fork = multiprocessing.get_context("fork")
    for line in sys.stdin:
        (order,) = json.loads(line)
        if order in WORK:
            hear, tell = fork.Pipe()
            child = fork.Process(target=WORK[order], args=(kind, tell))
            child.start()
            answer = hear.recv()
            threading.Thread(target=child.join).start()  # a pool's master reaps its processes
        else:
            answer = asdict({"sweep": sweep, "leftovers": leftovers}[order]())
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
