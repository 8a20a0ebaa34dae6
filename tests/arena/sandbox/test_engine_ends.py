"""The engine is killed or stopped in the middle of a match, and comes back: nothing is left."""

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from worker_to_kill import Worker, is_gone, wait_for

from arena.sandbox import Box, BoxError, BoxLimits, bot_image, sweep
from arena.sandbox.container import DockerSandbox
from arena.sandbox.engine import Engine
from arena.sandbox.process import process_state

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("dockerd"),
        reason="an engine of the test's own takes root and dockerd",
    ),
]

ECHO = {"bot.py": b"import sys\nfor line in sys.stdin:\n    print(line.strip())\n"}


class OwnEngine:
    """A dockerd that the test may kill, with all that it has in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = f"unix://{folder}/docker.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._drivers: tuple[str, ...] = ("overlay2", "vfs")  # vfs can stand on another overlay

    def start(self) -> None:
        # A killed one leaves them, and would wait for its own containerd, a zombie by now.
        for left in ("pid", "exec/containerd/containerd.pid"):
            (self.folder / left).unlink(missing_ok=True)
        for driver in self._drivers:
            self._process = subprocess.Popen(
                [
                    *("dockerd", "--bridge=none", "--iptables=false", "--ip6tables=false"),
                    *("--storage-driver", driver, "--data-root", f"{self.folder}/data"),
                    *("--exec-root", f"{self.folder}/exec", "--pidfile", f"{self.folder}/pid"),
                    *("--host", self.host),
                ],
                stdout=subprocess.DEVNULL,
                stderr=(self.folder / "log").open("ab"),
            )
            if self._answers(self._process):
                self._drivers = (driver,)
                return
        pytest.fail((self.folder / "log").read_text()[-2000:])

    def _answers(self, process: "subprocess.Popen[bytes]") -> bool:
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            try:
                with Engine(5) as engine:
                    engine.facts()
                return True
            except BoxError:
                select.select([], [], [], 0.1)
        return False

    def end(self, number: signal.Signals) -> None:
        assert self._process is not None
        containerd = int((self.folder / "exec/containerd/containerd.pid").read_text())
        self._process.send_signal(number)
        self._process.wait(60)
        wait_for(lambda: process_state(containerd) in "XZ")

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.end(signal.SIGTERM)
        mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
        for mount in sorted(mounts, reverse=True):
            if mount.startswith(f"{self.folder}/"):
                subprocess.run(["umount", "-l", mount], check=False)


@pytest.fixture(scope="module")
def state() -> Iterator[Path]:
    """A state folder for all tests here: no other test's boxes have their owners in it."""
    with tempfile.TemporaryDirectory(prefix="santase-test-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture
def own_engine(
    reachable: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OwnEngine]:
    made = OwnEngine(reachable)
    monkeypatch.setenv("PATH", "/usr/sbin:/sbin", prepend=os.pathsep)
    monkeypatch.setenv("DOCKER_HOST", made.host)
    monkeypatch.setenv("SANTASE_RUNTIME", str(state))
    try:
        made.start()
        bot_image.build()
        yield made
    finally:
        made.close()


def containers() -> list[str]:
    with Engine() as engine:
        return [name for name, _ in engine.boxes()]


def speaks(box: Box, line: bytes) -> bool:
    os.write(box.stdin, line + b"\n")
    ready, _, _ = select.select([box.stdout], [], [], 20)
    return bool(ready) and os.read(box.stdout, 100) == line + b"\n"


def echo() -> Box:
    box = DockerSandbox(fifos=True).start(BoxLimits(), None)
    box.load(ECHO)
    assert speaks(box, b"before")
    return box


def test_a_match_goes_on_without_its_engine_and_leaves_nothing_when_that_is_back(
    own_engine: OwnEngine,
) -> None:
    box, waiting, ends = echo(), DockerSandbox(fifos=True).start(BoxLimits(), None), echo()
    waiting.wait_ready()
    pids = [box.pid, waiting.pid, ends.pid]
    own_engine.end(signal.SIGKILL)
    assert speaks(box, b"after")
    ends.hang_up()
    assert select.select([ends.pidfd], [], [], 20)[0]
    for each, killed in ((box, True), (waiting, True), (ends, False)):
        began = time.monotonic()
        report = each.stop("over")
        assert time.monotonic() - began < 1.5
        assert (report.survivors, report.killed) == (0, killed)
    assert "engine did not tell" in report.host_fault
    with pytest.raises(BoxError, match="engine"):
        DockerSandbox().start(BoxLimits(), None)
    wait_for(lambda: all(map(is_gone, pids)))
    own_engine.start()
    wait_for(lambda: sweep().left == () and containers() == [])


def test_an_engine_that_is_restarted_voids_the_match_and_leaves_nothing(
    own_engine: OwnEngine,
) -> None:
    box = echo()
    pid = box.pid
    own_engine.end(signal.SIGTERM)
    assert select.select([box.pidfd], [], [], 30)[0]
    report = box.stop("over")
    assert report.host_fault != ""
    assert (report.survivors, report.killed) == (0, False)
    wait_for(lambda: is_gone(pid))
    own_engine.start()
    wait_for(lambda: sweep().left == () and containers() == [])
    again = echo()
    assert again.stop("over").killed
    wait_for(lambda: containers() == [])


def test_engine_and_worker_both_killed_leave_nothing_to_the_next(
    own_engine: OwnEngine, user_here: Any
) -> None:
    environment = {**user_here.options["env"], **os.environ, "PYTHONPATH": ""}
    environment["PYTHONPATH"] = user_here.options["env"]["PYTHONPATH"]
    user = type(user_here)(user_here.command, {"env": environment}, user_here.scripts)
    worker = Worker(user, "docker")
    played = worker.ask("pool")
    own_engine.end(signal.SIGKILL)
    os.kill(worker.pid, signal.SIGKILL)
    os.kill(played["pid"], signal.SIGKILL)
    worker.close()
    own_engine.start()
    successor = Worker(user, "docker")
    wait_for(lambda: successor.ask("sweep")["left"] == [] and containers() == [])
    wait_for(lambda: all(map(is_gone, played["bots"])))
    assert successor.ask("leftovers")["left"] == []
    successor.close()
