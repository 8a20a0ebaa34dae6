"""What came in between two refits, and how long it is remembered."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from django.db.models import Max

from arena.rating import Line, Meeting, PairTable
from arena.rating.pair_table import Integers
from ratings.models import Change

WHOLE = 100
"""So many of the newest changes are kept each for itself."""
HOURLY = timedelta(days=30)
"""Older changes are put together by the hour, those older than this by the day."""
_SLACK = 50
"""More than `WHOLE` before it is tidied up again."""


def came_in(before: PairTable, after: PairTable) -> list[list[int]]:
    """The results that are in `after` and not in `before`: a `Meeting` each, in order.

    Below 0 where results were taken out.
    """
    rows = np.concatenate([_rows(before, -1), _rows(after, 1)])
    versions, places = np.unique(rows[:, :2], return_inverse=True)
    low, high = places.reshape(-1, 2).T
    meetings, where = np.unique(low * max(len(versions), 1) + high, return_inverse=True)
    sums = np.zeros((len(meetings), rows.shape[1] - 2), dtype=np.int64)
    np.add.at(sums, where, rows[:, 2:])
    changed = np.flatnonzero(sums.any(axis=1))
    lows, highs = np.divmod(meetings[changed], max(len(versions), 1))
    found: list[list[int]] = np.column_stack(
        (versions[lows], versions[highs], sums[changed])
    ).tolist()
    return found


def _rows(table: PairTable, sign: int) -> Integers:
    """A `Meeting` a row, its counts with this sign."""
    lows, highs = table.versions[table.lower], table.versions[table.higher]
    rows: Integers = np.column_stack((lows, highs, sign * table.counts.T))
    return rows


def newest_number(tournament: int) -> int:
    """That of the newest change; 0 before the first. A new snapshot counts on from it."""
    changes = Change.objects.filter(tournament=tournament)
    newest: int | None = changes.aggregate(newest=Max("number"))["newest"]
    return newest or 0


def all_that_came(tournament: int) -> PairTable:
    """All results of the changes: what the standings rested on, where the fit itself is gone."""
    changes = Change.objects.filter(tournament=tournament).values_list("came", flat=True)
    return PairTable([Meeting(*row) for row in added(changes.iterator())])


def record(
    tournament: int, number: int, now: datetime, came: list[list[int]], lines: Sequence[Line]
) -> None:
    """Writes a change, and puts old ones together. In the transaction of the refit."""
    Change.objects.create(
        tournament_id=tournament,
        number=number,
        made_at=now,
        came=came,
        ratings=[
            [line.version, line.rank_low, line.rank_high, line.elo, line.error] for line in lines
        ],
    )
    thin(tournament, now)


def thin(tournament: int, now: datetime) -> None:
    """Puts together what is old: of each hour, later day, the last stays, with all results."""
    changes = Change.objects.filter(tournament=tournament).order_by("-number")
    if changes.count() <= WHOLE + _SLACK:
        return
    groups: dict[str, list[Change]] = defaultdict(list)
    for change in changes[WHOLE:]:
        form = "%Y-%m-%d" if now - change.made_at > HOURLY else "%Y-%m-%dT%H"
        groups[change.made_at.astimezone(UTC).strftime(form)].append(change)
    for newest, *older in groups.values():
        if not older:
            continue
        newest.came = added(each.came for each in (newest, *older))
        newest.refits += sum(each.refits for each in older)
        newest.save(update_fields=["came", "refits"])
        Change.objects.filter(pk__in=[each.pk for each in older]).delete()


def added(parts: Iterable[list[list[int]]]) -> list[list[int]]:
    """Results of several changes, added up."""
    sums: dict[tuple[int, int], list[int]] = {}
    for came in parts:
        for low, high, *counts in came:
            old = sums.get((low, high), [0] * (len(Meeting._fields) - 2))
            sums[low, high] = [one + other for one, other in zip(old, counts, strict=True)]
    return [[*both, *counts] for both, counts in sorted(sums.items()) if any(counts)]
