"""What is counted of the workers: matches, and starts of matches that their hosts broke."""

from django.db.models import F

from matches.models import Match, MatchStatus, Pairing, WorkerStatus


def count_match(pairing: Pairing, voids: int) -> None:
    """A match of the pairing was booked, after so many voids (which its row has already)."""
    WorkerStatus.objects.filter(name=pairing.worker).update(
        matches=F("matches") + 1, voids=F("voids") + voids
    )


def count_voids(pairing: Pairing, voids: int) -> None:
    """The match that was under way, the first that is not played, was void so many times."""
    if not voids:
        return
    under_way = Match.objects.filter(pairing=pairing, status=MatchStatus.QUEUED)
    first = under_way.order_by("pair", "game").first()
    if first is not None:
        Match.objects.filter(pk=first.pk).update(voids=F("voids") + voids)
    WorkerStatus.objects.filter(name=pairing.worker).update(voids=F("voids") + voids)
