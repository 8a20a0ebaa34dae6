"""Writes to standings: the refit, always from all booked results, so order leaves no trace."""

import hashlib
from collections import defaultdict
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum

from arena.rating import Meeting, PairTable, Standing, fit
from bots import queries as bots
from matches.models import Pairing
from ratings.models import Rating, Snapshot

_SUMS = (
    "won", "split", "lost", "singles_won", "singles_lost", "played", "unrated",
    "points_low", "points_high", "faults_low", "faults_high", "voids",
)  # fmt: skip

_OWN = ("unrated", "points_for", "points_against", "faults", "voids")

Meetings = list[dict[str, int]]
"""For each two versions that have met: `low_id`, `high_id` and the sums of `_SUMS`."""


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
        meetings = meetings_of(played)
    if snapshot.basis == basis:
        return False
    lines = rating_lines(meetings)
    with transaction.atomic():
        locked = Snapshot.objects.select_for_update().get(pk=snapshot.pk)
        if locked.number != snapshot.number:
            return False
        Rating.objects.filter(snapshot=locked).delete()
        Rating.objects.bulk_create(Rating(snapshot=locked, **line) for line in lines)
        locked.number += 1
        locked.basis = basis
        locked.matches = sum(meeting["played"] for meeting in meetings)
        locked.save()
    return True


def meetings_of(pairings: "QuerySet[Pairing]") -> Meetings:
    """The sums of booked pairings for each two versions."""
    names = ("low_id", "high_id", *_SUMS)
    rows = (
        pairings.filter(played__gt=0)
        .values_list("low_id", "high_id")
        .annotate(*(Sum(name) for name in _SUMS))
        .order_by("low_id", "high_id")
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def rating_lines(meetings: Meetings) -> list[dict[str, Any]]:
    """The fields of each `Rating`, best first."""
    table = PairTable(
        Meeting(
            row["low_id"], row["high_id"],
            row["won"], row["split"], row["lost"], row["singles_won"], row["singles_lost"],
        )
        for row in meetings
    )  # fmt: skip
    totals = _totals(meetings)
    found = fit(table, anchor=bots.anchor_among(totals))
    return [_line(standing, totals[standing.version]) for standing in found.standings]


def _totals(meetings: Meetings) -> dict[int, dict[str, int]]:
    """The sums of each version over all that it has met, as it saw them; in one pass."""
    totals: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_OWN, 0))
    for row in meetings:
        for side, other in (("low", "high"), ("high", "low")):
            own = totals[row[f"{side}_id"]]
            own["unrated"] += row["unrated"]
            own["points_for"] += row[f"points_{side}"]
            own["points_against"] += row[f"points_{other}"]
            own["faults"] += row[f"faults_{side}"]
            own["voids"] += row["voids"]
    return totals


def _line(standing: Standing, own: dict[str, int]) -> dict[str, Any]:
    return {
        "version_id": standing.version,
        "rank": standing.rank,
        "rank_low": standing.best_rank,
        "rank_high": standing.worst_rank,
        "elo": standing.rating,
        "error": standing.error,
        "pairs": standing.pairs_won + standing.pairs_split + standing.pairs_lost,
        "matches": standing.matches,
        "wins": standing.wins,
        "losses": standing.matches - standing.wins,
        **own,
    }


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
