"""What tournaments hear from the rooms below."""

from typing import Any

from django.dispatch import receiver

from bots.services import version_accepted
from matches.signals import pairing_over
from tournaments import tasks


@receiver(version_accepted)
def enter_it(sender: object, version_id: int, **_: Any) -> None:
    """An accepted version enters the open tournaments."""
    tasks.enter_open_tournaments.delay(version_id)


@receiver(pairing_over)
def pump_on(sender: object, **_: Any) -> None:
    """A place is free: the next pairing is ordered at once."""
    tasks.pump_all.delay()
