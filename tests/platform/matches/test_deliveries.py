"""Results delivered twice, late, out of order, in parallel: the books are those of a clean run."""

import multiprocessing
import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.errors import StaleAttempt
from matches.models import Match, Pairing, WorkerStatus
from matches.services import leases
from matches.services.booking import record_result
from ratings.models import Rating
from ratings.services import refit
from replays import store
from tournaments.audit import Findings, audit
from tournaments.pump import pump

COLUMNS = (
    "version", "rank", "rank_low", "rank_high", "elo", "error", "separable", "pairs_won",
    "pairs_split", "pairs_lost", "matches", "wins", "losses", "unrated", "points_for",
    "points_against", "faults",
)  # fmt: skip
"""All but `voids`: those count what hosts broke, so they are the history of the deliveries."""

PROCESSES = 8
RESULTS = 200


@pytest.fixture
def queued_pairings(made: Any, slots: None) -> list[Pairing]:
    tournament = made.tournament(3, pairs=1)
    pump(tournament.pk)
    return list(Pairing.objects.order_by("pk"))


def discrepancies() -> list[str]:
    findings = Findings()
    audit(findings, sample=0)
    return findings.discrepancies


outcomes = st.tuples(
    st.sampled_from([0, 1, None]), st.sampled_from([None, "time", "start", "illegal"])
).map(lambda each: (each[0], each[1] or ("start" if each[0] is None else None)))

steps = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["post", "post", "late", "lease"])), max_size=30
)


@pytest.mark.django_db
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(
    results=st.lists(outcomes, min_size=6, max_size=6), steps=steps, order=st.permutations(range(6))
)
def test_any_interleaving_of_deliveries_gives_the_snapshot_of_the_clean_sequence(
    queued_pairings: list[Pairing], made: Any, results: Any, steps: Any, order: Any
) -> None:
    """Duplicates, deliveries for attempts that are over, claims lost in between, any order."""
    tournament = queued_pairings[0].tournament_id
    expected = snapshot_after(tournament, made, results, [(at, "post") for at in range(6)])
    found = snapshot_after(tournament, made, results, [*steps, *((at, "post") for at in order)])
    assert found == expected


def snapshot_after(tournament: int, made: Any, results: Any, steps: Any) -> list[Any]:
    with transaction.atomic():
        matches = list(Match.objects.order_by("pk").select_related("pairing"))
        for at, what in steps:
            match = matches[at]
            pairing = Pairing.objects.get(pk=match.pairing_id)
            current = leases.claim(pairing.pk, "test") if pairing.status == "queued" else pairing
            assert current is not None
            winner, fault = results[at]
            if what == "lease":
                leases.release(current.pk, current.attempt, "lost", most=10_000)
                continue
            attempt = current.attempt - (what == "late")
            record = made.record(match, winner=winner, fault=fault)
            try:
                record_result(match, attempt, record, f"aa/{match}-{at:016x}.jsonl.gz")
            except StaleAttempt:
                assert what == "late"
        refit(tournament)
        assert [line for line in discrepancies() if "replay" not in line] == []
        rows = list(Rating.objects.order_by("version").values_list(*COLUMNS))
        transaction.set_rollback(True)
    return rows


def post_some(names: list[tuple[int, int, str, Any]], chance: int) -> int:
    """In a process of its own: books its share, half of it twice, some by attempts long over."""
    connection.close()
    draw = random.Random(chance)
    booked = 0
    work = names + draw.sample(names, len(names) // 2)
    draw.shuffle(work)
    for pk, attempt, name, record in work:
        match = Match.objects.get(pk=pk)
        try:
            booked += record_result(match, attempt - (draw.random() < 0.1), record, name)
        except StaleAttempt:
            booked += record_result(match, attempt, record, name)
    return booked


@pytest.mark.django_db(transaction=True)
def test_fc106_200_random_results_posted_by_8_processes_at_once_leave_0_discrepancies(
    made: Any, slots: None
) -> None:
    WorkerStatus.objects.update(slots=50)
    tournament = made.tournament(5, pairs=10)
    in_an_hour = timezone.now() + timedelta(hours=1)
    while pump(tournament.pk):
        Pairing.objects.filter(status="queued").update(
            status="running", attempt=3, lease_until=in_an_hour
        )
    draw = random.Random(106)
    work = []
    for match in Match.objects.select_related("pairing", "seat0__bot", "seat1__bot"):
        winner = draw.choice([0, 1])
        record = made.record(match, winner=winner, fault=draw.choice([None, None, "time"]))
        work.append((match.pk, 3, store.keep(match.public_id, record.body), record))
    assert len(work) == RESULTS
    # Every result is posted by two of the processes, each of which posts half of its share twice.
    shares = [
        work[at::PROCESSES] + work[(at + 3) % PROCESSES :: PROCESSES] for at in range(PROCESSES)
    ]
    connection.close()
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        booked = pool.starmap(post_some, [(share, at) for at, share in enumerate(shares)])
    assert sum(booked) == RESULTS, "each was booked once"
    refit(tournament.pk)
    assert discrepancies() == []
    ratings = list(Rating.objects.order_by("version").values_list("elo", "wins", "matches"))
    assert sum(wins for _, wins, _ in ratings) == RESULTS
    assert sum(matches for *_, matches in ratings) == 2 * RESULTS
