"""What matches hear from the room below."""

from typing import Any

from django.dispatch import receiver

from bots.pausing import version_paused
from matches.services.orders import call_off_paused


@receiver(version_paused)
def call_off(sender: object, version_id: int, **_: Any) -> None:
    """What a paused version has not played yet is called off."""
    call_off_paused()
