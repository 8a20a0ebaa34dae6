"""Starts of matches that the host broke are counted: by match, version, worker, and in all."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from arena.sandbox import BoxError
from bots import host
from matches import runner
from matches.models import (
    Match,
    MatchStatus,
    Pairing,
    PairingStatus,
    RulingKind,
    WorkerState,
    WorkerStatus,
)
from matches.queries import platform_findings, worker_health
from matches.services import leases
from matches.services.rulings import rule
from ratings.models import Rating
from ratings.services import refit
from replays.errors import ReplayNotStored
from tournaments import services as tournaments
from tournaments.pump import pump
from tournaments.recount import recount

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here() -> None:
    """The worker that the tests are."""
    now = timezone.now()
    WorkerStatus.objects.create(
        name="here", state=WorkerState.READY, slots=2, started_at=now, beat_at=now
    )


@pytest.fixture
def pairing(made: Any) -> Pairing:
    tournament = made.tournament(0, pairs=1)
    versions = [made.house_version("greedy"), made.house_version("random")]
    tournaments.enter(tournament, [version.pk for version in versions])
    pump(tournament.pk)
    return Pairing.objects.get(tournament=tournament)


class FailingSandbox:
    """A sandbox of which the first `bad` boxes do not start."""

    kind = "failing"

    def __init__(self, bad: int) -> None:
        self._whole = host.sandbox()
        self._bad = bad
        self.image, self.python = self._whole.image, self._whole.python

    def probe(self) -> tuple[()]:
        return ()

    def start(self, limits: Any, core: Any) -> Any:
        if self._bad:
            self._bad -= 1
            raise BoxError("the disk is on fire")
        return self._whole.start(limits, core)


@pytest.fixture
def failing(request: pytest.FixtureRequest) -> Any:
    whole = host.sandbox()
    host.close()
    host.use_sandbox(FailingSandbox(request.param))
    yield
    host.close()
    host.use_sandbox(whole)


def counted() -> dict[str, Any]:
    """What is said of voids, by name of the finding."""
    return {each.name: each for each in platform_findings() if each.name.startswith("voids")}


@pytest.mark.parametrize("failing", [2], indirect=True)
def test_voids_of_a_match_are_counted_for_match_versions_worker_and_site(
    pairing: Pairing, failing: None
) -> None:
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played) == (PairingStatus.FINISHED, 2)
    first, second = Match.objects.filter(pairing=pairing).order_by("game")
    assert (first.voids, second.voids, pairing.voids) == (2, 0, 2)
    refit(pairing.tournament_id)
    assert set(Rating.objects.values_list("voids", flat=True)) == {2}
    (worker,) = worker_health()
    assert (worker.matches, worker.voids) == (2, 2)
    assert counted()["voids"].what == "2 starts were void, 2 matches were played"
    assert counted()["voids: here"].what == "2 starts were void, 2 matches were played"
    assert "The host breaks matches" in counted()["voids"].remedy
    assert recount(pairing.tournament).differences == ()


@pytest.mark.parametrize("failing", [4], indirect=True)
def test_a_match_that_is_void_more_than_three_times_is_parked_with_its_voids_and_keeps_them(
    pairing: Pairing, failing: None
) -> None:
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.PARKED
    assert "void 4 times" in pairing.note
    first = Match.objects.filter(pairing=pairing).order_by("game").first()
    assert first is not None
    assert (first.status, first.voids) == (MatchStatus.QUEUED, 4)
    parked = {each.name: each for each in platform_findings()}["parked pairings"]
    assert parked.what == "1 wait for a person"
    assert "send them again" in parked.remedy
    leases.unpark(pairing.pk)
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.voids) == (PairingStatus.FINISHED, 4)
    assert worker_health()[0].voids == 4
    assert recount(pairing.tournament).differences == ()


def test_a_match_whose_worker_was_killed_is_void_once(pairing: Pairing, made: Any) -> None:
    held = leases.claim(pairing.pk, "here")
    assert held is not None
    first, second = leases.unfinished(held)
    made.book(first, held.attempt)
    assert leases.release_own("here") == 1
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.voids, second.voids) == (0, 1)
    (worker,) = worker_health()
    assert (worker.matches, worker.voids) == (1, 1)


def test_handing_over_and_a_lost_upload_make_nothing_void(pairing: Pairing, state: Any) -> None:
    held = leases.claim(pairing.pk, "here")
    assert held is not None
    leases.hand_over(held)
    for path in (state / "uploads").glob("*/*"):
        path.unlink()
    host._files.cache_clear()
    runner.run_pairing(pairing.pk, "here")
    assert counted()["voids"].what == "0 starts were void, 0 matches were played"
    assert counted()["voids"].remedy == ""


def test_counts_of_a_worker_outlast_its_restarts(pairing: Pairing, made: Any) -> None:
    from matches import health

    made.play(pairing)  # as "test", which has no row
    held = WorkerStatus.objects.filter(name="here")
    held.update(matches=30, voids=3)
    health.say_ready("here", host.sandbox(), 1)
    health.say_stopped(SimpleNamespace(hostname="here"))
    health.say_ready("here", host.sandbox(), 1)
    (worker,) = worker_health()
    assert (worker.matches, worker.voids) == (30, 3)


def test_a_fault_is_counted_for_the_match_under_way_not_for_one_that_was_put_back_before_it(
    pairing: Pairing, made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    first = pairing.matches.get(game=0)

    def play(match: Match, held: Pairing, limits: Any) -> None:
        if match == first:
            made.book(match, held.attempt)
            return
        rule(first, RulingKind.REPLAY, boss, "again")
        raise ReplayNotStored("the disk is full")

    monkeypatch.setattr(runner, "_play", play)
    runner.run_pairing(pairing.pk, "here")
    assert [match.voids for match in pairing.matches.order_by("game")] == [0, 1]


def test_a_match_put_back_is_not_void_by_the_end_of_a_worker_that_did_not_know_of_it(
    pairing: Pairing, made: Any
) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    held = leases.claim(pairing.pk, "here")
    assert held is not None
    first = leases.unfinished(held)[0]
    made.book(first, held.attempt)
    rule(first, RulingKind.REPLAY, boss, "again")
    leases.release_own("here")
    assert [match.voids for match in pairing.matches.order_by("game")] == [0, 1]
    leases.claim(pairing.pk, "here")
    leases.release_own("here")
    assert [match.voids for match in pairing.matches.order_by("game")] == [1, 1]


def test_a_bug_before_the_first_match_makes_none_void(
    pairing: Pairing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(pairing: Pairing) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(leases, "limits_of", broken)
    monkeypatch.setattr(leases, "_lease_end", lambda pairing: timezone.now())
    with pytest.raises(RuntimeError):
        runner.run_pairing(pairing.pk, "here")
    assert sum(match.voids for match in pairing.matches.all()) == 0
    assert worker_health()[0].voids == 0
