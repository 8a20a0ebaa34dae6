"""What survives when parts of the stack die in the middle of a tournament: everything."""

import os
import signal
from typing import Any

from running_stack import (
    Up,
    children,
    command_line,
    cup,
    everything_once,
    finished,
    some_played,
)


def test_fc091_a_worker_killed_in_the_middle_loses_and_doubles_nothing(arena: Up) -> None:
    tournament = cup("kill-worker", pairs=4, cycles=2)
    some_played(tournament, 5)
    os.kill(arena.part("validation,matches"), signal.SIGKILL)
    finished(tournament)
    everything_once(tournament, 48)
    assert "the worker ended with code -9: it is started again" in arena.text


def test_fc099_a_pool_process_killed_in_the_middle_loses_and_doubles_nothing(arena: Up) -> None:
    tournament = cup("kill-child", pairs=4, cycles=2)
    for least in (3, 12):
        some_played(tournament, least)
        os.kill(children(arena.part("validation,matches"))[0], signal.SIGKILL)
    finished(tournament)
    everything_once(tournament, 48)


def test_a_broker_emptied_in_the_middle_loses_nothing(arena: Up, celery_app: Any) -> None:
    tournament = cup("empty-broker", pairs=3, cycles=2)
    some_played(tournament, 5)
    with celery_app.connection_for_write() as connection:
        connection.default_channel.client.flushall()
    finished(tournament)
    everything_once(tournament, 36)


def test_a_broker_killed_in_the_middle_loses_nothing(arena: Up) -> None:
    tournament = cup("kill-broker", pairs=3, cycles=2)
    some_played(tournament, 5)
    (broker,) = [
        pid for pid in children(arena.process.pid) if "valkey" in command_line(pid).split("\0")[0]
    ]
    os.kill(broker, signal.SIGKILL)
    finished(tournament)  # what was played then is taken up when its lease has run out
    everything_once(tournament, 36)
