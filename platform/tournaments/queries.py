"""Reads of tournaments: lists, standings, progress. Each takes a fixed number of queries."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from accounts.models import User
from arena.pairing import RoundRobin
from arena.referee.dealer import commitment_to
from bots.models import Bot, Version
from matches.models import Match, MatchStatus, Pairing, PairingStatus
from matches.queries import workers
from ratings.models import Rating, Snapshot
from tournaments.models import Entry, Tournament, TournamentStatus

_RATE_WINDOW_S = 60


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


@dataclass(frozen=True, slots=True)
class SeedCheck:
    """A published secret, held against the commitment."""

    secret: str
    sha256: str
    """Of the secret's 32 bytes, computed now."""
    kept: bool
    """Whether that is the commitment."""


class ProgressState(StrEnum):
    """What a tournament does now; the honest word, never "please wait" (FC081)."""

    DRAFT = "draft"
    WAITING_FOR_ENTRIES = "waiting_for_entries"
    NO_WORKER = "no_worker"
    PLAYING = "playing"
    PAUSED = "paused"
    PARKED = "parked"
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is, in matches; `queued`, `running` and `parked` count pairings.

    `per_minute` is the rate of the last minute, `eta_s` the time left at that rate, None where it
    can't be told. `standings` is the number of the stored standings.
    """

    state: ProgressState
    done: int
    total: int
    per_minute: int
    eta_s: int | None
    queued: int
    running: int
    parked: int
    entries: int
    standings: int


def running_tournaments() -> QuerySet[Tournament]:
    """Those that play or may go on by themselves, newest first."""
    return Tournament.objects.filter(
        Q(status__in=[TournamentStatus.RUNNING, TournamentStatus.PAUSED])
        | Q(status=TournamentStatus.FINISHED, open=True)
    )


def tournaments() -> QuerySet[Tournament]:
    """All but drafts, newest first."""
    return Tournament.objects.exclude(status=TournamentStatus.DRAFT)


def tournament(slug: str) -> Tournament | None:
    """The tournament of this address, or None."""
    return Tournament.objects.filter(slug=slug).first()


def seed_check(of: Tournament) -> SeedCheck | None:
    """Whether the secret is the one that was committed to; None while it is not published."""
    secret = of.published_secret
    if secret is None:
        return None
    computed = commitment_to(secret)
    return SeedCheck(secret, computed, computed == of.commitment)


def entries(of: Tournament) -> QuerySet[Entry]:
    """All entries, withdrawn ones too, in the order of entering."""
    return Entry.objects.filter(tournament=of).select_related("version__bot__owner")


def entered_by(bot: Bot) -> QuerySet[Entry]:
    """The entries of a bot's versions in tournaments that are no drafts, newest first."""
    return (
        Entry.objects.filter(version__bot=bot)
        .exclude(tournament__status=TournamentStatus.DRAFT)
        .select_related("tournament", "version__bot")
        .order_by("-id")
    )


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
    )


def matches_saved(of: Tournament) -> int:
    """How many matches more the same certainty would have taken without mirrored pairs."""
    saved = Snapshot.objects.filter(tournament=of).values_list("matches_saved", flat=True).first()
    return saved or 0


def progress(of: Tournament) -> Progress:
    """How far it is. A fixed number of queries, none over all matches."""
    active, withdrawn = _entered_ids(of)
    snapshot = Snapshot.objects.filter(tournament=of).first()
    done = snapshot.matches if snapshot else 0
    planned = 2 * of.pairs_per_pairing * RoundRobin(active, of.cycles).total()
    struck = Match.objects.filter(tournament=of, status=MatchStatus.VOID).count()
    total = max(planned + _played_with(of, withdrawn) - struck, done)
    by_status = dict(
        Pairing.objects.filter(
            tournament=of,
            status__in=[PairingStatus.QUEUED, PairingStatus.RUNNING, PairingStatus.PARKED],
        )
        .values_list("status")
        .annotate(count=Count("id"))
        .order_by()
    )
    per_minute = Match.objects.filter(
        tournament=of, finished_at__gt=timezone.now() - timedelta(seconds=_RATE_WINDOW_S)
    ).count()
    parked = by_status.get(PairingStatus.PARKED, 0)
    return Progress(
        state=_state(of, len(active), parked, done >= total),
        done=done,
        total=total,
        per_minute=per_minute,
        eta_s=60 * (total - done) // per_minute if per_minute else None,
        queued=by_status.get(PairingStatus.QUEUED, 0),
        running=by_status.get(PairingStatus.RUNNING, 0),
        parked=parked,
        entries=len(active),
        standings=snapshot.number if snapshot else 0,
    )


def _entered_ids(of: Tournament) -> tuple[list[int], list[int]]:
    active: list[int] = []
    withdrawn: list[int] = []
    for version, gone in Entry.objects.filter(tournament=of).values_list(
        "version_id", "withdrawn_at"
    ):
        (active if gone is None else withdrawn).append(version)
    return active, withdrawn


def _played_with(of: Tournament, withdrawn: list[int]) -> int:
    """Matches played by versions that have left: done, but no longer planned."""
    if not withdrawn:
        return 0
    pairings = Pairing.objects.filter(Q(low__in=withdrawn) | Q(high__in=withdrawn), tournament=of)
    return pairings.aggregate(played=Sum("played"))["played"] or 0


def _state(of: Tournament, entered: int, parked: int, done: bool) -> ProgressState:
    match TournamentStatus(of.status):
        case TournamentStatus.DRAFT:
            return ProgressState.DRAFT
        case TournamentStatus.PAUSED:
            return ProgressState.PAUSED
        case TournamentStatus.CANCELLED:
            return ProgressState.CANCELLED
        case TournamentStatus.FINISHED:
            return ProgressState.FINISHED
        case TournamentStatus.RUNNING:
            return _running_state(entered, parked, done)


def _running_state(entered: int, parked: int, done: bool) -> ProgressState:
    if entered < 2:
        return ProgressState.WAITING_FOR_ENTRIES
    if done:
        return ProgressState.FINISHED
    if workers.live_slots() == 0:
        return ProgressState.NO_WORKER
    return ProgressState.PARKED if parked else ProgressState.PLAYING
