"""Faults in a row pause a version: its own alone; its pairings are settled, its owner is told."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from arena.pairing import FAULTS_IN_A_ROW
from bots import pausing
from bots.errors import MayNotResume, NotPaused
from bots.models import Version
from matches import runner
from matches.models import Match, MatchStatus, Pairing, PairingStatus, RulingKind
from matches.services import leases, orders
from matches.services.rulings import rule
from ratings.services import refit_all
from tournaments import queries, services
from tournaments.models import TournamentStatus
from tournaments.pump import pump
from tournaments.queries import ProgressState

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slots")]


@pytest.fixture
def commits(django_capture_on_commit_callbacks: Any) -> Any:
    """What is announced after commit is announced."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def faulty(made: Any, held: Pairing, match: Match, version: Version, fault: str = "exit") -> None:
    """The version loses this match by a fault of its own."""
    made.book(match, held.attempt, winner=0 if match.seat1_id == version.pk else 1, fault=fault)


def crash(made: Any, version: Version, times: int, commits: Any) -> None:
    """The next `times` matches of its queued pairings end by its faults. Once it is paused its
    worker plays the pair under way to its end, and stops.
    """
    for _ in range(times):
        held = next(
            each
            for each in Pairing.objects.filter(status__in=["queued", "running"]).order_by("pk")
            if version.pk in (each.low_id, each.high_id)
        )
        if held.status == PairingStatus.QUEUED:
            held = leases.claim(held.pk, "test")
        with commits():
            faulty(made, held, leases.unfinished(held)[0], version)
    left = leases.unfinished(held)
    if left and orders.is_to_stop(held):
        if left[0].game == 1:
            faulty(made, held, left[0], version)
        leases.hand_over(held)
        orders.call_off_paused()


def is_paused(version: Version) -> bool:
    version.refresh_from_db()
    return version.paused_at is not None


def first_of(tournament: Any) -> Version:
    return tournament.entries.order_by("pk").first().version


def test_as_many_faults_in_a_row_pause_a_version_and_one_less_does_not(
    made: Any, commits: Any
) -> None:
    tournament = made.tournament(3, pairs=4)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    assert not is_paused(version)
    crash(made, version, 1, commits)
    assert is_paused(version)


def test_a_pair_that_waits_for_a_worker_in_its_middle_is_played_to_its_end(
    made: Any, commits: Any
) -> None:
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    version = first_of(tournament)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    with commits():
        for match in leases.unfinished(held)[:FAULTS_IN_A_ROW]:
            faulty(made, held, match, version)
    assert is_paused(version)
    leases.hand_over(held)  # its worker is stopped
    orders.call_off_paused()
    held = leases.claim(held.pk, "test")
    assert held is not None
    faulty(made, held, leases.unfinished(held)[0], version)
    leases.hand_over(held)
    orders.call_off_paused()
    held.refresh_from_db()
    assert (held.status, held.lost + held.won, held.unrated) == (PairingStatus.CANCELLED, 2, 0)


def test_a_match_without_a_fault_begins_the_count_anew(made: Any, commits: Any) -> None:
    tournament = made.tournament(2, pairs=6)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    held = Pairing.objects.get()
    made.book(leases.unfinished(held)[0], held.attempt, winner=0)
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    assert not is_paused(version)


def test_faults_of_the_opponent_are_not_ones_own(made: Any, commits: Any) -> None:
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    one, other = (entry.version for entry in tournament.entries.order_by("pk"))
    crash(made, one, FAULTS_IN_A_ROW, commits)
    assert is_paused(one)
    assert not is_paused(other)


def test_a_host_that_breaks_matches_pauses_nobody(made: Any, commits: Any) -> None:
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    held = Pairing.objects.get()
    for _ in range(2):
        leases.release(held.pk, held.attempt, "the host stood still", voids=3)
        held = leases.claim(held.pk, "test")  # type: ignore[assignment]  # it is queued
    assert not is_paused(version)


