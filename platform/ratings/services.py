"""Writes to standings: the refit, always from all booked results, so order leaves no trace."""

import hashlib
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
    """Writes the standings anew from the results; False where they rest on the same already."""
    with transaction.atomic():
        snapshot, _ = Snapshot.objects.select_for_update().get_or_create(tournament_id=tournament)
        played = Pairing.objects.filter(tournament=tournament)
        basis = _bases(played).get(tournament, "")
        if snapshot.basis == basis:
            return False
        meetings = meetings_of(played)
        Rating.objects.filter(snapshot=snapshot).delete()
        Rating.objects.bulk_create(
            Rating(snapshot=snapshot, **line) for line in rating_lines(meetings)
        )
        snapshot.number += 1
        snapshot.basis = basis
        snapshot.matches = sum(meeting["played"] for meeting in meetings)
        snapshot.save()
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
    versions = {row[side] for row in meetings for side in ("low_id", "high_id")}
    found = fit(table, anchor=bots.anchor_among(versions))
    return [_line(standing, meetings) for standing in found.standings]


def _line(standing: Standing, meetings: Meetings) -> dict[str, Any]:
    own = [row for row in meetings if standing.version in (row["low_id"], row["high_id"])]

    def total(low: str, high: str) -> int:
        return sum(row[low if row["low_id"] == standing.version else high] for row in own)

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
        "unrated": total("unrated", "unrated"),
        "points_for": total("points_low", "points_high"),
        "points_against": total("points_high", "points_low"),
        "faults": total("faults_low", "faults_high"),
        "voids": total("voids", "voids"),
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
