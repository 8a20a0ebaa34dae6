"""Where a process plays: its sandbox, its core, boxes started beforehand.

Validation and matches play here, so that both have the same walls and the same clock.
"""

import atexit
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

from arena.protocol import Limits
from arena.referee import Entrant
from arena.referee.host import BOXES_AHEAD, Host, cores
from arena.sandbox import BotFiles, BoxLimits, Pool, Sandbox, choose
from bots import archive, store
from bots.errors import UploadLost, UploadRefused
from bots.models import Version

_KEPT_BOTS = 8
"""Bots whose files a process remembers."""


@dataclass(slots=True)
class _Place:
    sandbox: Sandbox | None = None
    core: int | None = None
    limits: BoxLimits | None = None
    host: Host | None = None
    pool: Pool | None = None


_place = _Place()


def use_sandbox(sandbox: Sandbox) -> None:
    """The sandbox that this process and those forked from it play in."""
    _place.sandbox = sandbox


def use_core(number: int) -> None:
    """Binds this process to one core, `number` counted over those it may use."""
    usable = cores()
    _place.core = usable[number % len(usable)]


def sandbox() -> Sandbox:
    """The sandbox in use, chosen where none was given. Raises `NoSandbox`."""
    if _place.sandbox is None:
        _place.sandbox = choose(settings.SANDBOX)
    return _place.sandbox


def host(limits: Limits) -> Host:
    """A host whose boxes have these limits. Raises `NoSandbox`."""
    wanted = BoxLimits(limits.memory_mb, limits.threads)
    if _place.host is None or _place.limits != wanted:
        close()
        pool = Pool(sandbox(), wanted, _place.core, size=BOXES_AHEAD)
        _place.host = Host(sandbox(), (pool, pool), _place.core)
        _place.pool, _place.limits = pool, wanted
    return _place.host


def close() -> None:
    """Stops the boxes that wait."""
    if _place.pool is not None:
        _place.pool.close()
    _place.pool = _place.host = None


atexit.register(close)


def every(seconds: float, act: Callable[[], None]) -> Callable[[], None]:
    """A function that calls `act` when so much time has passed since it last did."""
    last = time.monotonic()

    def tick() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= seconds:
            last = now
            act()

    return tick


def entrant(version: Version) -> Entrant:
    """The version as the referee wants it. Raises `UploadLost`."""
    return Entrant(
        name=version.bot.name,
        sha256=version.sha256,
        files=_files(version.sha256, version.file_name),
        id=version.pk,
        version=version.number,
    )


@lru_cache(_KEPT_BOTS)
def _files(sha256: str, file_name: str) -> BotFiles:
    try:
        return archive.unpack(file_name, store.load(sha256))
    except UploadRefused as error:
        raise UploadLost(f"the upload {sha256} was taken in and cannot be read: {error}") from error
