"""Why a rating changed, what is remembered of it, and any two compared."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from arena.rating import Meeting, PairTable, fit
from arena.rating.residuals import residuals
from bots import owners
from bots.services import create_bot
from matches.models import Match, Pairing, RulingKind, WorkerStatus
from matches.services.rulings import rule
from ratings import fits, history, queries, services
from ratings.models import Change, Rating, Snapshot
from tournaments.pump import pump
from web.views import ratings as pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(made: Any, slots: None) -> Any:
    """Three versions, two pairs each; one pairing played and rated, the next one too."""
    WorkerStatus.objects.update(slots=50)
    tournament = made.tournament(3, pairs=2)
    pump(tournament.pk)
    first, second, _ = Pairing.objects.order_by("pk")
    made.play(first, winner=0)
    services.refit(tournament.pk)
    made.play(second, winner=0)
    services.refit(tournament.pk)
    return tournament


def test_fc119_each_change_says_which_results_came_in(cup: Any) -> None:
    first, second, _ = Pairing.objects.order_by("pk")
    (both,) = {first.low_id, first.high_id} & {second.low_id, second.high_id}
    newest, oldest = queries.history(cup.pk, both)
    assert oldest.by is None
    assert newest.by == pytest.approx(newest.elo - oldest.elo)
    for change, pairing in ((newest, second), (oldest, first)):
        (came,) = change.came
        assert {came.opponent.pk, both} == {pairing.low_id, pairing.high_id}
        assert (came.won, came.split, came.lost, came.pairs) == (0, 2, 0, 2)
        assert change.others == 0
    (other,) = {first.low_id, first.high_id} - {both}
    newest, _ = queries.history(cup.pk, other)
    assert (newest.came, newest.others) == ([], 1)


def test_fc119_results_before_many_refits_of_others_are_found(cup: Any) -> None:
    first, second, _ = Pairing.objects.order_by("pk")
    (other,) = {first.low_id, first.high_id} - {second.low_id, second.high_id}
    last = Change.objects.filter(tournament=cup)[0]
    for number in range(last.number + 1, last.number + 251):
        last.pk, last.number = None, number
        last.save(force_insert=True)
    newest, oldest = queries.history(cup.pk, other)
    assert (newest.came, newest.others, newest.by) == ([], 1, 0)
    assert [came.pairs for came in oldest.came] == [2]
    assert oldest.by is None


def test_fc119_the_list_and_the_page_of_a_version_show_one_rating(cup: Any) -> None:
    standings = Client().get(f"/tournaments/{cup.slug}/").content.decode()
    for rating in Rating.objects.all():
        address = f"/tournaments/{cup.slug}/versions/{rating.version_id}/"
        assert address in standings
        page = Client().get(address).content.decode()
        assert f"<strong>{rating.elo:.0f}</strong>" in page
        assert f"<strong>{rating.elo:.0f}</strong>" in standings
        assert queries.history(cup.pk, rating.version_id)[0].elo == rating.elo


def test_a_result_taken_out_is_a_change_too(cup: Any) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    match = Match.objects.filter(status="finished").order_by("pk").first()
    assert match is not None
    rule(match, RulingKind.VOID, boss, "the host stood still")
    services.refit(cup.pk)
    came = Change.objects.filter(tournament=cup)[0].came
    assert came == [[match.pairing.low_id, match.pairing.high_id, 0, -1, 0, *came[0][5:]]]
    assert sorted(came[0][5:]) == [0, 1], "its mirror match is a single now"


def test_results_in_any_order_come_to_the_same_ratings_and_history(made: Any, slots: None) -> None:
    WorkerStatus.objects.update(slots=50)
    tournament = made.tournament(3, pairs=2)
    pump(tournament.pk)
    for pairing in Pairing.objects.order_by("-pk"):
        made.play(pairing, winner=0)
        services.refit(tournament.pk)
    total = history.added(change.came for change in Change.objects.all())
    stored = Snapshot.objects.get().fit.data
    assert total == history.came_in(PairTable(), fits.unpack(stored)[0])


def test_old_changes_are_put_together_and_lose_no_result(cup: Any) -> None:
    Change.objects.all().delete()
    now = timezone.now().replace(hour=12, minute=30)
    low, high = Pairing.objects.values_list("low_id", "high_id")[0]
    for number in range(1, 401):
        Change.objects.create(
            tournament=cup, number=number, made_at=now - timedelta(hours=(401 - number) / 10),
            came=[[low, high, 1, 0, 0, 0, number % 2]], ratings=[],
        )  # fmt: skip
    history.thin(cup.pk, now)
    left = list(Change.objects.filter(tournament=cup))
    assert [change.number for change in left[: history.WHOLE]] == list(range(400, 300, -1))
    assert len(left) - history.WHOLE == pytest.approx(30, abs=1), "one an hour"
    assert history.added(change.came for change in left) == [[low, high, 400, 0, 0, 0, 200]]
    assert sum(change.refits for change in left) == 400
    history.thin(cup.pk, now + timedelta(days=60))
    assert Change.objects.filter(tournament=cup).count() == len(left), "few enough to stay"


def test_a_fit_is_read_as_it_was_written() -> None:
    table = PairTable(
        [Meeting(5, 9, 7, 3, 2, 1, 0), Meeting(9, 12, 0, 5, 1), Meeting(5, 40, 2, 2, 2, 0, 3)]
    )
    ratings = fit(table, 9)
    again, read = fits.unpack(fits.pack(table, ratings))
    assert read.standings == ratings.standings
    assert (again.counts == table.counts).all()
    assert all(
        read.compare(one, other) == ratings.compare(one, other)
        for one in (5, 9, 12, 40) for other in (5, 9, 12, 40)
    )  # fmt: skip
    empty = PairTable()
    assert fits.unpack(fits.pack(empty, fit(empty)))[1].standings == ()


def test_any_two_are_compared_on_the_pages(cup: Any) -> None:
    lines = list(Rating.objects.order_by("rank"))
    versus = queries.versus(cup.pk, lines[0].version_id)
    assert [each.opponent.pk for each in versus] == [line.version_id for line in lines[1:]]
    for each, line in zip(versus, lines[1:], strict=True):
        assert each.difference.elo == pytest.approx(lines[0].elo - line.elo, abs=0.002)
        assert 0.5 <= each.difference.los <= 1
        assert not each.difference.separable
    table = queries.cross_table(cup.pk, 60)
    assert table is not None
    assert table.rows[0][0] is None
    one, other = table.rows[0][1], table.rows[1][0]
    assert one is not None
    assert other is not None
    assert one.los + other.los == pytest.approx(1)
    for address in (f"/tournaments/{cup.slug}/compare/", f"/tournaments/{cup.slug}/"):
        assert Client(headers={"accept-language": "bg"}).get(address).status_code == 200


def test_where_not_all_are_compared_a_sentence_says_so(
    cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, left_out = f"/tournaments/{cup.slug}/compare/", Rating.objects.count() - 2
    assert "not shown" not in Client().get(address).content.decode()
    monkeypatch.setattr(pages, "MOST", 2)
    assert f"the best 2; {left_out} more version" in Client().get(address).content.decode()
    page = Client(headers={"accept-language": "bg"}).get(address).content.decode()
    assert "Това са най-добрите 2" in page


def test_odd_meetings_are_looked_for_once_a_refit(
    cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked: list[int] = []
    monkeypatch.setattr(queries, "fit_of", unpacked.append)
    for _ in range(2):
        queries.odd_meetings()
    assert unpacked == [cup.pk]
    Snapshot.objects.get(tournament=cup).save()
    queries.odd_meetings()
    assert unpacked == [cup.pk, cup.pk]


def test_a_version_that_is_not_in_the_tournament_has_no_page_there(cup: Any, made: Any) -> None:
    stranger = made.version()
    for version in (stranger.pk, 0, 99_999):
        answer = Client().get(f"/tournaments/{cup.slug}/versions/{version}/")
        assert answer.status_code == 404


# --- What the organisers look at -------------------------------------------------------------


def league(arranged: bool) -> PairTable:
    """12 versions, 60 pairs each; 3 gives everything away to 8 where it is arranged."""
    chance = np.random.default_rng(66)
    strength = chance.normal(0, 150, 12)
    meetings = []
    for low in range(12):
        for high in range(low + 1, 12):
            p = 1 / (1 + 10 ** ((strength[high] - strength[low]) / 400))
            wins = chance.binomial(2, p, 60)
            counts = [int((wins == won).sum()) for won in (2, 1, 0)]
            if arranged and (low, high) == (3, 8):
                counts = [0, 2, 58] if strength[3] > strength[8] else [58, 2, 0]
            meetings.append(Meeting(low + 1, high + 1, *counts))
    return PairTable(meetings)


def test_an_arrangement_shows_and_an_honest_league_shows_nothing() -> None:
    honest, arranged = league(False), league(True)
    assert residuals(honest, fit(honest)) == []
    (odd,) = residuals(arranged, fit(arranged))
    assert (odd.low, odd.high, odd.matches) == (4, 9, 120)
    assert abs(odd.score - odd.expected) > 0.3
    assert abs(odd.deviations) > 6


def test_false_alarms_are_as_rare_as_said() -> None:
    chance = np.random.default_rng(4)
    alarms = 0
    for _ in range(100):
        strength = chance.normal(0, 250, 8)
        meetings = []
        for low in range(8):
            for high in range(low + 1, 8):
                p = 1 / (1 + 10 ** ((strength[high] - strength[low]) / 400))
                wins = chance.binomial(2, p, 15)
                counts = [int((wins == won).sum()) for won in (2, 1, 0)]
                meetings.append(Meeting(low + 1, high + 1, *counts))
        table = PairTable(meetings)
        alarms += bool(residuals(table, fit(table)))
    assert alarms <= 5


def test_accounts_with_one_address_and_files_sent_in_twice_are_listed(made: Any) -> None:
    for name, email in (
        ("a", "Ada.Byron+one@Gmail.com"), ("b", "adabyron@googlemail.com"),
        ("c", "ada@example.org"), ("d", "ADA+x@example.org"), ("e", "eve@example.org"), ("f", ""),
        ("g", ""),
    ):  # fmt: skip
        create_bot(User.objects.create_user(name, email), f"bot-{name}")
    User.objects.create_user("h", "eve@example.org")  # who has no bot plays no match
    shared = {
        each.address: [owner.username for owner in each.owners]
        for each in owners.shared_addresses()
    }
    assert shared == {"adabyron@gmail.com": ["a", "b"], "ada@example.org": ["c", "d"]}
    one, other = made.version(data=b"x = 1\n"), made.version(data=b"x = 1\n")
    made.version(data=b"x = 2\n")
    assert [[each.pk for each in found.versions] for found in owners.shared_uploads()] == [
        [one.pk, other.pk]
    ]
    assert owners.shared_uploads([one.sha256]) == []
    other.bot.house = True
    other.bot.save()
    assert owners.shared_uploads() == []


def test_the_desk_is_for_the_staff_and_shows_all_of_it(cup: Any, made: Any) -> None:
    made.version(data=b"x = 1\n"), made.version(data=b"x = 1\n")
    client = Client()
    assert client.get("/desk/").status_code == 302
    client.force_login(User.objects.create_user("nobody"))
    assert client.get("/desk/").status_code == 403
    client.force_login(User.objects.create_user("boss", is_staff=True))
    page = client.get("/desk/").content.decode()
    assert "The same file" in page
    assert "manage.py audit" in page
