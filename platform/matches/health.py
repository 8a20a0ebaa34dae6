"""What a worker says of itself: what the doctor found at its start, then a heartbeat.

A worker without a sandbox that holds stays up for everything else, but takes no matches, and says
so.
"""

import threading
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import structlog
from celery.signals import (
    celeryd_after_setup,
    worker_process_init,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.utils import timezone

from arena.finding import Finding
from arena.sandbox import NoSandbox, Sandbox, stop_reaping, sweep
from arena.sandbox.doctor import Diagnosis, examine
from bots import host
from matches.draining import start_draining
from matches.models import WorkerState, WorkerStatus
from matches.services import leases

PLAYING_QUEUES = frozenset({"validation", "matches"})
"""The queues that need a sandbox."""

BEAT_S = 5.0
SWEEP_S = 60.0
"""How often what killed workers have left is cleared up, also where nothing is played."""

_log = structlog.get_logger(__name__)
_stop = threading.Event()
_since: datetime = timezone.now()
"""When this process last told its status: what tells it from a successor of the same name."""


@celeryd_after_setup.connect
def open_for_play(sender: str, instance: Any, **_: Any) -> None:
    """Examines the machine before the worker takes anything."""
    if not PLAYING_QUEUES & set(instance.app.amqp.queues.consume_from):
        return
    slots = instance.concurrency or settings.WORKER_SLOTS
    try:
        diagnosis = examine(settings.SANDBOX, slots)
    except NoSandbox as error:  # it is no name
        close_for_play(sender, instance, error)
    else:
        act_on(sender, instance, slots, diagnosis)


def act_on(name: str, worker: Any, slots: int, diagnosis: Diagnosis) -> None:
    """The worker of this name plays in the sandbox that was chosen; without one it takes nothing.

    `worker` is Celery's.
    """
    try:
        sandbox = diagnosis.chosen()
    except NoSandbox as error:
        close_for_play(name, worker, error)
        return
    _stop.clear()
    host.use_sandbox(sandbox)
    say_ready(name, sandbox, slots, diagnosis.findings)
    leases.release_own(name)
    stop_reaping()  # the pool's processes start the boxes, this one only probed
    connection.close()  # the pool's processes are forked from this one


def close_for_play(name: str, worker: Any, error: NoSandbox) -> None:
    """Lets go of the queues that need a sandbox, and says why."""
    _stop.clear()
    queues = worker.app.amqp.queues
    queues.deselect(sorted(PLAYING_QUEUES & set(queues.consume_from)))
    say_no_sandbox(name, error)
    stop_reaping()
    connection.close()


def say_ready(name: str, sandbox: Sandbox, slots: int, findings: Sequence[Finding] = ()) -> None:
    """Stores that the worker plays, and what was found at its start."""
    _say(
        name,
        state=WorkerState.READY,
        slots=slots,
        sandbox=sandbox.kind,
        image=sandbox.image,
        python=sandbox.python,
        message="",
        findings=[finding.as_fields() for finding in findings],
    )


def say_no_sandbox(name: str, error: NoSandbox) -> None:
    """Stores, and logs, that the worker plays nothing, why, and what to do."""
    _log.error("this worker plays no matches", why=str(error))
    _say(
        name,
        state=WorkerState.NO_SANDBOX,
        slots=0,
        sandbox="",
        image="",
        python="",
        message=str(error),
        findings=[finding.as_fields() for finding in error.findings],
    )


def _say(name: str, **fields: Any) -> None:
    global _since
    _since = timezone.now()
    WorkerStatus.objects.update_or_create(
        name=name, defaults={**fields, "started_at": _since, "beat_at": _since}
    )


def _own_status(name: str) -> "QuerySet[WorkerStatus]":
    """The row of this process, unless a successor of the same name has taken it over."""
    return WorkerStatus.objects.filter(name=name, started_at=_since)


@worker_ready.connect
def begin_beating(sender: Any, **_: Any) -> None:
    """Starts the heartbeat of a worker that has told its status, and clears up after others."""
    name = sender.hostname
    if WorkerStatus.objects.filter(name=name).exists():
        threading.Thread(target=_beat, args=(name,), daemon=True).start()
        keep_clear()
    connection.close()


@worker_process_init.connect
def bind_to_core(**_: Any) -> None:
    """Gives each process of the pool a core of its own."""
    from billiard.process import current_process

    host.use_core(getattr(current_process(), "index", 0))


@worker_shutting_down.connect
def finish_matches(**_: Any) -> None:
    """The match under way is played to its end, and no other is begun."""
    start_draining()


@worker_shutdown.connect
def say_stopped(sender: Any, **_: Any) -> None:
    """Stores that the worker has left in order."""
    _stop.set()
    _own_status(sender.hostname).update(state=WorkerState.STOPPED, slots=0, beat_at=timezone.now())


def clear_up() -> None:
    """Removes what killed workers have left, and logs what that was."""
    swept = sweep()
    for leftover in swept.removed:
        _log.warning("a killed worker's leftover removed", kind=leftover.kind, name=leftover.name)
    for leftover in swept.left:
        _log.error("a killed worker's leftover remains", kind=leftover.kind, name=leftover.name)
    if swept.trouble:
        _log.warning("leftovers in containers not looked for", why=swept.trouble)


def keep_clear() -> None:
    """Clears up now and each minute, in a thread of its own: an engine may be slow to answer."""
    threading.Thread(target=_clear_up_again_and_again, daemon=True).start()


def _clear_up_again_and_again() -> None:
    clear_up()
    while not _stop.wait(SWEEP_S):
        clear_up()


def _beat(name: str) -> None:
    while not _stop.wait(BEAT_S):
        try:
            _own_status(name).update(beat_at=timezone.now())
        except DatabaseError as error:
            _log.warning("heartbeat not stored", why=str(error))
        finally:
            connection.close()
