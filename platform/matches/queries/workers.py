"""Reads of the workers: who is there, what they can do."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from arena.finding import Finding, Level
from matches.models import WorkerState, WorkerStatus

SILENT_S = 30
"""A worker that has said nothing for so long counts as gone."""

FORGOTTEN_S = 3600
"""After so long it is no longer shown."""


@dataclass(frozen=True, slots=True)
class WorkerHealth:
    """A worker as the pages show it; `findings` are what it found at its start.

    `matches` and `voids` (starts that the host broke) are counted over all workers of its name.
    """

    name: str
    state: str
    alive: bool
    slots: int
    sandbox: str
    image: str
    python: str
    findings: list[Finding]
    message: str
    matches: int
    voids: int
    beat_at: datetime
    started_at: datetime

    @property
    def plays(self) -> bool:
        """Whether it takes matches now."""
        return self.alive and self.state == WorkerState.READY

    @property
    def told(self) -> list[Finding]:
        """The findings that say what is missing, and then those with something to do."""
        told = (finding for finding in self.findings if finding.level is not Level.OK)
        return sorted(told, key=lambda finding: finding.ok)


@dataclass(frozen=True, slots=True)
class UploadReadiness:
    """Whether uploads can be run here now; else why not, and what to do.

    `closed`: the workers that are there have no sandbox that holds, so no upload is taken in.
    Where no worker is there at all uploads are taken in, and wait.
    """

    ok: bool
    reason: str = ""
    remedy: str = ""
    closed: bool = False


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
            findings=[
                Finding(each["name"], each["ok"], each["what"], each["remedy"])
                for each in row.findings
            ],
            message=row.message,
            matches=row.matches,
            voids=row.voids,
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
            closed=True,
        )
    return UploadReadiness(
        False,
        "No worker is running: uploads wait, nothing is lost.",
        "Start a worker (`manage.py up`, or `celery -A config worker`) and look at its log.",
    )


def runtime_pythons() -> list[str]:
    """The versions of Python that bots run on, "3.11.7", as the workers that play say.

    One, as a rule; none while no worker plays.
    """
    return sorted({worker.python for worker in worker_health() if worker.plays})
