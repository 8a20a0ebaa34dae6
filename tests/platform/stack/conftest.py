"""One stack serves all tests of this folder; each brings its own tournament."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_stack import Up, rest_the_house, start, stop


@pytest.fixture(scope="session")
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("стек с интервали") / ("дълга папка " * 8).strip()


@pytest.fixture(scope="session")
def stack(state_folder: Path) -> Iterator[list[Up]]:
    """The stack, in a list so that a test may put a new one in its place."""
    running = [start(state_folder)]
    try:
        yield running
    finally:
        if running[0].process.poll() is None:
            stop(running[0])


@pytest.fixture
def up(stack: list[Up]) -> Up:
    """The running stack; started again where the test before has stopped it."""
    if stack[0].process.poll() is not None:
        stack[0] = start(stack[0].state)
    return stack[0]


@pytest.fixture
def arena(up: Up, settings: Any, celery_app: Any, django_db_blocker: Any) -> Iterator[Up]:
    """The stack, with this process's database, files and broker being the stack's."""
    from django.db import connections

    from config import broker

    settings.STATE = up.state
    ours = connections["default"]
    with django_db_blocker.unblock():
        theirs = ours.copy()
        theirs.settings_dict = {**ours.settings_dict, "NAME": str(up.state / "santase.sqlite3")}
        connections["default"] = theirs
        url = broker.embedded_url(up.state)
        for name in ("broker_url", "broker_read_url", "broker_write_url"):
            celery_app.conf[name] = url
        with contextlib.ExitStack() as undo:
            undo.callback(connections.__setitem__, "default", ours)
            undo.callback(theirs.close)
            rest_the_house()
            yield up
