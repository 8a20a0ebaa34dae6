"""Writes before play: ordering pairings, calling them off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from arena.referee.dealer import parse_seed
from arena.referee.errors import BadSeed
from matches.errors import BadOrder
from matches.models import (
    IDLE,
    Match,
    MatchStatus,
    Pairing,
    PairingStatus,
    Ruling,
    RulingKind,
)
from matches.services.sending import send_on_commit


@dataclass(frozen=True, slots=True)
class Order:
    """A pairing to be played: `seeds` holds one a mirrored pair, as hex."""

    tournament: int
    low: int
    high: int
    cycle: int
    seeds: Sequence[str]
    ruleset: dict[str, Any]
    limits: dict[str, Any]
    commitment: str


def order_pairing(order: Order) -> Pairing:
    """The pairing of this order with a row a match, its task sent on commit.

    What was called off of one that there is already is taken up again; else it stays as it is.
    Raises `BadOrder`.
    """
    _check(order)
    with transaction.atomic():
        pairing, created = Pairing.objects.get_or_create(
            tournament_id=order.tournament,
            low_id=order.low,
            high_id=order.high,
            cycle=order.cycle,
            defaults={
                "pairs": len(order.seeds),
                "ruleset": order.ruleset,
                "limits": order.limits,
                "commitment": order.commitment,
                "sent_at": timezone.now(),
            },
        )
        if created:
            Match.objects.bulk_create(_matches(pairing, order))
            send_on_commit(pairing.pk)
        else:
            pairing = _take_up(pairing.pk)
    return pairing


def cancel_pairings(tournament: int, version: int | None = None, *, running: bool = False) -> int:
    """Calls off what is not played yet, of one version or of all; results stay. Gives how many.

    With `running` also what is being played: its worker stops after the current match.
    """
    statuses = [PairingStatus.QUEUED, PairingStatus.PARKED]
    if running:
        statuses.append(PairingStatus.RUNNING)
    chosen = Pairing.objects.filter(tournament=tournament, status__in=statuses)
    if version is not None:
        chosen = chosen.filter(Q(low=version) | Q(high=version))
    return _call_off(chosen)


def call_off_paused() -> int:
    """Calls off what waits of paused versions, wherever it is; gives how many.

    What is being played stops by itself after the pair under way (`is_to_stop`), so that no result
    is lost or left without its mirror; so does what waits for a worker in the middle of a pair. A
    parked pairing is for a person to look at, and stays.
    """
    waiting = _of_paused().filter(status=PairingStatus.QUEUED)
    return _call_off(waiting.exclude(_is_in_a_pair()))


def _is_in_a_pair() -> Exists:
    """Whether game 0 of a pair of the pairing has been played, and game 1 has not."""
    played = Match.objects.filter(
        pairing=OuterRef("pairing"), pair=OuterRef("pair"), game=0, status=MatchStatus.FINISHED
    )
    return Exists(
        Match.objects.filter(
            Exists(played), pairing=OuterRef("pk"), game=1, status=MatchStatus.QUEUED
        )
    )


def is_to_stop(pairing: Pairing) -> bool:
    """Whether a pairing that is being played is not to be played on: a version of it is paused."""
    return _of_paused().filter(pk=pairing.pk).exists()


def _of_paused() -> "QuerySet[Pairing]":
    """Pairings of paused versions, but for those of which the organisers have put a match back: it
    is played all the same.
    """
    put_back = Ruling.objects.filter(
        kind=RulingKind.REPLAY, match__pairing=OuterRef("pk"), match__status=MatchStatus.QUEUED
    )
    paused = Q(low__paused_at__isnull=False) | Q(high__paused_at__isnull=False)
    return Pairing.objects.filter(paused).exclude(Exists(put_back))


def _call_off(chosen: "QuerySet[Pairing]") -> int:
    with transaction.atomic():
        # In one order: two that call off at once do not each wait for what the other holds.
        locked = chosen.select_for_update(of=("self",)).order_by("pk")
        pks = [pairing.pk for pairing in locked.only("pk")]  # values know no `of`
        if not pks:
            return 0
        Match.objects.filter(pairing__in=pks, status=MatchStatus.QUEUED).update(
            status=MatchStatus.CANCELLED
        )
        Pairing.objects.filter(pk__in=pks).update(status=PairingStatus.CANCELLED, lease_until=None)
    return len(pks)


def _check(order: Order) -> None:
    if order.low >= order.high:
        raise BadOrder(f"a pairing is of two versions, the lower first: {order.low}, {order.high}")
    if not order.seeds:
        raise BadOrder("a pairing has at least one mirrored pair")
    try:
        for seed in order.seeds:
            parse_seed(seed)
    except BadSeed as error:
        raise BadOrder(str(error)) from error


def _matches(pairing: Pairing, order: Order) -> list[Match]:
    seats = (order.low, order.high)
    return [
        Match(
            pairing=pairing,
            tournament_id=order.tournament,
            pair=pairing.first_pair + place,
            game=game,
            seed=seed,
            seat0_id=seats[game],
            seat1_id=seats[1 - game],
        )
        for place, seed in enumerate(order.seeds)
        for game in (0, 1)
    ]


def _take_up(pk: int) -> Pairing:
    """Queues what was called off. A pairing that waits or is played (another of its matches is, by
    a ruling) goes on as it does: its worker hands over what it did not know of.
    """
    pairing = Pairing.objects.select_for_update().get(pk=pk)
    left = Match.objects.filter(pairing=pairing, status=MatchStatus.CANCELLED).update(
        status=MatchStatus.QUEUED
    )
    if left and pairing.status in IDLE:
        pairing.status = PairingStatus.QUEUED
        pairing.sent_at = timezone.now()
        pairing.host_failures = 0
        pairing.finished_at = None
        pairing.save(update_fields=["status", "sent_at", "host_failures", "finished_at"])
        send_on_commit(pairing.pk)
    return pairing
