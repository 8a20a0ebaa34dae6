"""Nothing is left after any end of any party: every one is killed for real, and looked after."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from worker_to_kill import Worker, is_gone, labelled, tree, wait_for

from arena.sandbox import stop_reaping
from arena.sandbox.engine import Engine
from arena.sandbox.process import process_state, started_at

MakeWorker = Callable[..., Worker]


@pytest.fixture(autouse=True)
def orphans_go_to_init() -> None:
    """Not to this process, which other tests have made a subreaper."""
    stop_reaping()


@pytest.fixture
def make_worker(user: Any) -> Iterator[MakeWorker]:
    made: list[Worker] = []

    def make(kind: str, *words: str) -> Worker:
        made.append(Worker(user, kind, *words))
        return made[-1]

    yield make
    for worker in made:
        worker.close()


@pytest.fixture(params=["bubblewrap", "landlock"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def mark_of(pid: int) -> str:
    return f"-{pid}-{started_at(pid)}"


def test_fc043_a_killed_referee_takes_all_its_boxes_along(
    kind: str, make_worker: MakeWorker
) -> None:
    worker = make_worker(kind)
    played = worker.ask("pool")
    below, mark = tree(played["pid"]), mark_of(played["pid"])
    assert below > set(played["bots"])
    assert labelled(mark) >= {str(bot) for bot in played["bots"]}
    os.kill(played["pid"], signal.SIGKILL)
    wait_for(lambda: all(map(is_gone, below)))
    assert process_state(worker.pid) in "RS"
    assert worker.ask("sweep")["left"] == []
    assert labelled(mark) == set()


def test_fc043_a_killed_worker_takes_all_its_boxes_along(
    kind: str, make_worker: MakeWorker
) -> None:
    worker = make_worker(kind)
    played = worker.ask("pool")
    below, mark = tree(worker.pid), mark_of(played["pid"])
    assert played["pid"] in below
    os.kill(worker.pid, signal.SIGKILL)  # the master first: its pool's process is no one's now
    os.kill(played["pid"], signal.SIGKILL)
    worker.process.wait()
    wait_for(lambda: all(map(is_gone, below - {worker.pid})))
    successor = make_worker(kind)
    assert successor.ask("leftovers")["left"] == []  # it has swept before its first box
    assert labelled(mark) == set()


def test_a_referee_killed_while_boxes_come_up_leaves_nothing_after_a_sweep(
    kind: str, make_worker: MakeWorker
) -> None:
    worker = make_worker(kind)
    for pause_ms in range(0, 60, 3):
        pid = worker.ask("start")["pid"]
        mark = mark_of(pid)
        select.select([], [], [], pause_ms / 1000)
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda gone=pid: is_gone(gone))  # type: ignore[misc]  # bound on purpose

        def nothing_is_left(mark: str = mark) -> bool:  # what was being made may take a next sweep
            return worker.ask("sweep")["left"] == [] and labelled(mark) == set()

        wait_for(nothing_is_left)


def test_zombies_of_a_killed_referee_are_reaped_by_a_master_that_has_to(
    make_worker: MakeWorker,
) -> None:
    worker = make_worker("bubblewrap", "reaps")
    played = worker.ask("pool")
    below = tree(played["pid"])
    os.kill(played["pid"], signal.SIGKILL)
    wait_for(lambda: all(process_state(pid) in "XZ" for pid in below))
    kinds = {leftover["kind"] for leftover in worker.ask("leftovers")["left"]}
    assert "zombie" in kinds
    swept = worker.ask("sweep")
    assert swept["left"] == []
    assert {pid for pid in below if process_state(pid) != "X"} == set()


THREAD = """
import json, sys, threading, select
from dataclasses import asdict
from sandbox_harness import sandbox
from arena.sandbox import BoxLimits
boxes = []
def start():
    boxes.extend(sandbox(sys.argv[1]).start(BoxLimits(), None) for _ in range(2))
    boxes[0].load({"bot.py": b"while True: pass"})
thread = threading.Thread(target=start)
thread.start()
thread.join()
assert select.select([boxes[0].pidfd], [], [], 20)[0], "it plays on"
reports = [box.stop("its thread is gone") for box in boxes]
print(json.dumps([asdict(report) for report in reports]))
from worker_to_kill import tree
import os
print(sorted(tree(os.getpid()) - {os.getpid()}))
"""


def test_boxes_end_with_the_thread_that_started_them(kind: str, user: Any) -> None:
    done = subprocess.run(
        [*user.command, "-c", THREAD, kind],
        capture_output=True, text=True, timeout=60, **user.options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    reports, left = done.stdout.splitlines()
    for report in json.loads(reports):
        assert report["survivors"] == 0
        assert report["code"] is None
    assert left == "[]"


@pytest.fixture(params=["docker"])
def container_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def containers_of(boxes: set[str]) -> set[str]:
    with Engine() as engine:
        return boxes & {name for name, _ in engine.boxes()}


def all_containers() -> set[str]:
    with Engine() as engine:
        return {name for name, _ in engine.boxes()}


def test_fc043_a_living_master_clears_up_after_a_killed_referee_in_containers(
    container_kind: str, make_worker: MakeWorker
) -> None:
    worker = make_worker(container_kind)
    before = all_containers()
    played = worker.ask("pool")
    made = all_containers() - before
    assert len(made) >= 3
    os.kill(played["pid"], signal.SIGKILL)
    assert any(process_state(bot) in "RS" for bot in played["bots"])  # an engine goes on
    wait_for(lambda: worker.ask("sweep")["trouble"] == "" and not containers_of(made))
    wait_for(lambda: all(map(is_gone, played["bots"])))


def test_fc043_a_killed_workers_containers_are_found_by_the_next_one(
    container_kind: str, make_worker: MakeWorker
) -> None:
    worker = make_worker(container_kind)
    before = all_containers()
    played = worker.ask("pool")
    made = all_containers() - before
    os.kill(worker.pid, signal.SIGKILL)
    os.kill(played["pid"], signal.SIGKILL)
    worker.process.wait()
    successor = make_worker(container_kind)
    wait_for(lambda: successor.ask("sweep")["left"] == [] and not containers_of(made))
    wait_for(lambda: all(map(is_gone, played["bots"])))
