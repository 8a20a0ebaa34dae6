"""Writes to standings: the refit, always from all booked results, so order leaves no trace."""

import hashlib
from dataclasses import asdict

from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum

from arena.rating import TALLY, Line, Sums, rate, versions_in
from bots import queries as bots
from matches.models import Pairing
from ratings.models import Rating, Snapshot


def refit_all() -> int:
    """Refits every tournament whose results have changed; gives how many."""
    known = dict(Snapshot.objects.values_list("tournament_id", "basis"))
    changed = [
        tournament
        for tournament, basis in _bases(Pairing.objects.all()).items()
        if known.get(tournament, "") != basis
    ]
    return sum(refit(tournament) for tournament in changed)


def refit(tournament: int) -> bool:
    """Writes the standings anew from the results; False where they rest on the same already.

    Computed before the transaction that writes them: with many versions it takes seconds. Where
    another refit was faster, its standings stay, and the next one looks again.
    """
    snapshot, _ = Snapshot.objects.get_or_create(tournament_id=tournament)
    played = Pairing.objects.filter(tournament=tournament)
    with transaction.atomic():  # both reads see the same results
        basis = _bases(played).get(tournament, "")
        sums = sums_of(played)
    if snapshot.basis == basis:
        return False
    lines = rating_lines(sums)
    with transaction.atomic():
        locked = Snapshot.objects.select_for_update().get(pk=snapshot.pk)
        if locked.number != snapshot.number:
            return False
        Rating.objects.filter(snapshot=locked).delete()
        Rating.objects.bulk_create(_rating(locked, line) for line in lines)
        locked.number += 1
        locked.basis = basis
        locked.matches = sum(row["played"] for row in sums.values())
        locked.save()
    return True


def sums_of(pairings: "QuerySet[Pairing]") -> Sums:
    """The sums of booked pairings for each two versions."""
    rows = (
        pairings.filter(played__gt=0)
        .values_list("low_id", "high_id")
        .annotate(*(Sum(name) for name in TALLY))
        .order_by("low_id", "high_id")
    )
    return {(low, high): dict(zip(TALLY, row, strict=True)) for low, high, *row in rows}


def rating_lines(sums: Sums) -> list[Line]:
    """The standings that follow from sums, best first."""
    return rate(sums, bots.anchor_among(versions_in(sums)))[1]


def _rating(snapshot: Snapshot, line: Line) -> Rating:
    fields = asdict(line)
    return Rating(snapshot=snapshot, version_id=fields.pop("version"), **fields)


def _bases(pairings: "QuerySet[Pairing]") -> dict[int, str]:
    """What tells apart the results that a refit may rest on, by tournament."""
    rows = (
        pairings.filter(booked_at__isnull=False)
        .values_list("tournament_id")
        .annotate(Max("booked_at"), Sum("played"), Count("id"))
        .order_by()
    )
    return {
        tournament: hashlib.sha256(repr(rest).encode()).hexdigest() for tournament, *rest in rows
    }
