"""The pump: few ahead, nothing twice, new entries first, and an end."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from bots.models import Version
from matches.models import Match, Pairing, PairingStatus, WorkerStatus
from matches.services.orders import call_off_paused
from ratings.services import refit_all
from tournaments import queries, services
from tournaments.house import ensure_house_tournament
from tournaments.models import Tournament, TournamentStatus
from tournaments.pump import MOST_PARKED, pump, pump_all
from tournaments.queries import ProgressState

pytestmark = pytest.mark.django_db


def queued() -> list[Pairing]:
    return list(Pairing.objects.filter(status=PairingStatus.QUEUED).order_by("id"))


def play_out(made: Any, tournament: Any) -> list[Pairing]:
    """Pumps and plays until nothing is left; gives the pairings in the order of play."""
    order = []
    while pump(tournament.pk) or queued():
        for pairing in queued():
            made.play(pairing)
            order.append(pairing)
    return order


def test_fc100_no_more_than_two_pairings_a_slot_are_under_way(made: Any, slots: None) -> None:
    tournament = made.tournament(8, cycles=100)
    for _ in range(3):
        pump(tournament.pk)
        assert len(queued()) == 4
    assert Match.objects.count() == 8


def test_everybody_meets_everybody_in_each_cycle_once(made: Any, slots: None) -> None:
    tournament = made.tournament(4, cycles=2)
    order = play_out(made, tournament)
    met = [(pairing.low_id, pairing.high_id, pairing.cycle) for pairing in order]
    assert len(met) == len(set(met)) == 12
    assert [cycle for *_, cycle in met] == sorted(cycle for *_, cycle in met)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED


def test_fc083_a_new_entry_catches_up_before_old_pairs_go_on(made: Any, slots: None) -> None:
    tournament = made.tournament(3, cycles=3)
    pump(tournament.pk)
    for pairing in queued():
        made.play(pairing)
    new = made.version()
    services.enter(tournament, [new.pk])
    pump(tournament.pk)
    first = [pairing for pairing in queued() if pairing.cycle == 1]
    assert len(first) == 3
    assert all(new.pk in (pairing.low_id, pairing.high_id) for pairing in first)


def test_a_tournament_of_one_waits_for_a_second_and_says_so(made: Any, slots: None) -> None:
    tournament = made.tournament(1)
    assert pump(tournament.pk) == 0
    assert queries.progress(tournament).state is ProgressState.WAITING_FOR_ENTRIES
    services.enter(tournament, [made.version().pk])
    assert pump(tournament.pk) == 1


def test_an_open_tournament_that_has_ended_goes_on_with_a_new_version(
    made: Any, slots: None
) -> None:
    tournament = made.tournament(2, open=True)
    play_out(made, tournament)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    services.enter_open_tournaments(made.version().pk)
    assert len(play_out(made, tournament)) == 2
    refit_all()
    tournament.refresh_from_db()
    progress = queries.progress(tournament)
    assert (progress.state, progress.done, progress.total) == (ProgressState.FINISHED, 6, 6)


def test_a_paused_tournament_is_not_pumped(made: Any, slots: None) -> None:
    tournament = made.tournament(3)
    services.pause(tournament)
    assert pump(tournament.pk) == pump_all() == 0


def test_slots_are_shared_by_all_running_tournaments(made: Any, slots: None) -> None:
    one, other = made.tournament(6), made.tournament(6)
    pump_all()
    assert [Pairing.objects.filter(tournament=each).count() for each in (one, other)] == [2, 2]


def test_a_tournament_that_stands_still_takes_no_slots_from_others(made: Any, slots: None) -> None:
    alone, one_paused, about_one_who_left = (
        made.tournament(1),
        made.tournament(2),
        made.tournament(2, format="gauntlet", challenger=made.version().pk),
    )
    paused = one_paused.entries.order_by("pk").first().version
    Version.objects.filter(pk=paused.pk).update(paused_at=timezone.now())
    services.withdraw(about_one_who_left, about_one_who_left.challenger_id)
    playing = made.tournament(6)
    pump_all()
    assert [
        Pairing.objects.filter(tournament=each).count()
        for each in (alone, one_paused, about_one_who_left, playing)
    ] == [0, 0, 0, 4]


def test_where_the_last_match_pauses_one_of_two_the_tournament_ends(made: Any, slots: None) -> None:
    tournament = made.tournament(2)
    play_out(made, tournament)
    Tournament.objects.update(status=TournamentStatus.RUNNING, finished_at=None)
    paused = tournament.entries.order_by("pk").first().version
    Version.objects.filter(pk=paused.pk).update(paused_at=timezone.now())
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.published_secret == tournament.secret


def test_a_paused_version_that_has_not_played_all_is_waited_for_where_nobody_else_is_left(
    made: Any, slots: None
) -> None:
    tournament = made.tournament(2, cycles=2)
    pump(tournament.pk)
    first, last = queued()
    made.play(first)
    paused = tournament.entries.order_by("pk").first().version
    Version.objects.filter(pk=paused.pk).update(paused_at=timezone.now())
    assert call_off_paused() == 1
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    assert queries.progress(tournament).state is ProgressState.STANDS_STILL
    Version.objects.filter(pk=paused.pk).update(paused_at=None)
    services.look_again(paused.pk)
    assert pump(tournament.pk) == 1
    made.play(last)
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED


def test_a_tournament_that_has_ended_stays_whole_when_a_paused_version_plays_again_elsewhere(
    made: Any, slots: None
) -> None:
    tournament = made.tournament(4)
    paused = tournament.entries.order_by("pk").first().version
    Version.objects.filter(pk=paused.pk).update(paused_at=timezone.now())
    play_out(made, tournament)
    refit_all()
    Version.objects.filter(pk=paused.pk).update(paused_at=None)
    tournament.refresh_from_db()
    progress = queries.progress(tournament)
    assert progress.state is ProgressState.FINISHED
    assert progress.total == progress.done == 6


def test_a_parked_pairing_keeps_a_tournament_from_its_end(made: Any, slots: None) -> None:
    tournament = made.tournament(2)
    pump(tournament.pk)
    Pairing.objects.update(status=PairingStatus.PARKED)
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    assert queries.progress(tournament).state is ProgressState.PARKED


def test_the_house_tournament_is_made_once_open_and_finite() -> None:
    house = ensure_house_tournament()
    assert ensure_house_tournament() == house
    assert house.open
    assert 2_000 < 3 * 2 * house.pairs_per_pairing * house.cycles < 5_000


@pytest.mark.django_db(transaction=True)
def test_fc098_a_hundred_pumps_in_parallel_order_everything_once(made: Any, slots: None) -> None:
    tournament = made.tournament(4)

    def run(_: int) -> int:
        try:
            return pump(tournament.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as threads:
        ordered = list(threads.map(run, range(100)))
    assert sum(ordered) == 4
    assert Match.objects.count() == 8
    assert Pairing.objects.values("low", "high", "cycle").distinct().count() == 4


def test_fc081_without_a_worker_the_state_says_so(made: Any, slots: None) -> None:
    tournament = made.tournament(2)
    pump(tournament.pk)
    assert queries.progress(tournament).state is ProgressState.PLAYING
    WorkerStatus.objects.all().delete()
    assert queries.progress(tournament).state is ProgressState.NO_WORKER


def test_standings_and_progress_take_a_fixed_number_of_queries(
    made: Any, slots: None, django_assert_max_num_queries: Any
) -> None:
    tournament = made.tournament(6, cycles=2, open=True)
    play_out(made, tournament)
    refit_all()
    services.withdraw(tournament, tournament.entries.first().version_id)
    services.enter(tournament, [made.version().pk])
    tournament.refresh_from_db()
    with django_assert_max_num_queries(2):
        rows = queries.standings(tournament)
        assert [row.author.username for row in rows if row.withdrawn] != []
    assert rows[-1].elo is None
    assert len(rows) == 7
    with django_assert_max_num_queries(7):
        queries.progress(tournament)


def test_a_bot_that_left_does_not_keep_progress_from_a_hundred(made: Any, slots: None) -> None:
    tournament = made.tournament(3)
    play_out(made, tournament)
    services.withdraw(tournament, tournament.entries.first().version_id)
    refit_all()
    play_out(made, tournament)
    progress = queries.progress(Tournament.objects.get(pk=tournament.pk))
    assert progress.done == progress.total == 6


@pytest.mark.usefixtures("slots")
def test_where_everything_is_put_aside_nothing_more_is_ordered(made: Any) -> None:
    tournament = made.tournament(2, cycles=500)
    while pump(tournament.pk):
        Pairing.objects.update(status=PairingStatus.PARKED)
    parked = Pairing.objects.filter(tournament=tournament).count()
    assert MOST_PARKED <= parked < MOST_PARKED + 2 * 2
    Pairing.objects.filter(status=PairingStatus.PARKED).update(
        status=PairingStatus.FINISHED, finished_at=timezone.now()
    )
    assert pump(tournament.pk) > 0
