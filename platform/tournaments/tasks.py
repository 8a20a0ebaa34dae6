"""The tasks of tournaments: thin."""

from celery import shared_task

from tournaments import pump, services
from tournaments.audit import audit_and_keep


@shared_task
def pump_all() -> None:
    """Keeps pairings ahead of the workers."""
    pump.pump_all()


@shared_task
def enter_open_tournaments(version_id: int) -> None:
    """Enters an accepted version."""
    services.enter_open_tournaments(version_id)
    pump.pump_all()


@shared_task
def enter_missed() -> None:
    """Enters accepted versions whose announcement was lost."""
    services.enter_missed()


@shared_task
def audit() -> None:
    """Proves the books, every night; the staff reads the result."""
    audit_and_keep()
