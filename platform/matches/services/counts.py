"""What is counted of the workers: matches, and starts of matches that their hosts broke."""

from django.db.models import Exists, F, OuterRef

from matches.models import Match, MatchStatus, Pairing, Ruling, RulingKind, WorkerStatus


def count_match(pairing: Pairing, voids: int) -> None:
    """A match of the pairing was booked, after so many voids (which its row has already)."""
    WorkerStatus.objects.filter(name=pairing.worker).update(
        matches=F("matches") + 1, voids=F("voids") + voids
    )


def count_voids(pairing: Pairing, match: int | None, voids: int) -> None:
    """The match that was under way was void so many times.

    None where who played it is gone and cannot say which it was.
    """
    under_way = _first_of_attempt(pairing) if match is None else match
    if not voids or under_way is None:
        return
    Match.objects.filter(pk=under_way).update(voids=F("voids") + voids)
    WorkerStatus.objects.filter(name=pairing.worker).update(voids=F("voids") + voids)


def _first_of_attempt(pairing: Pairing) -> int | None:
    """An attempt plays in order what was waiting when it began; a match that was put back later
    (after its message was sent) is for the next one.
    """
    later = Ruling.objects.filter(
        match=OuterRef("pk"), kind=RulingKind.REPLAY, made_at__gt=pairing.sent_at
    )
    waiting = Match.objects.filter(pairing=pairing, status=MatchStatus.QUEUED)
    first = waiting.exclude(Exists(later)).order_by("pair", "game").first()
    return None if first is None else first.pk
