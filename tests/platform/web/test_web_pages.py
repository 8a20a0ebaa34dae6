import json
from itertools import product

import pytest
from django.test import Client
from web_table import LARGEST_PAGE, Table

PUBLIC = [
    "/",
    "/live/",
    "/tournaments/",
    "/bots/",
    "/matches/",
    "/rules/",
    "/protocol/",
    "/keys.json",
    "/robots.txt",
    "/healthz",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_empty_arena_shows_each_page(address, db):
    assert Client().get(address).status_code == 200


@pytest.mark.parametrize("language", ["en", "bg"])
def test_every_page_of_a_played_tournament_is_whole_and_small(table: Table, language):
    client = Client(headers={"accept-language": language})
    addresses = [
        *PUBLIC,
        "/tournaments/autumn/",
        "/tournaments/autumn/live/",
        f"/bots/{table.good.bot_id}/",
        f"/bots/{table.cheat.bot_id}/live/",
        f"/matches/{table.match.pk}/",
    ]
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert len(answer.content) < LARGEST_PAGE, address


def test_a_name_of_html_and_other_scripts_is_shown_as_it_is_and_never_as_markup(table: Table):
    for address in ("/", "/tournaments/autumn/", f"/bots/{table.good.bot_id}/", "/matches/"):
        page = Client().get(address).content.decode()
        assert "&lt;b&gt;Сантасе &amp; &quot;66&quot; 🂡&lt;/b&gt; שלום" in page, address
        assert "<b>Сантасе" not in page, address


@pytest.mark.parametrize(
    "address",
    [
        "/matches/0/",
        "/matches/99999999999999999999/",
        "/matches/9223372036854775807/",
        "/matches/9223372036854775808/",
        "/matches/1/seats/7/log/",
        "/matches/1/seats/99999999999999999999999/log/",
        "/matches/5/replay/",
        "/bots/77/",
        "/bots/77/live/",
        "/bots/77/versions/1/log/",
        "/tournaments/none/",
        "/tournaments/none/live/",
        "/nothing/here",
        "/%00",
    ],
)
def test_what_is_not_there_is_a_plain_404(address, db):
    answer = Client().get(address)
    assert answer.status_code == 404
    assert "There is nothing at this address" in answer.content.decode()


ODD_QUERIES = [
    "page=0",
    "page=-1",
    "page=x",
    "page=99999999999999999999999999",
    "bot=x&version=-3&fault=zzz&tournament=none",
    "bot=99999999999999999999999999",
    "tournament=%00&fault=%00&bot=%00",
    "fault=any",
    "version=1&fault=illegal",
]


def test_odd_filters_and_pages_list_something_or_nothing(table: Table):
    for address, query in product(("/matches/", "/bots/", "/tournaments/"), ODD_QUERIES):
        assert Client().get(f"{address}?{query}").status_code == 200, query


def test_filters_narrow_the_list_of_matches(table: Table):
    client = Client()
    by_fault = client.get(f"/matches/?version={table.cheat.pk}&fault=illegal")
    assert len(by_fault.context["page"].object_list) == 2
    blameless = client.get(f"/matches/?version={table.good.pk}&fault=any")
    assert len(blameless.context["page"].object_list) == 0
    assert "No match fits" in blameless.content.decode()


@pytest.mark.parametrize("address", ["/", "/matches/", "/matches/1/replay/", "/bots/1/live/"])
def test_pages_are_only_read(address, db):
    client = Client()
    assert client.post(address).status_code == 405
    assert client.delete(address).status_code == 405


def test_a_live_part_is_sent_again_only_when_it_changed(table: Table):
    client = Client()
    first = client.get("/tournaments/autumn/live/")
    again = client.get(
        "/tournaments/autumn/live/", headers={"if-none-match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    table.tournament.name = "Spring cup"
    other = client.get("/", headers={"if-none-match": first.headers["ETag"]})
    assert other.status_code == 200


def test_keys_are_published_with_their_dates(table: Table):
    keys = json.loads(Client().get("/keys.json").content)
    assert [sorted(key) for key in keys] == [["from", "key", "until"]]
    assert len(keys[0]["key"]) == 64


def test_the_standings_give_rank_ranges_ratings_and_errors(table: Table):
    page = Client().get("/tournaments/autumn/")
    best = page.context["standings"][0]
    assert best.row.version == table.good
    assert best.interval is not None
    assert best.interval.left < best.interval.right
    assert "all played" in page.content.decode()


def test_the_secret_is_shown_when_the_tournament_is_over_and_not_before(table: Table, settings):
    page = Client().get("/tournaments/autumn/").content.decode()
    assert table.tournament.commitment in page
    assert table.tournament.status == "finished"
    assert table.tournament.secret in page
    type(table.tournament).objects.filter(pk=table.tournament.pk).update(status="running")
    page = Client().get("/tournaments/autumn/").content.decode()
    assert table.tournament.secret not in page


def test_the_language_is_switched_by_a_form_and_kept(db):
    client = Client()
    assert "Santase, played by programs" in client.get("/").content.decode()
    answer = client.post("/i18n/setlang/", {"language": "bg", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    page = client.get("/rules/").content.decode()
    assert '<html lang="bg">' in page
    assert "взятка" in page


def test_the_next_page_after_a_switch_is_never_another_site(db):
    answer = Client().post("/i18n/setlang/", {"language": "bg", "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/"


def test_fc032_limits_on_the_pages_are_those_of_the_protocol(table: Table):
    from arena.protocol import Limits

    for address in ("/protocol/", "/tournaments/autumn/"):
        page = Client().get(address).content.decode()
        assert f"{Limits().bank_ms:,} ms" in page, address
        assert f"{Limits().stderr_total_kb:,} KB" in page, address
