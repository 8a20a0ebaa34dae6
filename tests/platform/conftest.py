"""Fixtures of the platform's tests: a state folder, a real broker, made results."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The test database is a file, as in the embedded stack, so that threads share it."""
    from django.conf import settings

    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, settings: Any) -> Path:
    """A state folder of the test's own."""
    folder = tmp_path / "state"
    folder.mkdir()
    settings.STATE = folder
    return folder


@pytest.fixture(scope="session")
def broker_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real broker for the session; nobody works off its queues."""
    from config import broker

    folder = tmp_path_factory.mktemp("broker")
    process = subprocess.Popen(
        broker.start_argv(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = broker.embedded_url(folder)
    try:
        wait_until(lambda: broker.answers(url), 30)
        yield url
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(autouse=True)
def celery_app(broker_url: str) -> Any:
    """The Celery app, sending to the session's broker, whose queues are empty."""
    from config import celery_app

    for name in ("broker_url", "broker_read_url", "broker_write_url"):
        celery_app.conf[name] = broker_url
    with celery_app.connection_for_write() as connection:
        for queue in ("upkeep", "validation", "matches"):
            connection.default_channel.client.delete(queue)
    return celery_app


@pytest.fixture
def queued(celery_app: Any) -> Callable[[str], int]:
    """How many messages a queue holds."""

    def count(queue: str) -> int:
        with celery_app.connection_for_write() as connection:
            return int(connection.default_channel.client.llen(queue))

    return count


def wait_until(condition: Callable[[], Any], seconds: float, what: str = "it") -> Any:
    """Waits until the condition holds and gives its value; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not happen within {seconds:.0f} s")
        time.sleep(0.05)
