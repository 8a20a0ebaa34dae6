"""Standings: from the results alone, in any order, and always the same."""

from typing import Any

import pytest

from bots.models import Bot
from matches.models import Pairing
from ratings import services
from ratings.models import Change, Fit, Rating, Snapshot
from tournaments.pump import pump
from tournaments.recount import recount

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(made: Any, slots: None) -> Any:
    tournament = made.tournament(3, pairs=2)
    pump(tournament.pk)
    for pairing in Pairing.objects.all():
        made.play(pairing, winner=0)
    return tournament


def test_a_refit_gives_every_version_a_line_that_adds_up(played: Any) -> None:
    assert services.refit_all() == 1
    snapshot = Snapshot.objects.get(tournament=played)
    lines = list(snapshot.ratings.all())
    assert [line.rank for line in lines] == [1, 2, 3]
    assert (snapshot.number, snapshot.matches) == (1, 12)
    assert sum(line.wins for line in lines) == sum(line.losses for line in lines) == 12
    assert all(
        line.matches == 8 and line.pairs_won + line.pairs_split + line.pairs_lost == 4
        for line in lines
    )


def test_house_bot_greedy_is_the_fixed_point_of_the_scale_where_it_plays(played: Any) -> None:
    services.refit_all()
    assert sum(line.elo for line in Rating.objects.all()) == pytest.approx(3 * 1500)
    assert all(line.error > 0 for line in Rating.objects.all())
    greedy = Rating.objects.order_by("rank").last().version
    Bot.objects.filter(pk=greedy.bot_id).update(name="greedy", house=True)
    Snapshot.objects.update(basis="")
    services.refit_all()
    line = Rating.objects.get(version=greedy)
    assert (line.elo, line.error) == (1500, 0)
    assert all(other.error > 0 for other in Rating.objects.exclude(version=greedy))


def test_nothing_new_means_no_refit(played: Any) -> None:
    services.refit_all()
    assert services.refit_all() == 0
    assert Snapshot.objects.get().number == 1


def test_a_new_result_means_a_new_snapshot(made: Any) -> None:
    tournament = made.tournament(2, cycles=2)
    pump(tournament.pk)
    first, second = Pairing.objects.order_by("cycle")
    made.play(first)
    services.refit_all()
    made.play(second)
    assert services.refit_all() == 1
    assert Snapshot.objects.get().number == 2


def test_fc106_a_recount_from_the_replays_gives_the_same_figures(played: Any) -> None:
    counted = recount(played)
    assert counted.matches == 12
    assert counted.differences == ()


def test_a_recount_names_what_differs(played: Any) -> None:
    services.refit_all()
    line = Rating.objects.order_by("rank").first()
    assert line is not None
    Rating.objects.filter(pk=line.pk).update(elo=9999)
    match = played.matches.order_by("id").first()
    match.score0, match.replay = 10, match.replay
    match.save()
    differences = "\n".join(recount(played).differences)
    assert "9999" in differences
    assert f"{match}: the score" in differences


def test_a_recount_misses_no_missing_file(played: Any, state: Any) -> None:
    match = played.matches.order_by("id").first()
    (state / "replays" / match.replay).unlink()
    assert any(match.public_id in line for line in recount(played).differences)


def test_fc115_one_sided_results_stay_finite(made: Any) -> None:
    tournament = made.tournament(2, pairs=20)
    pump(tournament.pk)
    held = Pairing.objects.get()
    from matches.services import leases

    claimed = leases.claim(held.pk, "test")
    assert claimed is not None
    for match in leases.unfinished(claimed):
        made.book(match, claimed.attempt, winner=match.game)
    services.refit_all()
    best, worst = Rating.objects.order_by("rank")
    assert 1500 < best.elo < 3000
    assert 0 < best.error < 1000
    assert best.wins == worst.losses == 40


def test_standings_made_anew_go_on_with_their_history(made: Any) -> None:
    tournament = made.tournament(2, cycles=2)
    pump(tournament.pk)
    first, second = Pairing.objects.order_by("cycle")
    made.play(first)
    services.refit_all()
    Snapshot.objects.all().delete()
    made.play(second)
    assert services.refit_all() == 1
    changes = list(Change.objects.order_by("number"))
    assert [change.number for change in changes] == [1, 2]
    assert changes[0].came == changes[1].came, "one pairing each: nothing came in twice"
    assert Snapshot.objects.get().number == 2


def test_a_tournament_that_cannot_be_refitted_keeps_no_other_from_it(
    played: Any, made: Any, caplog: pytest.LogCaptureFixture
) -> None:
    services.refit_all()
    Snapshot.objects.update(basis="")
    Fit.objects.update(data=b"not a fit")
    sound = made.tournament(2)
    pump(sound.pk)
    made.play(Pairing.objects.get(tournament=sound))
    assert services.refit_all() == 1
    assert Rating.objects.filter(snapshot__tournament=sound).count() == 2
    assert "standings not refitted" in caplog.text
