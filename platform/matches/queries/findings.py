"""What can be found out about the platform from any of its processes: no sandbox, no engine."""

from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Sum

from arena.finding import Finding, Level
from bots import mailbox
from matches.models import Match, Pairing, PairingStatus
from matches.queries.workers import WorkerHealth, worker_health

MANY_VOIDS = 0.01
"""A share of void starts above which somebody should look."""

_START = "`manage.py up` starts it; nothing is lost meanwhile."


def platform_findings() -> list[Finding]:
    """Database and its tables, broker, workers, voids, pairings that wait for a person."""
    try:
        found = list(_database())
        if all(each.level is Level.OK for each in found):
            found += _read()
    except DatabaseError as error:
        found = [
            Finding(
                "database",
                False,
                f"does not answer: {error}",
                "See that it runs, and that DATABASE_URL (or SANTASE_STATE) names it.",
            )
        ]
    return [*found, _broker()]


def _database() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    yield Finding("database", True, f"{connection.display_name} answers")
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    yield Finding(
        "migrations",
        not missing or not settings.PRODUCTION,  # the embedded stack makes its own tables
        f"{len(missing)} are not applied" if missing else "all applied",
        "Run `manage.py migrate`; `manage.py up` does it by itself." if missing else "",
    )


def _broker() -> Finding:
    why = mailbox.why_no_answer()
    if not why:
        return Finding("broker", True, "answers")
    if settings.REDIS_URL:
        return Finding("broker", False, f"does not answer: {why}", "See that REDIS_URL names it.")
    return Finding("broker", True, "the embedded one is not running", _START)


def _read() -> Iterator[Finding]:
    alive = [worker for worker in worker_health() if worker.alive]
    yield _workers(alive)
    yield _pythons(alive)
    yield from _voids(alive)
    parked = Pairing.objects.filter(status=PairingStatus.PARKED).count()
    yield Finding(
        "parked pairings",
        True,
        f"{parked} wait for a person" if parked else "none",
        "Their notes say what the machine failed at: mend it, then send them again in the admin."
        if parked
        else "",
    )


def _workers(alive: list[WorkerHealth]) -> Finding:
    playing = [worker for worker in alive if worker.plays]
    unfit = [worker.name for worker in alive if not worker.plays]
    what = f"{len(playing)} playing, {sum(worker.slots for worker in playing)} slots in all"
    if not alive:
        return Finding("workers", True, "none is heard of: uploads and matches wait", _START)
    if unfit:
        what += f"; without a sandbox: {', '.join(unfit)}"
    return Finding(
        "workers",
        bool(playing),
        what,
        "Run `santase doctor` there with its SANDBOX, mend it, and start the worker again."
        if unfit
        else "",
    )


def _pythons(alive: list[WorkerHealth]) -> Finding:
    found = sorted({worker.python for worker in alive if worker.plays})
    return Finding(
        "Python of the workers",
        True,
        ", ".join(found) or "not known before a worker plays",
        "Give all workers the same: a bot may run on one and fail on another."
        if len(found) > 1
        else "",
    )


def _voids(alive: list[WorkerHealth]) -> Iterator[Finding]:
    voids = Match.objects.filter(voids__gt=0).aggregate(sum=Sum("voids"))["sum"] or 0
    played = Pairing.objects.aggregate(sum=Sum("played"))["sum"] or 0
    yield _voids_of("voids", voids, played)
    for worker in alive:
        yield _voids_of(f"voids: {worker.name}", worker.voids, worker.matches)


def _voids_of(name: str, voids: int, played: int) -> Finding:
    many = voids > MANY_VOIDS * (voids + played)
    return Finding(
        name,
        True,
        f"{voids} starts were void, {played} matches were played",
        "The host breaks matches (another program on its cores, workers that are killed): see the "
        "worker's log, and play fewer at once."
        if many
        else "",
    )
