"""Booking results: once, whole, and adding up."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from arena.rating import tally
from matches import queries
from matches.errors import NoReplay, NotPublished, StaleAttempt
from matches.models import Match, MatchStatus, Pairing, PairingStatus, SeatLog
from matches.services import leases
from matches.services.booking import record_result
from replays import store
from tournaments.pump import pump


@pytest.fixture
def held(made: Any, db: None) -> Pairing:
    tournament = made.tournament(2, pairs=2)
    pump(tournament.pk)
    claimed = leases.claim(Pairing.objects.get().pk, "test")
    assert claimed is not None
    return claimed


def test_fc105_a_result_posted_twice_is_booked_once(held: Pairing, made: Any) -> None:
    match = leases.unfinished(held)[0]
    assert made.book(match, held.attempt, winner=0)
    assert not made.book(match, held.attempt, winner=1)
    match.refresh_from_db()
    held.refresh_from_db()
    assert (match.winner, held.played) == (0, 1)
    assert SeatLog.objects.filter(match=match).count() == 2


def test_fc079_a_result_of_an_attempt_that_is_over_is_dropped(held: Pairing, made: Any) -> None:
    match = leases.unfinished(held)[0]
    leases.release(held.pk, held.attempt, "killed")
    with pytest.raises(StaleAttempt):
        made.book(match, held.attempt)
    leases.claim(held.pk, "other")
    with pytest.raises(StaleAttempt):
        made.book(match, held.attempt)
    match.refresh_from_db()
    assert match.status == MatchStatus.QUEUED
    assert not SeatLog.objects.exists()


def test_a_pairing_is_finished_with_its_last_match(held: Pairing, made: Any) -> None:
    for match in leases.unfinished(held):
        held.refresh_from_db()
        assert held.status == PairingStatus.RUNNING
        made.book(match, held.attempt, winner=match.game)
    held.refresh_from_db()
    assert held.status == PairingStatus.FINISHED
    assert (held.played, held.won, held.split, held.lost) == (4, 2, 0, 0)
    assert (held.points_low, held.points_high) == (44, 16)


def test_fc080_every_outcome_can_be_booked(held: Pairing, made: Any) -> None:
    matches = leases.unfinished(held)
    made.book(matches[0], held.attempt, winner=1, fault="memory")
    made.book(matches[1], held.attempt, winner=None, fault="start")
    held.refresh_from_db()
    assert (held.played, held.unrated, held.faults_low, held.faults_high) == (2, 1, 2, 1)
    assert (held.singles_lost, held.singles_won) == (1, 0)
    matches[1].refresh_from_db()
    assert (matches[1].winner, matches[1].fault0, matches[1].fault1) == (None, "start", "start")


def test_what_a_bot_wrote_is_kept_readable_whatever_it_is(held: Pairing, made: Any) -> None:
    match = leases.unfinished(held)[0]
    made.book(match, held.attempt, stderr=b"\xff\x1b[31mred\x00\r\n" + "й".encode())
    log = SeatLog.objects.get(match=match, seat=0)
    assert log.stderr == "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[31mred" + (
        "\N{REPLACEMENT CHARACTER}\nй"
    )


def test_whatever_a_bot_says_in_its_last_reply_its_loss_is_booked(held: Pairing, made: Any) -> None:
    match = leases.unfinished(held)[0]
    record = made.record(match, winner=1, fault="illegal")
    said = "a\x00b\u202ec"
    (fault,) = record.faults
    seats = tuple(replace(seat, notes=((1, said),)) for seat in record.seats)
    record = replace(
        record, seats=seats, faults=(msgspec.structs.replace(fault, action=said, cause=said),)
    )
    assert record_result(match, held.attempt, record, store.keep(match.public_id, record.body))
    match.refresh_from_db()
    harmless = "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    assert (match.winner, match.faults[0]["action"], match.faults[0]["cause"]) == (
        1, harmless, harmless,
    )  # fmt: skip
    assert SeatLog.objects.get(match=match, seat=0).notes == [[1, harmless]]


def test_fc075_seat_logs_are_for_the_owner_of_the_seat(held: Pairing, made: Any) -> None:
    match = leases.unfinished(held)[0]
    made.book(match, held.attempt, stderr=b"secret")
    seen = queries.match(match.pk)
    assert seen is not None
    stranger = User.objects.create_user("stranger")
    staff = User.objects.create_user("boss", is_staff=True)
    seats = [
        [log.seat for log in queries.seat_logs(seen, viewer)]
        for viewer in (seen.seat0.bot.owner, seen.seat1.bot.owner, stranger, staff)
    ]
    assert seats == [[0], [1], [], [0, 1]]


def test_no_replay_of_a_pair_is_published_before_both_its_matches_are_over(
    held: Pairing, made: Any
) -> None:
    first, second, *_ = leases.unfinished(held)
    with pytest.raises(NoReplay):
        queries.replay_name(first)
    made.book(first, held.attempt)
    first.refresh_from_db()
    with pytest.raises(NotPublished, match=second.public_id):
        queries.replay_name(first)
    made.book(second, held.attempt)
    assert queries.replay(first).header.match == first.public_id


@pytest.mark.django_db(transaction=True)
def test_fc105_two_results_posted_in_parallel_are_one(made: Any) -> None:
    tournament = made.tournament(2, pairs=1)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    match = leases.unfinished(held)[0]
    record = made.record(match)
    name = store.keep(match.public_id, record.body)

    def post(_: int) -> bool:
        try:
            return record_result(match, held.attempt, record, name)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(post, range(16))) == [False] * 15 + [True]
    held.refresh_from_db()
    assert held.played == 1


result = st.tuples(
    st.integers(0, 3),
    st.integers(0, 1),
    st.sampled_from([0, 1, None]),
    st.integers(0, 13),
    st.integers(0, 13),
    st.sampled_from(["", "time"]),
    st.sampled_from(["", "exit"]),
    st.integers(0, 3),
)


@given(st.lists(result, max_size=8, unique_by=lambda one: one[:2]))
def test_fc110_sums_add_up_and_no_rate_passes_one(results: list[Any]) -> None:
    sums = tally(results)
    assert sums["played"] == len(results)
    pairs = sums["won"] + sums["split"] + sums["lost"]
    singles = sums["singles_won"] + sums["singles_lost"]
    assert 2 * pairs + singles + sums["unrated"] == sums["played"]
    assert max(sums["faults_low"], sums["faults_high"]) <= sums["played"]
    assert tally(results[::-1]) == sums


def test_a_list_is_narrowed_by_bot_opponent_version_tournament_and_fault(
    held: Pairing, made: Any
) -> None:
    matches = leases.unfinished(held)
    made.book(matches[0], held.attempt, winner=0)
    made.book(matches[1], held.attempt, winner=0, fault="time")
    low, high = held.low, held.high

    def found(**narrow: Any) -> list[int]:
        return [row.pk for row in queries.match_list(queries.MatchFilter(**narrow))]

    both = [matches[1].pk, matches[0].pk]
    assert found() == both
    assert found(bot=low.bot_id) == found(version=high.pk) == both
    assert found(tournament=held.tournament_id + 1) == []
    assert found(fault="any") == found(fault="time") == [matches[1].pk]
    assert found(fault="exit") == []
    assert found(bot=low.bot_id, fault="time") == [matches[1].pk]
    assert found(bot=high.bot_id, fault="time") == []


def test_one_match_and_its_mirror_know_each_other(held: Pairing) -> None:
    matches = list(Match.objects.order_by("pair", "game"))
    assert queries.mirror(matches[0]) == matches[1]
    assert queries.match(0) is None
