"""Reads of several tables that must fit together."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper


@contextmanager
def consistent_read() -> Iterator[None]:
    """All queries inside see the database as it was at one moment. Nothing may be written inside.

    Nobody waits for it, and it waits for nobody; what takes long is still computed after it. Inside
    another transaction it changes nothing: how that one reads was settled when it began.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _deferred(connection):
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            # At READ COMMITTED each statement would see what was booked since the one before.
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _deferred(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """A transaction of SQLite that reads one moment and leaves the lock to those who write.

    Transactions are begun IMMEDIATE (`config.settings`): one that only reads would hold up every
    booking until it ends.
    """
    usual = vars(connection)["transaction_mode"]
    vars(connection)["transaction_mode"] = "DEFERRED"
    try:
        with transaction.atomic():
            yield
    finally:
        vars(connection)["transaction_mode"] = usual
