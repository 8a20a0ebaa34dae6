"""The tasks of tournaments: thin."""

from celery import shared_task
from django.utils import timezone

from tournaments import periods, pump, services
from tournaments.audit import start_audit


@shared_task
def pump_all() -> None:
    """Keeps pairings ahead of the workers, and reveals the secrets of days that are over."""
    pump.pump_all()
    periods.reveal_due(timezone.now())


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
    """Has the books proven, every night; the staff reads the result."""
    start_audit()
