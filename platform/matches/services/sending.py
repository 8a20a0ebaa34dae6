"""What is told to others once the current transaction is committed.

All of it is robust: where the broker is away at that moment the rows stay as they were written, and
the sweep and the pump do it later.
"""

from functools import partial

from django.db import transaction

from matches import tasks
from matches.models import Pairing
from matches.signals import pairing_over


def send_on_commit(pairing_id: int) -> None:
    """Sends the pairing to the workers."""
    transaction.on_commit(partial(tasks.run_pairing.delay, pairing_id), robust=True)


def announce_over(pairing: Pairing) -> None:
    """Tells the rooms above that a pairing is over."""
    transaction.on_commit(
        lambda: pairing_over.send(
            sender=Pairing, pairing_id=pairing.pk, tournament_id=pairing.tournament_id
        ),
        robust=True,
    )
