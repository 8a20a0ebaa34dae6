"""Writes to standings: the refit, always from all booked results, so order leaves no trace."""

import hashlib
from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum
from django.utils import timezone

from arena.rating import TALLY, Line, PairTable, Sums, rate, table_of, versions_in
from bots import queries as bots
from matches.models import Pairing
from ratings import fits, history
from ratings.models import Fit, Rating, Snapshot


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
    ratings, lines = rate(sums, bots.anchor_among(versions_in(sums)))
    table = table_of(sums)
    came = history.came_in(_table_before(snapshot), table)
    with transaction.atomic():
        locked = Snapshot.objects.select_for_update().get(pk=snapshot.pk)
        if locked.number != snapshot.number:
            return False
        Rating.objects.filter(snapshot=locked).delete()
        Rating.objects.bulk_create(_rating(locked, line) for line in lines)
        Fit.objects.update_or_create(snapshot=locked, defaults={"data": fits.pack(table, ratings)})
        locked.number += 1
        locked.basis = basis
        locked.matches = sum(row["played"] for row in sums.values())
        locked.matches_saved = ratings.matches_saved
        locked.save()
        if came:
            history.record(tournament, locked.number, locked.refit_at, came, lines)
    return True


def _table_before(snapshot: Snapshot) -> PairTable:
    """What the standings rested on until now."""
    fit = Fit.objects.filter(snapshot=snapshot).first()
    return PairTable() if fit is None else fits.unpack(fit.data)[0]


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


def lines_of(pairings: "QuerySet[Pairing]") -> list[Line]:
    """The standings that follow from pairings, best first."""
    return rating_lines(sums_of(pairings))


def basis_of(pairings: "QuerySet[Pairing]") -> str:
    """The basis of standings made from the pairings of one tournament now."""
    return next(iter(_bases(pairings).values()), "")


def newest_booking(pairings: "QuerySet[Pairing]") -> datetime:
    """When the last of these was booked or changed; now, where none was."""
    newest: datetime | None = pairings.aggregate(newest=Max("booked_at"))["newest"]
    return newest or timezone.now()


def _bases(pairings: "QuerySet[Pairing]") -> dict[int, str]:
    """What tells apart the results that a refit may rest on, by tournament."""
    rows = (
        pairings.filter(booked_at__isnull=False)
        .values_list("tournament_id")
        .annotate(Max("booked_at"), Count("id"), *(Sum(name) for name in TALLY))
        .order_by()
    )
    return {
        tournament: hashlib.sha256(repr(rest).encode()).hexdigest() for tournament, *rest in rows
    }
