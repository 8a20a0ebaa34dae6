"""Booking a match: result, logs and the sums of its pairing, once, in one transaction."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from arena.rating import Result, tally
from arena.referee import MatchRecord, SeatRecord
from bots.logs import exit_words, shown_fault, shown_line, shown_notes, shown_with_marks
from matches.errors import StaleAttempt
from matches.luck import luck_in_record
from matches.models import Match, MatchStatus, Pairing, PairingStatus, SeatLog
from matches.services.counts import count_match
from matches.services.faults import pause_the_faulty
from matches.services.sending import announce_over


def record_result(
    match: Match, attempt: int, record: MatchRecord, replay: str, voids: int = 0
) -> bool:
    """Books a match whose replay lies in the store under the name `replay`.

    False, and nothing changed, where it was booked before (FC105). Raises `StaleAttempt` where its
    pairing is no longer held by this attempt.
    """
    luck = luck_in_record(record.body)  # first: it takes milliseconds, and the row is locked below
    with transaction.atomic():
        pairing = Pairing.objects.select_for_update().get(pk=match.pairing_id)
        if pairing.attempt != attempt or pairing.status != PairingStatus.RUNNING:
            if Match.objects.filter(pk=match.pk, status=MatchStatus.FINISHED).exists():
                return False
            raise StaleAttempt(
                f"{match.public_id}: attempt {attempt} is over, the result is dropped"
            )
        waiting = Match.objects.filter(pk=match.pk, status=MatchStatus.QUEUED)
        if not waiting.update(**_result_fields(record, replay, voids), luck=luck):
            return False
        SeatLog.objects.bulk_create(
            _seat_log(match, seat, seen) for seat, seen in enumerate(record.seats)
        )
        count_match(pairing, voids)
        if add_up(pairing):
            announce_over(pairing)
        pause_the_faulty(match, (fault.seat for fault in record.faults))
    return True


def _result_fields(record: MatchRecord, replay: str, voids: int) -> dict[str, object]:
    fault = {fault.seat: fault.name.value for fault in record.faults}
    return {
        "status": MatchStatus.FINISHED,
        "winner": record.winner,
        "score0": record.score[0],
        "score1": record.score[1],
        "reason": record.reason,
        "faults": [shown_fault(each) for each in record.faults],
        "fault0": fault.get(0, ""),
        "fault1": fault.get(1, ""),
        "deals": record.deals,
        "wall_ms": record.wall_ms,
        "replay": replay,
        "voids": F("voids") + voids,  # earlier attempts may have had some
        "finished_at": timezone.now(),
    }


def _seat_log(match: Match, seat: int, seen: SeatRecord) -> SeatLog:
    stderr, marks = shown_with_marks(seen.stderr, seen.stderr_marks)
    return SeatLog(
        match=match,
        seat=seat,
        stderr=stderr,
        stderr_total=seen.stderr_total,
        marks=marks if seen.stderr_total else [],
        notes=shown_notes(seen.notes),
        refused=shown_line(seen.refused),
        exit=exit_words(seen.exit),
        cpu_ms=seen.cpu_ms,
        peak_mb=seen.exit.peak_mb,
    )


def add_up(pairing: Pairing) -> bool:
    """Recomputes the pairing's sums from its matches; whether none is left to play.

    Then it is FINISHED, or CANCELLED where some were called off: those are played if both versions
    meet again.
    """
    now = timezone.now()
    rows = list(Match.objects.filter(pairing=pairing).values_list("status", *Result._fields))
    booked = [Result(*row[1:]) for row in rows if row[0] == MatchStatus.FINISHED]
    fields: dict[str, object] = {**tally(booked), "booked_at": now, "host_failures": 0}
    statuses = {row[0] for row in rows}
    over = MatchStatus.QUEUED not in statuses
    if over:
        called_off = MatchStatus.CANCELLED in statuses
        status = PairingStatus.CANCELLED if called_off else PairingStatus.FINISHED
        if pairing.status != status:
            finished_at = None if called_off else now
            fields |= {"status": status, "finished_at": finished_at, "lease_until": None}
    Pairing.objects.filter(pk=pairing.pk).update(**fields)
    return over
