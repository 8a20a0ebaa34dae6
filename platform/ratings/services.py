"""Writes to standings: the refit, always from all booked results, so order leaves no trace."""

import hashlib
from dataclasses import asdict
from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum
from django.utils import timezone

from arena.rating import TALLY, Line, PairTable, Sums, rate, table_of, versions_in
from bots import queries as bots
from matches.models import Pairing
from matches.reading import consistent_read
from ratings import fits, history
from ratings.models import Fit, Rating, Snapshot

_log = structlog.get_logger(__name__)


def refit_all() -> int:
    """Refits every tournament whose results have changed; gives how many.

    One that cannot be refitted is logged, and keeps no other from it.
    """
    known = dict(Snapshot.objects.values_list("tournament_id", "basis"))
    changed = [
        tournament
        for tournament, basis in _bases(Pairing.objects.all()).items()
        if known.get(tournament, "") != basis
    ]
    return sum(_refit_or_log(tournament) for tournament in changed)


def _refit_or_log(tournament: int) -> bool:
    try:
        return refit(tournament)
    except Exception:  # whatever it is, it is this tournament's
        _log.exception("standings not refitted", tournament=tournament)
        return False


def refit(tournament: int) -> bool:
    """Writes the standings anew from the results; False where they rest on the same already.

    Computed before the transaction that writes them: with many versions it takes seconds. Where
    another refit was faster, its standings stay, and the next one looks again.
    """
    snapshot, _ = Snapshot.objects.get_or_create(
        tournament_id=tournament, defaults={"number": history.newest_number(tournament)}
    )
    played = Pairing.objects.filter(tournament=tournament)
    with consistent_read():  # else the basis would vouch for results that the sums lack
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
    if fit is None:
        return history.all_that_came(snapshot.tournament_id)
    return fits.unpack(fit.data)[0]


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
