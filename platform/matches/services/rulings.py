"""The organisers decide about a match; what they decided stays, in a chain that shows gaps."""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from matches.errors import MayNotRule, NotRulable
from matches.models import (
    IDLE,
    Dispute,
    Match,
    MatchStatus,
    Pairing,
    PairingStatus,
    Ruling,
    RulingKind,
    SeatLog,
)
from matches.services.booking import add_up
from matches.services.disputes import owners_of
from matches.services.reasons import checked_reason
from matches.services.sending import send_on_commit

FIRST = "0" * 64
"""What the first ruling carries in place of a hash."""

_BEFORE = (
    "status", "winner", "score0", "score1", "reason", "faults", "fault0", "fault1", "deals",
    "wall_ms", "replay", "voids",
)  # fmt: skip
_TRIES = 10
_log = structlog.get_logger(__name__)
_NO_RESULT: dict[str, Any] = {
    "status": MatchStatus.QUEUED, "winner": None, "score0": 0, "score1": 0, "reason": "",
    "faults": [], "fault0": "", "fault1": "", "deals": 0, "wall_ms": 0, "luck": None,
    "replay": "", "finished_at": None,
}  # fmt: skip


def rule(match: Match, kind: RulingKind, by: User, why: str) -> Ruling:
    """Decides about a played match, settles its dispute, and lets the sums follow.

    CONFIRM leaves all as it is. VOID takes the match out of every total; its mirror match counts as
    a single. REPLAY plays it again from the same seed, as a new attempt of its pairing; until then
    it has no result. A void match may be played again, and so may one that was called off while it
    waited for that. Only the staff decides, and nobody about a match of his own bot. Raises
    `BadReason`, `MayNotRule` or `NotRulable`.
    """
    why = checked_reason(why)
    for last in range(_TRIES):
        try:
            with transaction.atomic():
                ruling = _rule(match, kind, by, why)
                transaction.on_commit(partial(_logged, ruling))
                return ruling
        except IntegrityError:  # another ruling was faster: it stands before ours in the chain
            if last == _TRIES - 1:
                raise
    raise AssertionError("unreachable")


def _logged(ruling: Ruling) -> None:
    """Outside the database: whoever alters the chain there cannot alter this."""
    _log.info("ruling made", ruling=ruling.pk, match=ruling.match_id, sha256=ruling.sha256)


def _rule(match: Match, kind: RulingKind, by: User, why: str) -> Ruling:
    pairing = Pairing.objects.select_for_update().get(pk=match.pairing_id)
    row = Match.objects.select_related("seat0__bot", "seat1__bot").get(pk=match.pk)
    if not by.is_staff or by.pk in owners_of(row):
        raise MayNotRule(f"{by} is not of the staff, or owns a bot in {match.public_id}")
    allowed = {MatchStatus.FINISHED}
    if kind == RulingKind.REPLAY:
        allowed.add(MatchStatus.VOID)
        if Ruling.objects.filter(match=row, kind=RulingKind.REPLAY).exists():
            allowed.add(MatchStatus.CANCELLED)  # called off while it waited to be played again
    if row.status not in allowed:
        raise NotRulable(
            f"{match.public_id} is {row.get_status_display()}: it cannot be "
            f"{RulingKind(kind).label}"
        )
    ruling = _chained(row, kind, by, why)
    Dispute.objects.filter(match=row, ruling=None).update(ruling=ruling)
    if kind == RulingKind.VOID:
        Match.objects.filter(pk=row.pk).update(status=MatchStatus.VOID)
        add_up(pairing)
    elif kind == RulingKind.REPLAY:
        _play_again(row, pairing, ruling)
    return ruling


def _play_again(match: Match, pairing: Pairing, ruling: Ruling) -> None:
    SeatLog.objects.filter(match=match, replaced_by=None).update(replaced_by=ruling)
    Match.objects.filter(pk=match.pk).update(**_NO_RESULT)
    add_up(pairing)
    held = Pairing.objects.filter(pk=pairing.pk)
    if held.filter(status__in=IDLE).update(
        status=PairingStatus.QUEUED, finished_at=None, sent_at=timezone.now()
    ):
        send_on_commit(pairing.pk)
    else:  # whoever claims it knows of this match: see `services.counts`
        held.filter(status=PairingStatus.QUEUED).update(sent_at=timezone.now())


def _chained(match: Match, kind: RulingKind, by: User, why: str) -> Ruling:
    newest = Ruling.objects.order_by("-id").first()
    ruling = Ruling(
        match=match,
        kind=kind,
        by=by,
        why=why,
        before={name: getattr(match, name) for name in _BEFORE},
        made_at=timezone.now(),
        previous=FIRST if newest is None else newest.sha256,
    )
    ruling.sha256 = digest(ruling)
    ruling.save(force_insert=True)
    return ruling


def digest(ruling: Ruling) -> str:
    """SHA-256 of all that a ruling says and of the hash before it, as hex."""
    said = {
        "previous": ruling.previous,
        "match": ruling.match_id,
        "kind": str(ruling.kind),
        "by": ruling.by_id,
        "why": ruling.why,
        "before": ruling.before,
        "made_at": ruling.made_at.timestamp(),
    }
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def chain_breaks() -> Iterator[str]:
    """Every place where the trail was altered or cut, as a line of text.

    The chain has no key: newest rulings that were taken away, and a chain that was computed anew,
    are not seen here. The log has number and hash of each (`_logged`).
    """
    previous = FIRST
    for ruling in Ruling.objects.order_by("id").iterator():
        if ruling.previous != previous:
            yield f"ruling {ruling.pk}: one before it was taken away"
        if digest(ruling) != ruling.sha256:
            yield f"ruling {ruling.pk}: it was altered"
        previous = ruling.sha256
