"""What is cleared up after workers that were killed, and what is never touched."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from arena.sandbox import BoxLimits, janitor
from arena.sandbox.container import DockerSandbox
from arena.sandbox.engine import Engine

pytestmark = pytest.mark.usefixtures("docker_engine")

WORKER = """
import sys, time
from arena.sandbox import BoxLimits
from arena.sandbox.container import DockerSandbox
box = DockerSandbox(fifos=True).start(BoxLimits(), None)
box.load({"bot.py": b"while True: pass"})
print(box.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def docker_engine(engine: str) -> Iterator[Engine]:
    with Engine() as connected:
        yield connected


@pytest.fixture
def made(docker_engine: Engine) -> Iterator[list[str]]:
    """Ids of containers to remove at the end."""
    ids: list[str] = []
    yield ids
    for container in ids:
        docker_engine.remove(container)


def create(engine: Engine, **labels: str) -> str:
    """A container that is never started, with these labels of ours."""
    image = DockerSandbox().image.partition("@")[2]
    named = {f"santase.{name}": value for name, value in labels.items()}
    return engine.create("", {"image": image, "command": ["x"], "labels": named}, {})


def swept_until(engine: Engine, what: Callable[[], bool]) -> None:
    """Sweeps again and again: another test's janitor may hold the dead owner's lock just now."""
    deadline = time.monotonic() + 20
    while not what():
        assert time.monotonic() < deadline, "it is still there"
        janitor.sweep(engine)


def there(engine: Engine, container: str) -> bool:
    return container in [name for name, _ in engine.boxes()]


def test_fc043_a_killed_workers_container_is_removed_and_a_live_ones_is_not(
    docker_engine: Engine,
) -> None:
    ours = DockerSandbox(fifos=True).start(BoxLimits(), None)
    ours.load({"bot.py": b"import sys\nprint(sys.stdin.readline(), end='')\n"})
    with subprocess.Popen(
        [sys.executable, "-c", WORKER],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as worker:
        assert worker.stdout is not None
        pid = int(worker.stdout.readline())
        folders = set(janitor.owner().folder.parent.iterdir())
        worker.send_signal(signal.SIGKILL)
    swept_until(docker_engine, lambda: not os.path.exists(f"/proc/{pid}"))
    boxes = janitor.owner().folder.parent
    swept_until(docker_engine, lambda: bool(folders - set(boxes.iterdir())))
    gone = folders - set(boxes.iterdir())
    assert janitor.owner().folder not in gone
    os.write(ours.stdin, b"still here\n")
    assert os.read(ours.stdout, 100) == b"still here\n"
    ours.stop("played")


def test_a_box_past_its_deadline_is_removed_whoever_owns_it(
    docker_engine: Engine, made: list[str]
) -> None:
    late = create(docker_engine, owner="elsewhere", box="1", deadline=str(int(time.time()) - 1))
    early = create(docker_engine, owner="elsewhere", box="2", deadline=str(int(time.time()) + 99))
    odd = create(docker_engine, owner="elsewhere", box="3", deadline="no number")
    made += [early, odd]
    swept_until(docker_engine, lambda: not there(docker_engine, late))
    assert there(docker_engine, early)
    assert there(docker_engine, odd)


def test_fc044_what_is_not_ours_is_never_touched(docker_engine: Engine, made: list[str]) -> None:
    foreign = create(docker_engine, deadline="1")
    made.append(foreign)
    janitor.sweep(docker_engine)
    assert not docker_engine.state(foreign).running  # it is still there to be asked about


def test_a_box_of_our_own_that_could_not_be_removed_is_removed_later(
    docker_engine: Engine,
) -> None:
    left = create(docker_engine, **{
        name.removeprefix("santase."): value
        for name, value in janitor.owner().labels("left-over").items()
    })  # fmt: skip
    swept_until(docker_engine, lambda: not there(docker_engine, left))


def test_boxes_stopped_while_a_process_ends_leave_nothing(docker_engine: Engine) -> None:
    ends = WORKER.partition("box.load")[0].replace("import sys", "import atexit, sys") + (
        "atexit.register(box.stop, 'over')\n"
        "from arena.sandbox import janitor\n"
        "print(janitor.owner().name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", ends],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    owners = [labels["santase.owner"] for _, labels in docker_engine.boxes()]
    assert done.stdout.strip() not in owners


def test_a_forked_process_is_an_owner_of_its_own(docker_engine: Engine) -> None:
    mine = janitor.owner()
    child = os.fork()
    if child == 0:
        os._exit(janitor.owner().name == mine.name)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert janitor.owner() is mine
    janitor.sweep(docker_engine)  # the child is dead, and its folder goes; ours does not
    assert mine.folder.is_dir()
