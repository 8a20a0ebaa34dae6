import gzip
import json
import re
from urllib.parse import unquote

import pytest
from django.test import Client
from web_table import ODD_NAME, Table

from accounts.models import User
from arena.referee import verify
from matches.models import Match
from replays import store


def test_the_page_says_who_won_and_which_fault_lost_it(table: Table):
    page = Client().get(f"/matches/{table.match.pk}/").content.decode()
    assert "illegal action" in page
    assert "Deal 1, request" in page
    assert "The action was “play:XX”" in page
    assert 'href="/rules/#R14"' in page


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "deals. Trumps are "), ("bg", "раздава. Коз: ")],
    ids=["en", "bg"],
)
def test_every_deal_is_told_in_words_and_cards_without_a_script(table: Table, language, words):
    client = Client(headers={"accept-language": language})
    page = client.get(f"/matches/{table.match.pk}/").content.decode()
    deals = re.search(r'<ol class="deals".*?</ol>', page)
    assert deals is not None
    links = re.findall(r'<a href="([^"]*\?at=\d+)', deals[0])
    assert len(links) == table.match.deals
    assert page.count("<script") == page.count('<script type="module" src=') == 2
    for link in links:
        page = client.get(link).content.decode()
        assert re.search(r'<img src="/static/web/cards/[9JQKTA][CDHS]\.svg" alt="[^"]+"', page)
        assert words in page


def test_fc020_fc135_the_download_is_one_click_with_both_bots_and_the_id_in_its_name(table: Table):
    answer = Client().get(f"/matches/{table.match.pk}/replay/")
    name = unquote(answer.headers["Content-Disposition"].partition("filename*=UTF-8''")[2])
    assert name.endswith(f"-cheat-{table.match.public_id}.jsonl")
    assert "Сантасе" in name
    header = json.loads(answer.content.splitlines()[0])
    assert [bot["name"] for bot in header["bots"]] == [ODD_NAME, "cheat"]
    keys = {key.key for key in store.public_keys()}
    assert verify(answer.content, keys, table.tournament.secret).ok


def test_the_compressed_download_holds_the_same_bytes(table: Table):
    client = Client()
    plain = client.get(f"/matches/{table.match.pk}/replay/").content
    packed = client.get(f"/matches/{table.match.pk}/replay/?gzip")
    assert gzip.decompress(packed.content) == plain
    assert packed.headers["Content-Type"] == "application/gzip"


def test_no_replay_is_shown_before_both_matches_of_its_pair_are_over(table: Table):
    Match.objects.filter(pairing=table.pairing, game=1).update(status="queued", winner=None)
    page = Client().get(f"/matches/{table.match.pk}/").content.decode()
    assert "It appears as soon as the other match of the pair" in page
    assert "data-card" not in page
    assert Client().get(f"/matches/{table.match.pk}/replay/").status_code == 404


def test_a_lost_replay_file_is_said_and_the_rest_of_the_page_stands(table: Table, state):
    for path in (state / "replays").rglob("*.gz"):
        path.unlink()
    answer = Client().get(f"/matches/{table.match.pk}/")
    assert answer.status_code == 200
    assert "The file cannot be read at the moment" in answer.content.decode()
    assert Client().get(f"/matches/{table.match.pk}/replay/").status_code == 404


def test_a_match_that_waits_has_a_page_that_says_so(table: Table):
    Match.objects.filter(pairing=table.pairing).update(
        status="queued", winner=None, finished_at=None, replay="", reason=""
    )
    page = Client().get(f"/matches/{table.match.pk}/").content.decode()
    assert "Waits for a worker" in page


def test_fc075_stderr_is_for_its_owner_and_the_staff_alone(
    table: Table, as_ada: Client, as_boris: Client
):
    staff = Client()
    staff.force_login(User.objects.create_user("olga", is_staff=True))
    of_ada = f"/matches/{table.match.pk}/seats/0/log/"
    page = f"/matches/{table.match.pk}/"
    for client, may in ((as_ada, True), (staff, True), (as_boris, False), (Client(), False)):
        log = client.get(of_ada)
        assert log.status_code == (200 if may else 404)
        assert ("I sit at seat 0" in log.content.decode()) is may
        assert ("I sit at seat 0" in client.get(page).content.decode()) is may
    assert "play:XX" in as_boris.get(page).content.decode()


def test_a_log_is_downloaded_as_plain_text_whatever_is_in_it(table: Table, as_ada: Client):
    answer = as_ada.get(f"/matches/{table.match.pk}/seats/0/log/")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
