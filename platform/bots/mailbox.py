"""What lies in the broker's queues."""

from typing import Any

from celery import current_app
from kombu import Queue


def messages_waiting(queue: str) -> int:
    """Messages of a queue that no worker has taken yet."""
    with current_app.connection_for_read() as connection:
        bound = Queue(queue, channel=connection.default_channel)
        declared: Any = bound.queue_declare()  # the stubs know it as a name only
        return int(declared.message_count)
