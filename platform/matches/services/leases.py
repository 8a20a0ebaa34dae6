"""Who holds a pairing, for how long, and what becomes of it when he is gone.

A worker claims a queued pairing and renews its lease as its matches go on: a lease that runs out
means no progress, whatever else the worker says (FC092).
"""

import os
import time
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from arena.protocol import Limits
from bots.mailbox import messages_waiting
from matches.errors import AttemptLost
from matches.models import Match, MatchStatus, Pairing, PairingStatus
from matches.services.counts import count_voids
from matches.services.sending import announce_over, send_on_commit

MAX_HOST_FAILURES = 3
"""Claims in a row without a match finished, after which a pairing waits for a person."""

MAX_LOST_WORKERS = 10
"""The same where the worker or its process died: it may have been restarted a few times."""

BOOT_GRACE_S = 60
"""A process that has just started takes nothing from others: they may be starting too (FC093)."""

_LOST_AFTER_S = 15
"""A queued pairing whose message the broker does not hold is sent again after so long."""

_QUEUE = "matches"
_booted = time.monotonic()
_log = structlog.get_logger(__name__)


def lease_s(limits: Limits) -> int:
    """Longest time without progress: a bot's longest allowed silence, twice, and a margin."""
    silence_ms = limits.wall_factor * max(limits.start_ms, limits.move_ms + limits.bank_ms)
    return 20 + 2 * silence_ms // 1000


def claim(pairing_id: int, worker: str) -> Pairing | None:
    """QUEUED → RUNNING for one caller; None for anybody who comes second.

    A pairing that a dead process of the same worker still holds is taken over.
    """
    pairing = Pairing.objects.filter(pk=pairing_id).first()
    if pairing is None:
        return None
    if pairing.status == PairingStatus.RUNNING and _is_orphaned(pairing, worker):
        release(pairing.pk, pairing.attempt, "its process ended", most=MAX_LOST_WORKERS, send=False)
    claimed = Pairing.objects.filter(pk=pairing_id, status=PairingStatus.QUEUED).update(
        status=PairingStatus.RUNNING,
        attempt=F("attempt") + 1,
        worker=worker,
        worker_pid=os.getpid(),
        lease_until=_lease_end(pairing),
        started_at=Coalesce(F("started_at"), timezone.now()),
    )
    return Pairing.objects.get(pk=pairing_id) if claimed else None


def renew(pairing: Pairing) -> None:
    """Extends the lease. Raises `AttemptLost` where the pairing is no longer this attempt's."""
    kept = Pairing.objects.filter(
        pk=pairing.pk, attempt=pairing.attempt, status=PairingStatus.RUNNING
    ).update(lease_until=_lease_end(pairing))
    if not kept:
        raise AttemptLost(f"pairing {pairing.pk} was taken from attempt {pairing.attempt}")


def hand_over(pairing: Pairing) -> None:
    """RUNNING → QUEUED without blame: the rest is for another task."""
    with transaction.atomic():
        _requeue(pairing.pk, pairing.attempt, failures=0, note="")


def release(
    pairing_id: int,
    attempt: int,
    why: str,
    *,
    most: int = MAX_HOST_FAILURES,
    send: bool = True,
    voids: int = 1,
    match: int | None = None,
) -> bool:
    """RUNNING → QUEUED after a fault of the host, or PARKED after `most` of them in a row.

    The match under way was void `voids` times; it is `match` where that is known. False where the
    attempt is no longer the current one, and nothing is changed.
    """
    with transaction.atomic():
        held = Pairing.objects.select_for_update().filter(
            pk=pairing_id, attempt=attempt, status=PairingStatus.RUNNING
        )
        pairing = held.first()
        if pairing is None:
            return False
        count_voids(pairing, match, voids)
        failures = pairing.host_failures + 1
        if failures < most:
            return _requeue(pairing_id, attempt, failures, why, send=send)
        note = why if most == 1 else f"parked after {failures} host faults, the last: {why}"
        held.update(
            status=PairingStatus.PARKED, lease_until=None, host_failures=failures, note=note
        )
        announce_over(pairing)
    _log.warning("pairing parked", pairing=pairing_id, why=why)
    return True


def unpark(pairing_id: int) -> bool:
    """PARKED → QUEUED, by a person."""
    with transaction.atomic():
        changed = Pairing.objects.filter(pk=pairing_id, status=PairingStatus.PARKED).update(
            status=PairingStatus.QUEUED, host_failures=0, note="", sent_at=timezone.now()
        )
        if changed:
            send_on_commit(pairing_id)
    return bool(changed)


def release_own(worker: str) -> int:
    """Gives back what a worker of this name held when it ended, as it starts again; how many."""
    held = Pairing.objects.filter(status=PairingStatus.RUNNING, worker=worker)
    return sum(
        release(pk, attempt, "its worker ended", most=MAX_LOST_WORKERS)
        for pk, attempt in held.values_list("pk", "attempt")
    )


def release_expired(now: datetime | None = None, *, grace_s: float = BOOT_GRACE_S) -> int:
    """What nobody has renewed in time; gives how many. Nothing just after this process's start."""
    if time.monotonic() - _booted < grace_s:
        return 0
    expired = Pairing.objects.filter(
        status=PairingStatus.RUNNING, lease_until__lt=now or timezone.now()
    )
    return sum(
        release(pk, attempt, f"no progress of worker {worker}", most=MAX_LOST_WORKERS)
        for pk, attempt, worker in expired.values_list("pk", "attempt", "worker")
    )


def send_lost() -> int:
    """Sends queued pairings again whose messages are gone from the broker; gives how many."""
    late = timezone.now() - timedelta(seconds=_LOST_AFTER_S)
    waiting = Pairing.objects.filter(status=PairingStatus.QUEUED)
    lost = list(waiting.filter(sent_at__lt=late).values_list("pk", flat=True))
    if not lost or messages_waiting(_QUEUE) >= waiting.count():
        return 0
    with transaction.atomic():
        Pairing.objects.filter(pk__in=lost).update(sent_at=timezone.now())
        for pairing_id in lost:
            send_on_commit(pairing_id)
    return len(lost)


def unfinished(pairing: Pairing) -> list[Match]:
    """Its matches still to be played, in order."""
    return list(
        Match.objects.filter(pairing=pairing, status=MatchStatus.QUEUED)
        .select_related("seat0__bot", "seat1__bot")
        .order_by("pair", "game")
    )


def limits_of(pairing: Pairing) -> Limits:
    """Its limits as the referee wants them."""
    return msgspec.convert(pairing.limits, Limits)


def _lease_end(pairing: Pairing) -> datetime:
    return timezone.now() + timedelta(seconds=lease_s(limits_of(pairing)))


def _requeue(pairing_id: int, attempt: int, failures: int, note: str, *, send: bool = True) -> bool:
    changed = Pairing.objects.filter(
        pk=pairing_id, attempt=attempt, status=PairingStatus.RUNNING
    ).update(
        status=PairingStatus.QUEUED,
        lease_until=None,
        host_failures=failures,
        note=note,
        sent_at=timezone.now(),
    )
    if changed and send:
        send_on_commit(pairing_id)
    return bool(changed)


def _is_orphaned(pairing: Pairing, worker: str) -> bool:
    """Whether a process of this very worker held it and is gone (or is this one, come again)."""
    if pairing.worker != worker:
        return False
    if pairing.worker_pid == os.getpid():
        return True
    try:
        os.kill(pairing.worker_pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
