"""Reads of how far a tournament is."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.db.models import Count, Q, Sum
from django.utils import timezone

from matches.models import Match, MatchStatus, Pairing, PairingStatus
from matches.queries import workers
from ratings.models import Snapshot
from tournaments.formats import format_of
from tournaments.models import Entry, Tournament, TournamentStatus

_RATE_WINDOW_S = 60


class ProgressState(StrEnum):
    """What a tournament does now; the honest word, never "please wait" (FC081)."""

    DRAFT = "draft"
    WAITING_FOR_ENTRIES = "waiting_for_entries"
    STANDS_STILL = "stands_still"
    """The version that it is about was withdrawn or is paused."""
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
    can't be told. `total` is None where there is no end. `standings` is the number of the stored
    standings.
    """

    state: ProgressState
    done: int
    total: int | None
    per_minute: int
    eta_s: int | None
    queued: int
    running: int
    parked: int
    entries: int
    standings: int


def progress(of: Tournament) -> Progress:
    """How far it is. A fixed number of queries, none over all matches."""
    entered = _entered(of)
    snapshot = Snapshot.objects.filter(tournament=of).first()
    done = snapshot.matches if snapshot else 0
    total = _total(of, entered, done)
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
        state=_state(of, entered, parked, total is not None and done >= total),
        done=done,
        total=total,
        per_minute=per_minute,
        eta_s=None if total is None or not per_minute else 60 * (total - done) // per_minute,
        queued=by_status.get(PairingStatus.QUEUED, 0),
        running=by_status.get(PairingStatus.RUNNING, 0),
        parked=parked,
        entries=len(entered.playing) + len(entered.paused),
        standings=snapshot.number if snapshot else 0,
    )


@dataclass(frozen=True, slots=True)
class _Entered:
    """Versions by what becomes of them."""

    playing: list[int]
    paused: list[int]
    withdrawn: list[int]


def _entered(of: Tournament) -> _Entered:
    entered = _Entered([], [], [])
    rows = Entry.objects.filter(tournament=of).values_list(
        "version_id", "withdrawn_at", "version__paused_at"
    )
    for version, withdrawn_at, paused_at in rows:
        if withdrawn_at is not None:
            entered.withdrawn.append(version)
        elif paused_at is not None:
            entered.paused.append(version)
        else:
            entered.playing.append(version)
    return entered


def _total(of: Tournament, entered: _Entered, done: int) -> int | None:
    """Matches in all; what those who no longer play have played counts, what was struck does not.

    What has ended has as many as it took, whoever plays again later.
    """
    if of.status == TournamentStatus.FINISHED:
        return done
    planned = format_of(of).planned(of, entered.playing)
    if planned is None:
        return None
    struck = Match.objects.filter(tournament=of, status=MatchStatus.VOID).count()
    gone = _played_with(of, [*entered.withdrawn, *entered.paused])
    return max(2 * of.pairs_per_pairing * planned + gone - struck, done)


def _played_with(of: Tournament, gone: list[int]) -> int:
    """Matches played by versions that no longer play: done, but not planned."""
    if not gone:
        return 0
    pairings = Pairing.objects.filter(Q(low__in=gone) | Q(high__in=gone), tournament=of)
    return pairings.aggregate(played=Sum("played"))["played"] or 0


def _state(of: Tournament, entered: _Entered, parked: int, done: bool) -> ProgressState:
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
            return _running_state(of, entered, parked, done)


def _running_state(of: Tournament, entered: _Entered, parked: int, done: bool) -> ProgressState:
    if len(entered.playing) + len(entered.paused) < 2:
        return ProgressState.WAITING_FOR_ENTRIES
    if len(entered.playing) < 2 or format_of(of).stands_still(of, entered.playing):
        return ProgressState.STANDS_STILL
    if done:
        return ProgressState.FINISHED
    if workers.live_slots() == 0:
        return ProgressState.NO_WORKER
    return ProgressState.PARKED if parked else ProgressState.PLAYING
