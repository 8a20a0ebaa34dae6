"""Reads of ratings: how one came about, any two compared, what does not fit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, islice, pairwise

from arena.rating import Difference, PairTable, Ratings
from arena.rating.residuals import Residual, residuals
from bots.models import Version
from matches.reading import consistent_read
from ratings import fits
from ratings.models import Change, Fit, Rating, Snapshot

_STEP = 100
"""Changes that are looked through at a time for those of one version."""


@dataclass(frozen=True, slots=True)
class Came:
    """Results against one opponent, as the version saw them; below 0 where some were taken out."""

    opponent: Version
    won: int
    split: int
    lost: int
    singles_won: int
    singles_lost: int

    @property
    def pairs(self) -> int:
        """Mirrored pairs."""
        return self.won + self.split + self.lost


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A change of a version's rating, and why."""

    made_at: datetime
    elo: float
    error: float
    by: float | None
    """Since the change before; None for the first that is known."""
    came: Sequence[Came]
    """Its own results that came in."""
    others: int
    """Meetings of others that brought results: their strengths are measured anew too."""


@dataclass(frozen=True, slots=True)
class Versus:
    """A version held against another: their own results, and what all results say of the two."""

    opponent: Version
    won: int
    split: int
    lost: int
    singles_won: int
    singles_lost: int
    difference: Difference

    @property
    def pairs(self) -> int:
        """Mirrored pairs."""
        return self.won + self.split + self.lost


def history(tournament: int, version: int, most: int = 20) -> list[RatingChange]:
    """How a version's rating came about, newest first: the refits that brought it results.

    And the newest refit, whose rating the standings show.
    """
    with consistent_read():  # else old ones may be put together between the two
        chosen = list(islice(_changes_of(tournament, version), most))
        numbers = {number for both in chosen for number in both}
        wanted = Change.objects.filter(tournament=tournament, number__in=numbers)
        changes = {change.number: change for change in wanted}
    opponents = _versions(
        {row[0] + row[1] - version for number, _ in chosen for row in changes[number].came
         if version in row[:2]}
    )  # fmt: skip
    found: list[RatingChange] = []
    for number, number_before in chosen:
        change, before = changes[number], changes.get(number_before)
        now = _rating_in(change, version)
        if now is None:
            continue
        earlier = None if before is None else _rating_in(before, version)
        own = [row for row in change.came if version in row[:2]]
        found.append(
            RatingChange(
                made_at=change.made_at,
                elo=now[0],
                error=now[1],
                by=None if earlier is None else now[0] - earlier[0],
                came=[_came(row, version, opponents) for row in own],
                others=len(change.came) - len(own),
            )
        )
    return found


def _changes_of(tournament: int, version: int) -> Iterator[tuple[int, int]]:
    """The numbers of the newest change and of those with results of a version, newest first; each
    with the number of the change before it, 0 where there is none.
    """
    newest = True
    for (number, came), (before, _) in pairwise(chain(_what_came(tournament), [(0, [])])):
        if newest or any(version in row[:2] for row in came):
            yield number, before
        newest = False


def _what_came(tournament: int) -> Iterator[tuple[int, list[list[int]]]]:
    """Number and results of every change, newest first, read step by step as far as asked for."""
    changes = Change.objects.filter(tournament=tournament).values_list("number", "came")
    step = list(changes[:_STEP])
    while step:
        yield from step
        step = list(changes.filter(number__lt=step[-1][0])[:_STEP])


def _rating_in(change: Change, version: int) -> tuple[float, float] | None:
    for row in change.ratings:
        if row[0] == version:
            return row[3], row[4]
    return None


def _came(row: list[int], version: int, versions: dict[int, Version]) -> Came:
    low, high, won, split, lost, single_won, single_lost = row
    if version == low:
        return Came(versions[high], won, split, lost, single_won, single_lost)
    return Came(versions[low], lost, split, won, single_lost, single_won)


def rating_of(tournament: int, version: int) -> Rating | None:
    """A version's line of the stored standings, as the standings show it."""
    return Rating.objects.filter(snapshot__tournament=tournament, version=version).first()


def fit_of(tournament: int) -> tuple[PairTable, Ratings] | None:
    """The last fit of a tournament, read from the store; None before the first."""
    fit = Fit.objects.filter(snapshot__tournament=tournament).first()
    return None if fit is None else fits.unpack(fit.data)


def versus(tournament: int, version: int) -> list[Versus]:
    """A version against all others, best first; nothing while it has not played."""
    fit = fit_of(tournament)
    if fit is None or version not in fit[0].versions:
        return []
    table, ratings = fit
    results: dict[int, tuple[int, int, int, int, int]] = {}
    for place in range(len(table.lower)):
        low, high = (
            int(table.versions[table.lower[place]]),
            int(table.versions[table.higher[place]]),
        )
        won, split, lost, single_won, single_lost = map(int, table.counts[:, place])
        if version == low:
            results[high] = (won, split, lost, single_won, single_lost)
        elif version == high:
            results[low] = (lost, split, won, single_lost, single_won)
    others = [line.version for line in ratings.standings if line.version != version]
    versions = _versions(others)
    return [
        Versus(
            versions[other],
            *(results.get(other) or (0, 0, 0, 0, 0)),
            difference=ratings.compare(version, other),
        )
        for other in others
    ]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """All versions against all, best first."""

    versions: Sequence[Version]
    rows: Sequence[Sequence[Difference | None]]
    """The row's version less the column's; None on the diagonal."""
    left_out: int
    """Versions below these, which are not shown."""


def cross_table(tournament: int, most: int) -> CrossTable | None:
    """The best `most` versions, each compared with each; None before the first refit."""
    fit = fit_of(tournament)
    if fit is None:
        return None
    ids = [line.version for line in fit[1].standings[:most]]
    versions = _versions(ids)
    return CrossTable(
        [versions[each] for each in ids],
        [[None if one == other else fit[1].compare(one, other) for other in ids] for one in ids],
        left_out=len(fit[1].standings) - len(ids),
    )


@dataclass(frozen=True, slots=True)
class OddMeeting:
    """A meeting that does not fit the ratings."""

    tournament: int
    low: Version
    high: Version
    residual: Residual


def odd_meetings(tournaments: int = 20) -> list[OddMeeting]:
    """Meetings that do not fit, in the tournaments refitted last, the oddest first."""
    newest = Snapshot.objects.order_by("-refit_at").values_list("tournament_id", "refit_at")
    found = [
        (tournament, each)
        for tournament, refit_at in newest[:tournaments]
        for each in _odd_in(tournament, refit_at)
    ]
    versions = _versions({each for _, one in found for each in (one.low, one.high)})
    odd = [OddMeeting(pk, versions[one.low], versions[one.high], one) for pk, one in found]
    return sorted(odd, key=lambda each: -abs(each.residual.deviations))


@lru_cache(maxsize=64)
def _odd_in(tournament: int, refit_at: datetime) -> tuple[Residual, ...]:
    """Kept until the next refit, for unpacking a fit takes long; `refit_at` says which it is."""
    fit = fit_of(tournament)
    return () if fit is None else tuple(residuals(*fit))


def _versions(ids: "set[int] | list[int]") -> dict[int, Version]:
    return Version.objects.select_related("bot__owner").in_bulk(list(ids))
