"""What the stack consists of, in the order of starting."""

import http.client
import os
import socket
import sys
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, connection

from config import broker
from config.errors import StackError
from config.stack.parts import Part
from matches.models import WorkerStatus

_PORTS_TRIED = 50


def environment() -> dict[str, str]:
    """What the parts run with: ours, and both source roots on their path."""
    roots = [str(settings.ROOT), str(settings.ROOT / "platform")]
    there = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": os.pathsep.join([*roots, there] if there else roots),
        "PYTHONUNBUFFERED": "1",
        "SANTASE_STATE": str(settings.STATE),
    }


def broker_part() -> Part | None:
    """Our own broker; None where `REDIS_URL` names one."""
    url = settings.CELERY_BROKER_URL
    if settings.REDIS_URL:
        if not broker.answers(url):
            where = urlsplit(url)  # its password is nobody's business
            place = f"{where.hostname}:{where.port or 6379}" if where.hostname else where.path
            raise StackError(f"the broker that REDIS_URL names does not answer: {place}")
        return None
    return Part("broker", broker.start_argv(settings.STATE), lambda: broker.answers(url))


def web_part(host: str, port: int) -> Part:
    """The pages."""
    return Part(
        "web",
        [
            sys.executable, "-m", "uvicorn", "config.asgi:application",
            "--host", host, "--port", str(port),
            "--timeout-graceful-shutdown", "5", "--no-access-log",
        ],
        lambda: _serves(host, port),
    )  # fmt: skip


def worker_parts(slots: int, started_at: datetime) -> Iterator[Part]:
    """The worker that plays, one that does everything else, and the clock."""
    name = f"play@{_node()}"
    yield Part(
        "worker",
        [
            *_celery("worker"), "-n", name, "-Q", "validation,matches", "-c", str(slots),
            "--without-gossip", "--without-mingle",
        ],
        lambda: _has_reported(name, started_at),
        ready_s=120.0,
        leave_s=45.0,
    )  # fmt: skip
    yield Part(
        "upkeep",
        [
            *_celery("worker"), "-n", f"upkeep@{_node()}", "-Q", "upkeep", "-P", "solo",
            "--without-gossip", "--without-mingle",
        ],
        lambda: True,
    )  # fmt: skip
    yield Part("beat", [*_celery("beat"), "--pidfile="], lambda: True)


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or the next free one. Raises `StackError`."""
    why = ""
    for port in range(wanted, min(wanted + _PORTS_TRIED, 65_536)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                why = str(error.strerror or error)
                continue
            return port
    raise StackError(
        f"cannot serve at {host}, port {wanted} or the next ones ({why}): name others with --host "
        "and --port"
    )


def _celery(command: str) -> list[str]:
    return [sys.executable, "-m", "celery", "-A", "config", command, "-l", settings.LOG_LEVEL]


def _node() -> str:
    """The same at every start from this state folder, so that a worker knows its own leases."""
    return broker.socket_path(settings.STATE).parent.name.rpartition("-")[2]


def _serves(host: str, port: int) -> bool:
    client = http.client.HTTPConnection(host, port, timeout=5)
    try:
        client.request("GET", "/healthz")
        return client.getresponse().status > 0
    except OSError:
        return False
    finally:
        client.close()


def _has_reported(name: str, since: datetime) -> bool:
    try:
        return WorkerStatus.objects.filter(name=name, started_at__gte=since).exists()
    except DatabaseError:
        return False
    finally:
        connection.close()
