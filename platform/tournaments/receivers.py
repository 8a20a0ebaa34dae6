"""What tournaments hear from the rooms below."""

from typing import Any

from django.dispatch import receiver

from bots.pausing import version_paused, version_resumed
from bots.services import version_accepted
from matches.signals import pairing_over
from tournaments import services, tasks


@receiver(version_accepted)
def enter_it(sender: object, version_id: int, **_: Any) -> None:
    """An accepted version enters the open tournaments."""
    tasks.enter_open_tournaments.delay(version_id)


@receiver(pairing_over)
def pump_on(sender: object, **_: Any) -> None:
    """A place is free: the next pairing is ordered at once."""
    tasks.pump_all.delay()


@receiver([version_paused, version_resumed])
def look_again(sender: object, version_id: int, **_: Any) -> None:
    """Who plays has changed: places may be free, and called-off pairings may be due again."""
    services.look_again(version_id)
    tasks.pump_all.delay()
