"""Ordering pairings, holding them, losing them."""

import os
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.protocol import Limits
from arena.referee.dealer import tournament_pair_seed
from matches.errors import AttemptLost, BadOrder
from matches.models import Match, MatchStatus, Pairing, PairingStatus
from matches.services import leases
from matches.services.orders import Order, cancel_pairings, order_pairing
from tournaments.pump import pump

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(made: Any) -> Any:
    return made.tournament(2, pairs=2, cycles=2)


@pytest.fixture
def pairing(tournament: Any) -> Pairing:
    pump(tournament.pk)
    return Pairing.objects.order_by("id").first()  # type: ignore[return-value]  # pump made it


def test_a_pairing_has_mirrored_pairs_with_the_seeds_of_the_protocol(
    tournament: Any, pairing: Pairing
) -> None:
    rows = list(Match.objects.filter(pairing=pairing).order_by("pair", "game"))
    assert [(row.pair, row.game) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [(row.seat0_id, row.seat1_id) for row in rows[:2]] == [
        (pairing.low_id, pairing.high_id),
        (pairing.high_id, pairing.low_id),
    ]
    for row in rows:
        assert row.seed == tournament_pair_seed(
            tournament.secret, tournament.pk, pairing.low_id, pairing.high_id, row.pair
        )


def test_pairs_count_on_through_the_cycles(tournament: Any, pairing: Pairing) -> None:
    second = Pairing.objects.get(tournament=tournament, cycle=2)
    assert sorted(second.matches.values_list("pair", flat=True)) == [2, 2, 3, 3]
    seeds = set(Match.objects.filter(tournament=tournament).values_list("seed", flat=True))
    assert len(seeds) == 4


def order(pairing: Pairing, **changes: Any) -> Order:
    fields = {
        "tournament": pairing.tournament_id, "low": pairing.low_id, "high": pairing.high_id,
        "cycle": pairing.cycle, "seeds": ["0" * 64], "ruleset": pairing.ruleset,
        "limits": pairing.limits, "commitment": pairing.commitment,
    }  # fmt: skip
    return Order(**{**fields, **changes})


def test_the_same_order_again_changes_nothing(pairing: Pairing) -> None:
    before = list(Match.objects.values_list("pk", "status"))
    assert order_pairing(order(pairing)) == pairing
    assert list(Match.objects.values_list("pk", "status")) == before


def test_orders_that_cannot_be_are_refused(pairing: Pairing) -> None:
    for changes in ({"low": pairing.high_id}, {"seeds": []}, {"seeds": ["xyz"]}):
        with pytest.raises(BadOrder):
            order_pairing(order(pairing, **changes))


def test_the_database_itself_refuses_what_must_never_be(pairing: Pairing) -> None:
    match = Match.objects.filter(pairing=pairing).first()
    assert match is not None
    for changes in (
        {"winner": 2},
        {"winner": 0},
        {"game": 2},
        {"status": MatchStatus.FINISHED},
        {"seat1_id": match.seat0_id},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Match.objects.filter(pk=match.pk).update(**changes)
    for changes in ({"low_id": pairing.high_id}, {"status": "running"}, {"status": "finished"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Pairing.objects.filter(pk=pairing.pk).update(**changes)


def test_fc096_a_pairing_is_claimed_once(pairing: Pairing) -> None:
    first = leases.claim(pairing.pk, "one")
    assert first is not None
    assert (first.status, first.attempt, first.worker) == ("running", 1, "one")
    assert leases.claim(pairing.pk, "two") is None


def test_a_pairing_that_is_not_there_is_not_claimed() -> None:
    assert leases.claim(12345, "one") is None


def test_fc094_a_process_that_died_is_followed_by_another_of_the_same_worker(
    pairing: Pairing,
) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    leases.claim(pairing.pk, "play@here")
    Pairing.objects.update(worker_pid=child)
    assert leases.claim(pairing.pk, "play@elsewhere") is None
    again = leases.claim(pairing.pk, "play@here")
    assert again is not None
    assert again.attempt == 2


def test_a_lease_is_longer_than_any_silence_that_a_bot_is_allowed() -> None:
    limits = Limits(start_ms=1_000, move_ms=500, bank_ms=60_000, wall_factor=3)
    assert leases.lease_s(limits) > 2 * 3 * 60.5


def test_a_renewed_lease_goes_on_and_a_lost_one_says_so(pairing: Pairing) -> None:
    held = leases.claim(pairing.pk, "one")
    assert held is not None
    leases.renew(held)
    leases.release(held.pk, held.attempt, "gone")
    with pytest.raises(AttemptLost):
        leases.renew(held)
    again = leases.claim(pairing.pk, "one")
    assert again is not None
    leases.renew(again)
    with pytest.raises(AttemptLost):
        leases.renew(held)


def test_fc091_a_lease_that_ran_out_goes_back_to_the_queue(pairing: Pairing) -> None:
    leases.claim(pairing.pk, "one")
    assert leases.release_expired(grace_s=0) == 0
    later = timezone.now() + timedelta(hours=1)
    assert leases.release_expired(later, grace_s=0) == 1
    pairing.refresh_from_db()
    assert (pairing.status, pairing.host_failures) == (PairingStatus.QUEUED, 1)


def test_fc093_a_process_that_has_just_started_takes_nothing_from_others(pairing: Pairing) -> None:
    leases.claim(pairing.pk, "one")
    later = timezone.now() + timedelta(hours=1)
    assert leases.release_expired(later, grace_s=10_000) == 0


def test_a_worker_that_starts_again_gives_back_what_it_held(pairing: Pairing) -> None:
    leases.claim(pairing.pk, "play@here")
    assert leases.release_own("play@elsewhere") == 0
    assert leases.release_own("play@here") == 1
    assert leases.claim(pairing.pk, "play@here") is not None


def test_fc086_a_pairing_that_the_host_breaks_again_and_again_waits_for_a_person(
    pairing: Pairing,
) -> None:
    for _ in range(leases.MAX_HOST_FAILURES):
        held = leases.claim(pairing.pk, "one")
        assert held is not None
        leases.release(held.pk, held.attempt, "no sandbox")
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.PARKED
    assert "no sandbox" in pairing.note
    assert leases.claim(pairing.pk, "one") is None
    assert leases.unpark(pairing.pk)
    assert not leases.unpark(pairing.pk)
    assert leases.claim(pairing.pk, "one") is not None


def test_a_match_finished_in_between_lets_the_host_off(pairing: Pairing, made: Any) -> None:
    for _ in range(leases.MAX_HOST_FAILURES + 1):
        held = leases.claim(pairing.pk, "one")
        assert held is not None
        left = leases.unfinished(held)
        made.book(left[0], held.attempt)
        leases.release(held.pk, held.attempt, "killed")
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.FINISHED


def test_the_rest_of_a_slice_is_handed_over_without_blame(pairing: Pairing) -> None:
    held = leases.claim(pairing.pk, "one")
    assert held is not None
    leases.hand_over(held)
    pairing.refresh_from_db()
    assert (pairing.status, pairing.host_failures) == (PairingStatus.QUEUED, 0)


def test_a_message_that_the_broker_lost_is_sent_again(
    pairing: Pairing, queued: Any, django_capture_on_commit_callbacks: Any
) -> None:
    assert leases.send_lost() == 0
    Pairing.objects.update(sent_at=timezone.now() - timedelta(minutes=1))
    with django_capture_on_commit_callbacks(execute=True):
        assert leases.send_lost() == 2
    assert queued("matches") == 2
    Pairing.objects.update(sent_at=timezone.now() - timedelta(minutes=1))
    assert leases.send_lost() == 0


def test_what_is_called_off_keeps_its_results_and_can_be_taken_up(
    pairing: Pairing, made: Any
) -> None:
    held = leases.claim(pairing.pk, "one")
    assert held is not None
    made.book(leases.unfinished(held)[0], held.attempt)
    leases.hand_over(held)
    assert cancel_pairings(pairing.tournament_id, pairing.low_id) == 2
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played) == (PairingStatus.CANCELLED, 1)
    order_pairing(order(pairing, seeds=["0" * 64] * 2))
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.QUEUED
    assert Match.objects.filter(pairing=pairing, status=MatchStatus.QUEUED).count() == 3


def test_fc142_what_is_being_played_can_be_stopped(pairing: Pairing) -> None:
    held = leases.claim(pairing.pk, "one")
    assert held is not None
    assert cancel_pairings(pairing.tournament_id, running=True) == 2
    with pytest.raises(AttemptLost):
        leases.renew(held)
