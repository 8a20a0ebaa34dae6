"""The tasks of matches: thin."""

from typing import Any

from celery import Task, shared_task


@shared_task(bind=True)
def run_pairing(self: "Task[Any, Any]", pairing_id: int) -> None:
    """Plays a pairing; delivered twice, the second finds nothing to claim."""
    from matches.runner import run_pairing as run

    run(pairing_id, self.request.hostname or "worker")


@shared_task
def sweep() -> None:
    """Takes pairings from workers that are gone, calls off those of paused versions where that was
    missed, and sends lost tasks again.
    """
    from matches.services import leases, orders

    orders.call_off_paused()
    leases.release_expired()
    leases.send_lost()
