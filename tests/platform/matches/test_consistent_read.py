"""Reads that must fit together see one moment, and hold up nobody."""

import threading
from collections.abc import Callable

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections

from accounts.models import User
from bots.models import Bot
from matches.reading import consistent_read

pytestmark = pytest.mark.django_db(transaction=True)


def at_the_same_time(step: Callable[[], object]) -> None:
    """Runs a step on another connection, to its end."""

    def run() -> None:
        try:
            step()
        finally:
            connection.close()

    other = threading.Thread(target=run)
    other.start()
    other.join(10)
    assert not other.is_alive(), "it is held up"


def test_it_sees_one_moment_while_others_write() -> None:
    owner = User.objects.create_user("ada")
    with consistent_read():
        assert Bot.objects.count() == 0
        at_the_same_time(lambda: Bot.objects.create(owner=owner, name="new"))
        assert Bot.objects.count() == 0
    assert Bot.objects.count() == 1


def test_transactions_after_it_are_as_before() -> None:
    own = connections[DEFAULT_DB_ALIAS]
    before = vars(own).get("transaction_mode")
    with pytest.raises(ZeroDivisionError), consistent_read():
        raise ZeroDivisionError
    assert vars(own).get("transaction_mode") == before
    assert User.objects.create_user("eve").pk
