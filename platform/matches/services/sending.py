"""The task of a pairing, sent once what it stands on is committed."""

from functools import partial

from django.db import transaction

from matches import tasks


def send_on_commit(pairing_id: int) -> None:
    """Sends the pairing to the workers when the current transaction is committed."""
    transaction.on_commit(partial(tasks.run_pairing.delay, pairing_id))
