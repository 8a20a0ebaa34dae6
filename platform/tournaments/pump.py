"""The pump: keeps a few pairings ahead of the workers, never a whole tournament (FC100).

Any number of pumps may run at once: the tournament's row is locked, and a pairing is unique.
"""

import hashlib
from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from matches.models import Pairing, PairingStatus
from matches.queries import live_slots
from matches.services.orders import Order, cancel_pairings, order_pairing
from tournaments.formats import Format, Lineup, Meeting, format_of
from tournaments.models import Entry, Tournament, TournamentStatus
from tournaments.periods import Source, source_now

MOST_PARKED = 20
"""With so many put aside it is no longer the pairings: a full disk, say, would park them all."""

_log = structlog.get_logger(__name__)


def pump_all() -> int:
    """Orders what is due in all running tournaments; gives how many pairings.

    One that cannot be pumped is logged, and keeps no other from it.
    """
    running = Tournament.objects.filter(status=TournamentStatus.RUNNING).order_by("id")
    return sum(_pump_or_log(pk) for pk in list(running.values_list("pk", flat=True)))


def _pump_or_log(tournament_id: int) -> int:
    try:
        return pump(tournament_id)
    except Exception:  # whatever it is, it is this tournament's
        _log.exception("tournament not pumped", tournament=tournament_id)
        return 0


def pump(tournament_id: int, now: datetime | None = None) -> int:
    """Orders the next pairings of a running tournament, or ends it; gives how many it ordered."""
    now = now or timezone.now()
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        if tournament.status != TournamentStatus.RUNNING:
            return 0
        how = format_of(tournament)
        if how.is_decided(tournament):
            cancel_pairings(tournament.pk, running=True)
            _finish_if_played(tournament, now)
            return 0
        source = source_now(tournament, now)
        entries = list(playing_entries(tournament))
        versions = [entry.version_id for entry in entries]
        if not _can_play(tournament, how, versions):
            if _is_all_there(tournament, how):
                _finish_if_played(tournament, now)
            return 0
        if source is None:
            return 0
        _follow(tournament, versions)
        due = _due(tournament, how, entries, source, now)
        for meeting in due:
            order_pairing(_order(tournament, source, meeting))
        _note_paired(tournament, due, now)
        tournament.save(update_fields=["position", "lineup"])
        if not due and how.is_complete(tournament, versions):
            _finish_if_played(tournament, now)
    return len(due)


def _can_play(tournament: Tournament, how: Format, versions: list[int]) -> bool:
    return len(versions) >= 2 and not how.stands_still(tournament, versions)


def _is_all_there(tournament: Tournament, how: Format) -> bool:
    """Whether a tournament that stands still has nothing to wait for: whoever is paused has nothing
    left to play, and where that is not enough to play at all, whoever was withdrawn neither.
    """
    entered = Entry.objects.filter(tournament=tournament).order_by("pk")
    for there in (entered.filter(withdrawn_at=None), entered):
        versions = list(there.values_list("version_id", flat=True))
        if _can_play(tournament, how, versions):
            return how.is_all_there(tournament, versions)
    return False


def playing_entries(tournament: Tournament) -> "QuerySet[Entry]":
    """Who may be given pairings: neither withdrawn nor paused, in the order of entering."""
    there = Entry.objects.filter(tournament=tournament, withdrawn_at=None)
    return there.filter(version__paused_at=None).order_by("pk")


def _follow(tournament: Tournament, versions: list[int]) -> None:
    """A schedule of others than before is gone through from its start: who is new catches up."""
    lineup = hashlib.sha256(repr(sorted(versions)).encode()).hexdigest()
    if tournament.lineup != lineup:
        tournament.lineup = lineup
        tournament.position = 0


def _due(
    tournament: Tournament, how: Format, entries: list[Entry], source: Source, now: datetime
) -> list[Meeting]:
    """The slots are shared evenly among tournaments in which somebody can play."""
    ordered = Pairing.objects.filter(tournament=tournament)
    if ordered.filter(status=PairingStatus.PARKED).count() >= MOST_PARKED:
        return []
    sharing = _sharing()
    slots = max(1, live_slots())
    under_way = ordered.filter(status__in=[PairingStatus.QUEUED, PairingStatus.RUNNING]).count()
    lineup = Lineup(
        entries=entries,
        slots=_share(slots, sharing),
        room=_share(how.ahead(slots), sharing) - under_way,
        commitment=source.commitment,
        now=now,
    )
    return how.due(tournament, lineup)


def _sharing() -> int:
    """How many tournaments run and do not stand still, as `_can_play` says of one."""
    there = Q(entries__withdrawn_at=None, entries__version__paused_at=None)
    counts = {
        "playing": Count("entries", filter=there),
        "challengers": Count("entries", filter=there & Q(entries__version=F("challenger"))),
    }
    running = Tournament.objects.filter(status=TournamentStatus.RUNNING).order_by()
    can_play = Q(playing__gte=2) & (Q(challenger=None) | Q(challengers=1))
    return running.values("pk", "challenger").annotate(**counts).filter(can_play).count()


def _share(many: int, among: int) -> int:
    return -(-many // max(1, among))


def _order(tournament: Tournament, source: Source, meeting: Meeting) -> Order:
    first = (meeting.cycle - 1) * tournament.pairs_per_pairing
    return Order(
        tournament=tournament.pk,
        low=meeting.lower,
        high=meeting.higher,
        cycle=meeting.cycle,
        seeds=[
            source.seed(meeting.lower, meeting.higher, first + place)
            for place in range(tournament.pairs_per_pairing)
        ],
        ruleset=tournament.ruleset,
        limits=tournament.limits,
        commitment=source.commitment,
    )


def _note_paired(tournament: Tournament, due: list[Meeting], now: datetime) -> None:
    paired = {version for meeting in due for version in meeting[:2]}
    if paired:
        Entry.objects.filter(tournament=tournament, version__in=paired).update(last_paired_at=now)


def _finish_if_played(tournament: Tournament, now: datetime) -> None:
    """RUNNING → FINISHED once nothing is under way or parked."""
    left = Pairing.objects.filter(
        tournament=tournament,
        status__in=[PairingStatus.QUEUED, PairingStatus.RUNNING, PairingStatus.PARKED],
    )
    if not left.exists():
        tournament.status = TournamentStatus.FINISHED
        tournament.finished_at = now
        tournament.save(update_fields=["status", "finished_at"])
