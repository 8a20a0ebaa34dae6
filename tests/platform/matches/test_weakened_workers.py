"""A real worker whose sandbox lacks a wall: it names it and plays nothing; uploads are closed."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from arena.sandbox import BoxError, bot_image, runtime
from bots.models import Bot, Version
from config import broker, celery_app
from matches.models import Pairing, PairingStatus, WorkerState, WorkerStatus
from matches.queries import worker_health
from matches.tasks import run_pairing, sweep
from tournaments import services
from tournaments.pump import pump

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
FORK = {"let_through": ["clone", "wait4"]}
FORKS = ["both walls: fork", "inner wall: fork", "outer filter: fork"]
WEAKENED = [
    pytest.param(kind, walls, missing, id=f"{kind}: {what}")
    for kind, what, walls, missing in (
        ("bubblewrap", "network", {"own_network": False}, ["namespaces: reach_host"]),
        ("bubblewrap", "fork", FORK, FORKS),
        ("bubblewrap", "path", {"shown": ["/tmp"]}, ["namespaces: read_marker"]),
        ("landlock", "network", {"let_through": ["socket"]}, ["inner wall: make_socket"]),
        ("landlock", "fork", FORK, ["inner wall: fork"]),
        ("landlock", "path", {"shown": ["/tmp"]}, ["inner wall: read_marker"]),
        ("docker", "network", {"own_network": False}, ["namespaces: reach_host"]),
        ("docker", "fork", FORK, FORKS),
        ("docker", "path", {"shown": ["<boxes>"]}, ["namespaces: read_marker"]),
    )
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A state folder with a database and a running broker, and no worker."""
    state = tmp_path_factory.mktemp("weakened")
    subprocess.run(
        [sys.executable, ROOT / "manage.py", "migrate", "--verbosity", "0"],
        env={**os.environ, "SANTASE_STATE": str(state)},
        check=True,
        timeout=120,
    )
    process = subprocess.Popen(
        broker.start_argv(state), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: broker.answers(broker.embedded_url(state)), 30, "the broker answers")
        yield state
    finally:
        process.terminate()
        process.wait(20)
        broker.clear_up(state)


@pytest.fixture
def arena(place: Path, settings: Any, django_db_blocker: Any) -> Iterator[Path]:
    """That place, with this process's database, files and broker being the place's."""
    from django.db import connections

    settings.STATE = place
    ours = connections["default"]
    with django_db_blocker.unblock(), contextlib.ExitStack() as undo:
        theirs = ours.copy()
        theirs.settings_dict = {**ours.settings_dict, "NAME": str(place / "santase.sqlite3")}
        connections["default"] = theirs
        undo.callback(connections.__setitem__, "default", ours)
        undo.callback(theirs.close)
        for name in ("broker_url", "broker_read_url", "broker_write_url"):
            celery_app.conf[name] = broker.embedded_url(place)
        WorkerStatus.objects.all().delete()
        yield place


@pytest.fixture
def pairing(arena: Path, made: Any) -> Pairing:
    """Ordered while a worker was there, which is gone; its message waits in the queue."""
    now = timezone.now()
    WorkerStatus.objects.create(
        name="gone", state=WorkerState.READY, slots=1, started_at=now, beat_at=now
    )
    made._count = 100 * Version.objects.count()  # the place is used by several tests
    tournament = made.tournament(0, pairs=1)
    versions = [made.house_version("greedy"), made.house_version("random")]
    services.enter(tournament, [version.pk for version in versions])
    pump(tournament.pk)
    WorkerStatus.objects.all().delete()
    pairing = Pairing.objects.get(tournament=tournament)
    send(run_pairing, pairing.pk)
    return pairing


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.1)


@contextlib.contextmanager
def worker(place: Path, kind: str, walls: dict[str, Any]) -> Iterator[str]:
    """A worker, from when it has said what it found until it is told to leave; its name."""
    name = f"{kind}@weakened"
    log = place / "worker.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("weakened_worker.py"), name, kind,
             json.dumps(walls)],
            env={
                **os.environ,
                "SANTASE_STATE": str(place),
                "TMPDIR": "/tmp",  # where the file lies that no bot may read
                # A probe of an engine that is not asked for would take time.
                **({} if kind == "docker" else {"DOCKER_HOST": f"unix://{place}/no-engine.sock"}),
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
            },
            stdout=output,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:

        def has_reported() -> bool:
            assert process.poll() is None, log.read_text()
            return WorkerStatus.objects.filter(name=name).exists()

        wait_until(has_reported, 90, "the worker has looked at its machine")
        yield name
    finally:
        process.terminate()
        process.wait(60)


def send(task: Any, *arguments: Any) -> None:
    """Sends a task to this place's broker: Celery's own pool may know another test's."""
    with celery_app.connection_for_write() as there:
        task.apply_async(arguments, connection=there)


def works_off(queued: Any) -> None:
    """The worker takes what it has queues for: three tasks, one after the other."""
    for _ in range(3):
        send(sweep)
        wait_until(lambda: queued("upkeep") == 0, 90, "a task of the upkeep is taken")


def image_where_it_is_needed(kind: str) -> None:
    if kind == "docker":
        try:
            bot_image.build()
        except BoxError as error:
            pytest.skip(f"no container engine ({error}); CONTRIBUTING.md says how to start one")


@pytest.mark.parametrize(("kind", "walls", "missing"), WEAKENED)
def test_a_worker_that_lacks_a_wall_takes_no_match_and_uploads_are_closed(
    kind: str, walls: dict[str, Any], missing: list[str], arena: Path, pairing: Pairing,
    queued: Any, client: Client,
) -> None:  # fmt: skip
    image_where_it_is_needed(kind)
    shown = [str(runtime.base_folder()) if path == "<boxes>" else path
             for path in walls.get("shown", ())]  # fmt: skip
    waiting = queued("matches")
    assert waiting >= 1
    with worker(arena, kind, {**walls, "shown": shown}) as name:
        (health,) = worker_health()
        assert (health.name, health.alive, health.plays) == (name, True, False)
        failed = [finding.name for finding in health.findings if not finding.ok]
        assert sorted(failed) == sorted(f"{kind}, {wall}" for wall in missing)
        assert missing[0] in health.message
        works_off(queued)
        assert queued("matches") == waiting
        pairing.refresh_from_db()
        assert (pairing.status, pairing.attempt) == (PairingStatus.QUEUED, 0)

        bots = Bot.objects.count()
        client.force_login(User.objects.create_user(f"uploader-{kind}-{missing[0]}"))
        file = SimpleUploadedFile("bot.py", b"print(1)\n")
        page = client.post("/bots/new/", {"name": "refused", "file": file}).content.decode()
        assert "Uploads are closed: no sandbox holds here" in page
        assert 'value="refused"' in page
        assert Bot.objects.count() == bots
        assert "No sandbox holds on the machine that plays" in client.get("/").content.decode()


def test_the_same_worker_with_all_walls_plays_what_has_waited(
    arena: Path, pairing: Pairing
) -> None:
    with worker(arena, "landlock", {}):

        def is_played() -> bool:
            pairing.refresh_from_db()
            return pairing.status == PairingStatus.FINISHED

        wait_until(is_played, 120, "the pairing is played")
        (health,) = worker_health()
    assert health.plays
    assert health.matches >= 2
    assert not [finding for finding in health.findings if not finding.ok]
    assert len(health.findings) > 20
