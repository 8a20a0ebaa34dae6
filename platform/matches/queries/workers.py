"""Reads of the workers: who is there, what they can do."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from matches.models import WorkerState, WorkerStatus

SILENT_S = 30
"""A worker that has said nothing for so long counts as gone."""

FORGOTTEN_S = 3600
"""After so long it is no longer shown."""


@dataclass(frozen=True, slots=True)
class WorkerHealth:
    """A worker as the pages show it. `findings` are `{"name", "ok", "what", "remedy"}` each."""

    name: str
    state: str
    alive: bool
    slots: int
    sandbox: str
    image: str
    python: str
    findings: list[dict[str, Any]]
    message: str
    beat_at: datetime
    started_at: datetime

    @property
    def plays(self) -> bool:
        """Whether it takes matches now."""
        return self.alive and self.state == WorkerState.READY


@dataclass(frozen=True, slots=True)
class UploadReadiness:
    """Whether uploads can be run here now; else why not, and what to do."""

    ok: bool
    reason: str = ""
    remedy: str = ""


def worker_health() -> list[WorkerHealth]:
    """All workers heard of within the hour, by name. One query."""
    now = timezone.now()
    seen = WorkerStatus.objects.filter(beat_at__gt=now - timedelta(seconds=FORGOTTEN_S))
    return [
        WorkerHealth(
            name=row.name,
            state=row.state,
            alive=row.state != WorkerState.STOPPED
            and row.beat_at > now - timedelta(seconds=SILENT_S),
            slots=row.slots,
            sandbox=row.sandbox,
            image=row.image,
            python=row.python,
            findings=row.findings,
            message=row.message,
            beat_at=row.beat_at,
            started_at=row.started_at,
        )
        for row in seen
    ]


def live_slots() -> int:
    """Matches that can be played at once, all workers together. One query."""
    return sum(worker.slots for worker in worker_health() if worker.plays)


def can_run_uploads() -> UploadReadiness:
    """Whether a worker with a sandbox is there. One query."""
    alive = [worker for worker in worker_health() if worker.alive]
    if any(worker.plays for worker in alive):
        return UploadReadiness(True)
    if alive:
        return UploadReadiness(
            False,
            "No worker has a sandbox that holds, so no uploaded bot is run.",
            alive[0].message,
        )
    return UploadReadiness(
        False,
        "No worker is running: uploads wait, nothing is lost.",
        "Start a worker (`manage.py up`, or `celery -A config worker`) and look at its log.",
    )


def runtime_python() -> str:
    """The Python that bots run on, "3.11.7", as a live worker says; "" while none does."""
    return next((worker.python for worker in worker_health() if worker.plays), "")
