"""What the last refit has stored, held against the results that it rests on: for the audit."""

import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from zipfile import BadZipFile

from arena.rating import PairTable, Ratings, Sums, rate, table_of, versions_in
from bots import queries as bots
from ratings import fits, history
from ratings.models import Change, Fit, Rating, Snapshot

_DAMAGED = (zlib.error, BadZipFile, OSError, ValueError, TypeError, LookupError)
"""What comes of reading a fit or a history that nothing of ours has written."""


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is stored of the standings of a tournament."""

    snapshot: Snapshot
    lines: dict[int, Rating]
    fit: Fit | None
    came: list[list[list[int]]]
    """`Change.came` of the whole history."""


def kept(snapshot: Snapshot) -> Kept:
    """Reads it; where results may come in meanwhile, inside a `consistent_read`."""
    changes = Change.objects.filter(tournament=snapshot.tournament_id)
    return Kept(
        snapshot=Snapshot.objects.get(pk=snapshot.pk),
        lines={row.version_id: row for row in Rating.objects.filter(snapshot=snapshot)},
        fit=Fit.objects.filter(snapshot=snapshot).first(),
        came=list(changes.order_by("number").values_list("came", flat=True)),
    )


def discrepancies(stored: Kept, sums: Sums) -> Iterator[str]:
    """Everything in which standings, fit and history are not what these sums come to."""
    ratings, counted = rate(sums, bots.anchor_among(versions_in(sums)))
    lines = {line.version: asdict(line) for line in counted}
    for version in sorted(lines.keys() ^ stored.lines.keys()):
        yield f"version {version} is in them or in the results only"
    for version in sorted(lines.keys() & stored.lines.keys()):
        for name, value in lines[version].items():
            row = getattr(stored.lines[version], "version_id" if name == "version" else name)
            if row != value:
                yield f"{name} of version {version} is {row}, {value} by the results"
    for name, value in (
        ("matches", sum(row["played"] for row in sums.values())),
        ("matches_saved", ratings.matches_saved),
    ):
        row = getattr(stored.snapshot, name)
        if row != value:
            yield f"{name} is {row}, {value} by the results"
    table = table_of(sums)
    yield from _fit(stored.fit, table, ratings)
    yield from _history(stored.came, table)


def _fit(stored: Fit | None, table: PairTable, ratings: Ratings) -> Iterator[str]:
    """The pages compare any two versions by it."""
    if stored is None:
        yield "their fit is missing"
        return
    try:
        kept_table, kept_ratings = fits.unpack(stored.data)
    except _DAMAGED as error:
        yield f"their fit cannot be read: {error}"
        return
    if history.came_in(kept_table, table):
        yield "their fit rests on other results"
    same = (kept_ratings.standings, kept_ratings.pair_correlation, kept_ratings.matches_saved)
    if same != (ratings.standings, ratings.pair_correlation, ratings.matches_saved):
        yield "the strengths in their fit are not those of the results"


def _history(came: list[list[list[int]]], table: PairTable) -> Iterator[str]:
    """All changes together are all results."""
    try:
        added = history.added(came)
    except _DAMAGED as error:
        yield f"their history cannot be read: {error}"
        return
    if added != history.came_in(PairTable(), table):
        yield "the results in their history do not add up to the results"
