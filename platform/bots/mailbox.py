"""What lies in the broker's queues."""

from typing import Any

from celery import current_app
from kombu import Queue
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

_PATIENCE: dict[str, float] = {
    "socket_connect_timeout": 2,
    "socket_timeout": 2,
    "max_retries": 1,
    "interval_start": 0,
}


def messages_waiting(queue: str) -> int:
    """Messages of a queue that no worker has taken yet."""
    with current_app.connection_for_read() as connection:
        bound = Queue(queue, channel=connection.default_channel)
        declared: Any = bound.queue_declare()  # the stubs know it as a name only
        return int(declared.message_count)


def why_no_answer() -> str:
    """Why the broker does not answer; "" where it does. Waits some seconds at most."""
    try:
        with current_app.connection_for_read(transport_options=_PATIENCE) as connection:
            channel: Any = connection.default_channel  # the stubs know no client
            channel.client.ping()
    except (OperationalError, RedisError, OSError) as error:
        return str(error)
    return ""
