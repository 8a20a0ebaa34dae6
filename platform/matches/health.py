"""What a worker says of itself: its probe at the start, then a heartbeat.

A worker whose probe fails stays up for everything else, but takes no matches, and says so.
"""

import threading
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

from arena.sandbox import Finding, NoSandbox, Sandbox, choose, stop_reaping
from bots import host
from matches.draining import start_draining
from matches.models import WorkerState, WorkerStatus
from matches.services import leases

PLAYING_QUEUES = frozenset({"validation", "matches"})
"""The queues that need a sandbox."""

BEAT_S = 5.0

_log = structlog.get_logger(__name__)
_stop = threading.Event()
_since: datetime = timezone.now()
"""When this process last told its status: what tells it from a successor of the same name."""


@celeryd_after_setup.connect
def open_for_play(sender: str, instance: Any, **_: Any) -> None:
    """Probes the sandbox before the worker takes anything; without one its queues are let go."""
    queues = instance.app.amqp.queues
    if not PLAYING_QUEUES & set(queues.consume_from):
        return
    _stop.clear()
    try:
        sandbox = choose(settings.SANDBOX)
    except NoSandbox as error:
        queues.deselect(sorted(PLAYING_QUEUES & set(queues.consume_from)))
        say_no_sandbox(sender, error)
    else:
        host.use_sandbox(sandbox)
        say_ready(sender, sandbox, instance.concurrency or settings.WORKER_SLOTS)
        leases.release_own(sender)
        stop_reaping()  # the pool's processes start the boxes, this one only probed
    connection.close()  # the pool's processes are forked from this one


def say_ready(name: str, sandbox: Sandbox, slots: int) -> None:
    """Stores that the worker plays."""
    _say(
        name,
        state=WorkerState.READY,
        slots=slots,
        sandbox=sandbox.kind,
        image=sandbox.image,
        python=sandbox.python,
        message="",
        findings=[],
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
        findings=[_finding(finding) for finding in error.findings],
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


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "ok": finding.ok,
        "what": finding.what,
        "remedy": finding.remedy,
    }


@worker_ready.connect
def begin_beating(sender: Any, **_: Any) -> None:
    """Starts the heartbeat of a worker that has told its status."""
    name = sender.hostname
    if WorkerStatus.objects.filter(name=name).exists():
        threading.Thread(target=_beat, args=(name,), daemon=True).start()
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


def _beat(name: str) -> None:
    while not _stop.wait(BEAT_S):
        try:
            _own_status(name).update(beat_at=timezone.now())
        except DatabaseError as error:
            _log.warning("heartbeat not stored", why=str(error))
        finally:
            connection.close()
