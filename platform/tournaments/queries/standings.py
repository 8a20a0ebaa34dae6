"""Reads of stored standings."""

from dataclasses import dataclass

from accounts.models import User
from bots.models import Bot, Version
from ratings.models import Rating, Snapshot
from tournaments.models import Entry, Tournament
from tournaments.queries.lists import entries


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A version's line. Of one that has not played yet, ranks, `elo` and `error` are None.

    `rank_low`–`rank_high` is the range of ranks that the results leave open.
    """

    rank: int | None
    rank_low: int | None
    rank_high: int | None
    bot: Bot
    version: Version
    author: User
    elo: float | None
    error: float | None
    separable: bool
    """Whether the next row is separably worse; of one that has not played, true."""
    pairs_won: int
    pairs_split: int
    pairs_lost: int
    matches: int
    wins: int
    losses: int
    unrated: int
    points_for: int
    points_against: int
    faults: int
    voids: int
    withdrawn: bool
    paused: bool
    """Given no more games, for faults in a row."""


def standings(of: Tournament) -> list[StandingRow]:
    """The stored standings, best first; entries that have not played yet stand last.

    Two queries, whatever the number of matches.
    """
    entered = {entry.version_id: entry for entry in entries(of)}
    rated = Rating.objects.filter(snapshot__tournament=of).select_related("version__bot__owner")
    rows = [_rated_row(rating, entered.get(rating.version_id)) for rating in rated]
    played = {row.version.pk for row in rows}
    rows += [
        _unplayed_row(entry)
        for version_id, entry in entered.items()
        if version_id not in played and entry.withdrawn_at is None
    ]
    return rows


def _rated_row(rating: Rating, entry: Entry | None) -> StandingRow:
    version = rating.version
    return StandingRow(
        rank=rating.rank,
        rank_low=rating.rank_low,
        rank_high=rating.rank_high,
        bot=version.bot,
        version=version,
        author=version.bot.owner,
        elo=rating.elo,
        error=rating.error,
        separable=rating.separable,
        pairs_won=rating.pairs_won,
        pairs_split=rating.pairs_split,
        pairs_lost=rating.pairs_lost,
        matches=rating.matches,
        wins=rating.wins,
        losses=rating.losses,
        unrated=rating.unrated,
        points_for=rating.points_for,
        points_against=rating.points_against,
        faults=rating.faults,
        voids=rating.voids,
        withdrawn=entry is None or entry.withdrawn_at is not None,
        paused=version.paused_at is not None,
    )


def _unplayed_row(entry: Entry) -> StandingRow:
    version = entry.version
    return StandingRow(
        rank=None,
        rank_low=None,
        rank_high=None,
        bot=version.bot,
        version=version,
        author=version.bot.owner,
        elo=None,
        error=None,
        separable=True,
        pairs_won=0,
        pairs_split=0,
        pairs_lost=0,
        matches=0,
        wins=0,
        losses=0,
        unrated=0,
        points_for=0,
        points_against=0,
        faults=0,
        voids=0,
        withdrawn=False,
        paused=version.paused_at is not None,
    )


def matches_saved(of: Tournament) -> int:
    """How many matches more the same certainty would have taken without mirrored pairs."""
    saved = Snapshot.objects.filter(tournament=of).values_list("matches_saved", flat=True).first()
    return saved or 0