def test_a_match_declared_void_does_not_count(made: Any, commits: Any) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    rule(Match.objects.filter(status="finished").first(), RulingKind.VOID, boss, "our fault")
    crash(made, version, 1, commits)
    assert not is_paused(version)
    crash(made, version, 1, commits)
    assert is_paused(version)


def test_if_neither_starts_both_are_at_fault_and_both_are_paused(made: Any, commits: Any) -> None:
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    for match in leases.unfinished(held)[:FAULTS_IN_A_ROW]:  # type: ignore[arg-type]  # it is held
        with commits():
            made.book(match, held.attempt, winner=None, fault="start")  # type: ignore[union-attr]
    assert Version.objects.filter(paused_at__isnull=False).count() == 2


def test_its_pairings_are_called_off_everywhere_and_its_results_stay(
    made: Any, commits: Any
) -> None:
    cup = made.tournament(4, pairs=2)
    version = first_of(cup)
    other_cup = made.tournament(1)
    services.enter(other_cup, [version.pk])
    for tournament in (cup, other_cup):
        pump(tournament.pk)
    crash(made, version, FAULTS_IN_A_ROW, commits)
    left = Pairing.objects.filter(status__in=["queued", "running", "parked"])
    assert left.exists()
    assert not [each for each in left if version.pk in (each.low_id, each.high_id)]
    assert Match.objects.filter(status=MatchStatus.FINISHED).count() == FAULTS_IN_A_ROW + 1
    pump(cup.pk)
    later = Pairing.objects.filter(status="queued")
    assert not [each for each in later if version.pk in (each.low_id, each.high_id)]


def test_a_worker_stops_after_the_pair_in_which_a_version_is_paused(made: Any) -> None:
    frail, sound = made.version(data=b"raise SystemExit(3)\n"), made.house_version("random")
    tournament = made.tournament(0, pairs=4)
    services.enter(tournament, [frail.pk, sound.pk])
    pump(tournament.pk)
    pairing = Pairing.objects.get()
    runner.run_pairing(pairing.pk, "here")
    assert is_paused(frail)
    assert not is_paused(sound)
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.CANCELLED
    assert (pairing.played, pairing.lost, pairing.faults_low) == (4, 2, 4)
    runner.run_pairing(pairing.pk, "here")
    assert Match.objects.filter(status=MatchStatus.FINISHED).count() == 4


def test_a_result_that_comes_in_while_its_version_is_paused_is_booked(
    made: Any, commits: Any
) -> None:
    tournament = made.tournament(2)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    with commits():
        pausing.pause(held.low_id)
    assert made.book(leases.unfinished(held)[0], held.attempt)


def test_what_was_missed_is_called_off_by_the_sweep(made: Any) -> None:
    tournament = made.tournament(2)
    pump(tournament.pk)
    Version.objects.filter(pk=first_of(tournament).pk).update(paused_at=timezone.now())
    assert orders.call_off_paused() == 1
    assert orders.call_off_paused() == 0
    assert Pairing.objects.get().status == PairingStatus.CANCELLED


def test_a_match_that_the_organisers_have_put_back_is_played_all_the_same(
    made: Any, commits: Any
) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    tournament = made.tournament(2, pairs=2)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW, commits)
    match = Match.objects.filter(status="finished").order_by("pk").first()
    rule(match, RulingKind.REPLAY, boss, "our fault after all")
    assert orders.call_off_paused() == 0
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    (again,) = leases.unfinished(held)
    assert again == match


def test_a_tournament_with_an_end_does_not_wait_for_a_paused_version(
    made: Any, commits: Any
) -> None:
    tournament = made.tournament(3, pairs=2)
    pump(tournament.pk)
    crash(made, first_of(tournament), FAULTS_IN_A_ROW, commits)
    while pump(tournament.pk) or Pairing.objects.filter(status="queued").exists():
        for pairing in Pairing.objects.filter(status="queued"):
            made.play(pairing)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    refit_all()
    progress = queries.progress(tournament)
    assert progress.done == progress.total
    assert [row.paused for row in queries.standings(tournament)].count(True) == 1


