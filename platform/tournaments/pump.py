"""The pump: keeps a few pairings ahead of the workers, never a whole tournament (FC100).

Any number of pumps may run at once: the tournament's row is locked, and a pairing is unique.
"""

from itertools import islice

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from arena.pairing import Pairing as Meeting
from arena.pairing import RoundRobin
from arena.referee.dealer import tournament_pair_seed
from matches.models import Match, MatchStatus, Pairing, PairingStatus
from matches.queries import live_slots
from matches.services.orders import Order, order_pairing
from tournaments.models import Entry, Tournament, TournamentStatus

AHEAD = 2
"""Pairings under way for each slot, all tournaments together."""

MOST_PARKED = 20
"""With so many put aside it is no longer the pairings: a full disk, say, would park them all."""

_COMPARED = 100
"""Most pairings of the round robin compared with the database at once."""

_PASSED = 2_000
"""Most that one pump passes over; where more are there already, the next pump goes on."""


def pump_all() -> int:
    """Orders what is due in all running tournaments; gives how many pairings."""
    running = Tournament.objects.filter(status=TournamentStatus.RUNNING).order_by("id")
    return sum(pump(pk) for pk in running.values_list("pk", flat=True))


def pump(tournament_id: int) -> int:
    """Orders the next pairings of a running tournament, or ends it; gives how many it ordered."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        if tournament.status != TournamentStatus.RUNNING:
            return 0
        entries = list(
            Entry.objects.filter(tournament=tournament, withdrawn_at=None).values_list(
                "version_id", flat=True
            )
        )
        if len(entries) < 2:
            return 0
        due = _next_meetings(tournament, entries, _room(tournament))
        for meeting in due:
            order_pairing(_order(tournament, meeting))
        tournament.save(update_fields=["position"])
        if tournament.position == RoundRobin(entries, tournament.cycles).total() and not due:
            _finish_if_played(tournament)
    return len(due)


def _room(tournament: Tournament) -> int:
    """How many pairings may be added: the slots are shared evenly among running tournaments."""
    running = Tournament.objects.filter(status=TournamentStatus.RUNNING).count()
    share = -(-AHEAD * max(1, live_slots()) // max(1, running))
    ordered = Pairing.objects.filter(tournament=tournament)
    if ordered.filter(status=PairingStatus.PARKED).count() >= MOST_PARKED:
        return 0
    under_way = ordered.filter(status__in=[PairingStatus.QUEUED, PairingStatus.RUNNING])
    return share - under_way.count()


def _next_meetings(tournament: Tournament, entries: list[int], room: int) -> list[Meeting]:
    """Up to `room` pairings that have not been ordered; moves the tournament's position on."""
    found: list[Meeting] = []
    begin = tournament.position
    compared = room
    while len(found) < room and tournament.position - begin < _PASSED:
        robin = RoundRobin(entries, tournament.cycles).skip(tournament.position)
        looked_at = list(islice(robin, min(compared, _COMPARED)))
        if not looked_at:
            break
        there = _already_ordered(tournament, looked_at)
        for meeting in looked_at:
            if len(found) == room:
                break
            tournament.position += 1
            if (meeting.lower, meeting.higher, meeting.cycle) not in there:
                found.append(meeting)
        compared *= 2
    return found


def _already_ordered(tournament: Tournament, meetings: list[Meeting]) -> set[tuple[int, int, int]]:
    """Which of these there are, but for those of which something was called off."""
    any_of = Q()
    for meeting in meetings:
        any_of |= Q(low=meeting.lower, high=meeting.higher, cycle=meeting.cycle)
    called_off = Match.objects.filter(pairing=OuterRef("pk"), status=MatchStatus.CANCELLED)
    return set(
        Pairing.objects.filter(any_of, tournament=tournament)
        .exclude(Exists(called_off))
        .values_list("low_id", "high_id", "cycle")
    )


def _order(tournament: Tournament, meeting: Meeting) -> Order:
    first = (meeting.cycle - 1) * tournament.pairs_per_pairing
    return Order(
        tournament=tournament.pk,
        low=meeting.lower,
        high=meeting.higher,
        cycle=meeting.cycle,
        seeds=[
            tournament_pair_seed(
                tournament.secret, tournament.pk, meeting.lower, meeting.higher, first + place
            )
            for place in range(tournament.pairs_per_pairing)
        ],
        ruleset=tournament.ruleset,
        limits=tournament.limits,
        commitment=tournament.commitment,
    )


def _finish_if_played(tournament: Tournament) -> None:
    """RUNNING → FINISHED once nothing is under way or parked."""
    left = Pairing.objects.filter(
        tournament=tournament,
        status__in=[PairingStatus.QUEUED, PairingStatus.RUNNING, PairingStatus.PARKED],
    )
    if not left.exists():
        tournament.status = TournamentStatus.FINISHED
        tournament.finished_at = timezone.now()
        tournament.save(update_fields=["status", "finished_at"])