def test_where_one_of_two_is_paused_the_tournament_stands_still(made: Any, commits: Any) -> None:
    tournament = made.tournament(2, pairs=2)
    pump(tournament.pk)
    crash(made, first_of(tournament), FAULTS_IN_A_ROW, commits)
    assert queries.progress(tournament).state is ProgressState.STANDS_STILL


def test_let_play_again_it_plays_what_was_called_off_with_its_faults_forgotten(
    made: Any, commits: Any
) -> None:
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW, commits)
    with commits():
        pausing.resume(version, version.bot.owner)
    assert not is_paused(version)
    assert pump(tournament.pk) == 1
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    assert not is_paused(version)
    crash(made, version, 1, commits)
    assert is_paused(version)


def test_let_play_again_it_goes_on_in_an_open_tournament_that_has_ended_and_in_no_other(
    made: Any, commits: Any
) -> None:
    open_cup, closed_cup = made.tournament(3, pairs=2, open=True), made.tournament(3, pairs=2)
    version = first_of(open_cup)
    services.enter(closed_cup, [version.pk])
    Version.objects.filter(pk=version.pk).update(paused_at=timezone.now())
    for tournament in (open_cup, closed_cup):
        while pump(tournament.pk) or Pairing.objects.filter(status="queued").exists():
            for pairing in Pairing.objects.filter(status="queued"):
                made.play(pairing)
        tournament.refresh_from_db()
        assert tournament.status == TournamentStatus.FINISHED
    version.refresh_from_db()
    with commits():
        pausing.resume(version, version.bot.owner)
    assert pump(open_cup.pk) > 0
    assert pump(closed_cup.pk) == 0, "its secret is published"


def test_only_the_owner_and_the_staff_let_it_play_again(made: Any) -> None:
    version = made.version()
    pausing.pause(version.pk)
    version.refresh_from_db()
    with pytest.raises(MayNotResume):
        pausing.resume(version, User.objects.create_user("stranger"))
    pausing.resume(version, User.objects.create_user("boss", is_staff=True))
    with pytest.raises(NotPaused, match="it plays"):
        pausing.resume(version, version.bot.owner)


def test_a_new_version_of_a_paused_one_plays(made: Any) -> None:
    tournament = made.tournament(2, open=True)
    old = first_of(tournament)
    pausing.pause(old.pk)
    new = made.version(bot=old.bot)
    services.enter_open_tournaments(new.pk)
    assert not is_paused(new)
    assert pump(tournament.pk) == 1
    assert new.pk in (Pairing.objects.get().low_id, Pairing.objects.get().high_id)


def test_its_owner_is_told_by_mail_and_the_log_says_so(
    made: Any, commits: Any, queued: Any, caplog: pytest.LogCaptureFixture
) -> None:
    version = made.version()
    User.objects.filter(pk=version.bot.owner_id).update(email="owner@example.org")
    with commits():
        assert pausing.pause(version.pk)
        assert not pausing.pause(version.pk)
    assert "version paused" in caplog.text
    assert pausing.tell_owner(version.pk)
    (sent,) = mail.outbox
    assert sent.to == ["owner@example.org"]
    assert f"{version} is paused" in sent.body
    assert f"{version} е на пауза" in sent.body
    User.objects.update(email="")
    assert not pausing.tell_owner(version.pk)


def test_faults_before_it_was_let_play_again_do_not_count(made: Any, commits: Any) -> None:
    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    version = first_of(tournament)
    crash(made, version, FAULTS_IN_A_ROW - 1, commits)
    Version.objects.filter(pk=version.pk).update(resumed_at=timezone.now() + timedelta(seconds=1))
    Match.objects.filter(status="finished").update(finished_at=timezone.now())
    crash(made, version, 1, commits)
    assert not is_paused(version)
