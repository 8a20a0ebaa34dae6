import json
import re
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from filmed_match import SECRET, filmed, requests_of
from web_table import LARGEST_PAGE

from accounts.models import User
from arena.referee import FaultName
from arena.santase import PACK, ruleset, view_for
from bots.models import Bot
from matches import queries
from matches.models import Match
from replays.positions import positions

CODES = sorted(str(card) for card in PACK)


@pytest.fixture
def match(db, made, slots) -> Match:
    return filmed(made)


def page(match: Match, query: str = "", client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/matches/{match.pk}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def frames_of(match: Match, client: Client | None = None) -> list[dict]:
    """The frames of the document, each made whole."""
    answer = (client or Client()).get(f"/matches/{match.pk}/frames/")
    assert answer.status_code == 200
    now: dict = {}
    return [now := {**now, **change} for change in json.loads(answer.content)["frames"]]


def cards_of(frame: dict, *, table: bool) -> list[str]:
    names = ["zone hand0", "zone hand1", "zone talon"]
    names += ["zone played0", "zone played1"] if table else []
    laid = [token[:2] for name in names for token in frame[name].split()]
    piles = [code for seat in "01" for code in re.findall(r"[9JQKTA][CDHS]", frame[f"pile {seat}"])]
    return sorted(laid + piles)


def is_taken(frame: dict) -> bool:
    return "*" in frame["zone played0"] + frame["zone played1"]


@pytest.mark.parametrize("seed", range(4))
def test_every_frame_has_all_24_cards_and_the_last_one_the_result(db, made, slots, seed):
    match = filmed(made, seed=seed, stubborn=seed % 2 == 0)
    frames = frames_of(match)
    for frame in frames:
        # A trick just taken lies on the table once more, so that one sees it.
        assert cards_of(frame, table=not is_taken(frame)) == CODES
    assert (frames[-1]["text score0"], frames[-1]["text score1"]) == (
        str(match.score0),
        str(match.score1),
    )
    assert "wins the match" in frames[-1]["text after"]
    assert not any("wins the match" in frame["text after"] for frame in frames[:-1])


def test_the_document_is_bounded_by_the_longest_match(db, made, slots):
    longest = filmed(made, seed=2, stubborn=True)
    answer = Client().get(f"/matches/{longest.pk}/frames/")
    row = positions(queries.replay(longest))
    assert len(answer.content) < 8_000 + 700 * len(row)
    assert 21 * 31 * 700 < 500_000  # deals of a match (R12.4), positions of a deal (R12.5)


def test_the_document_is_asked_for_again_only_when_it_changed(match: Match):
    client = Client()
    first = client.get(f"/matches/{match.pk}/frames/")
    again = client.get(
        f"/matches/{match.pk}/frames/", headers={"if-none-match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    packed = client.get(f"/matches/{match.pk}/frames/", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) * 4 < len(first.content)


def test_a_document_is_made_once_and_who_has_it_is_told_so_without_a_replay(match: Match, state):
    address = f"/matches/{match.pk}/frames/"
    client = Client()
    first = client.get(address)
    for path in (state / "replays").rglob("*.gz"):
        path.unlink()
    assert client.get(address).content == first.content
    has_it = {"if-none-match": first.headers["ETag"]}
    known = client.get(address, headers=has_it)
    assert known.status_code == 304
    assert known.headers["ETag"] == first.headers["ETag"]
    assert known.headers["Cache-Control"] == first.headers["Cache-Control"] == "no-cache"
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    again = client.get(address, headers={"if-none-match": packed.headers["ETag"]})
    assert again.status_code == 304
    # Another language has an edition of its own, which has not been made; nor may all ask for it.
    assert client.get(address, headers={"accept-language": "bg", **has_it}).status_code == 404
    Match.objects.filter(pairing=match.pairing, game=1).update(status="queued", winner=None)
    assert client.get(address, headers=has_it).status_code == 404


def test_a_bot_with_a_new_name_makes_a_new_edition(match: Match):
    address = f"/matches/{match.pk}/frames/"
    first = Client().get(address)
    Bot.objects.filter(pk=match.seat0.bot_id).update(name="Renamed & co")
    second = Client().get(address, headers={"if-none-match": first.headers["ETag"]})
    assert second.status_code == 200
    assert "Renamed &amp; co" in second.content.decode()


@pytest.mark.parametrize("language", ["en", "bg"])
def test_each_position_has_a_page_of_its_own_without_a_script(match: Match, language):
    client = Client(headers={"accept-language": language})
    frames = frames_of(match, client)
    last = len(frames) - 1
    for at in (0, 1, 9, last // 2, last):
        text = page(match, f"?at={at}", client)
        frame = frames[at]
        for name in ("words", "after", "points0", "points1", "melds0", "talon", "bank0"):
            assert f'data-text="{name}">{frame[f"text {name}"]}<' in text, name
        for zone in ("hand0", "hand1", "played0", "talon"):
            found = re.search(rf'data-zone="{zone}".*?</ul>', text, re.DOTALL)
            assert found is not None
            shown = re.findall(r'data-card="(..)"', found[0])
            assert shown == [token[:2] for token in frame[f"zone {zone}"].split()]
        assert text.count('aria-current="step"') == 1
        assert len(text.encode()) < LARGEST_PAGE


def test_the_links_of_a_position_lead_one_action_trick_and_deal_on_and_back(match: Match):
    frames = frames_of(match)
    at = next(n for n, frame in enumerate(frames) if frame["deal"] == 2 and frame["trick"] == 2)
    text = page(match, f"?at={at}")
    found = re.findall(r'href="[^"]*\?at=(\d+)#player"[^>]*data-step="([\w-]+)"', text)
    ways = {name: int(to) for to, name in found}
    opens = [n for n, frame in enumerate(frames) if frame["opens"]]
    stops = [n for n, frame in enumerate(frames) if frame["stop"]]
    assert ways["first"] == 0
    assert ways["last"] == len(frames) - 1
    assert (ways["back"], ways["on"]) == (at - 1, at + 1)
    assert ways["deal-back"] == max(n for n in opens if n < at)
    assert ways["deal-on"] == min(n for n in opens if n > at)
    assert ways["trick-back"] == max(n for n in stops if n < at)
    assert ways["trick-on"] == min(n for n in stops if n > at)
    assert 'data-step="on"' in page(match, f"?at={len(frames) - 1}")
    assert 'aria-disabled="true" data-step="on"' in page(match, f"?at={len(frames) - 1}")


@pytest.mark.parametrize("query", ["?at=x", "?at=-1", "?at=", "?at=%00", "?seat=7&at=²", "?at=٣"])
def test_an_odd_position_shows_one_that_exists(match: Match, query):
    assert page(match, query).count('aria-current="step"') == 1


def test_crawlers_are_led_to_the_match_and_not_to_each_of_its_positions(match: Match):
    text = page(match, "?at=70&seat=1")
    assert f'<link rel="canonical" href="http://testserver/matches/{match.pk}/">' in text
    links = re.findall(r"<a [^>]*\?at=[^>]*>", text)
    assert len(links) > 20
    assert [link for link in links if 'rel="nofollow"' not in link] == []
    robots = Client().get("/robots.txt")
    assert robots.headers["Content-Type"].startswith("text/plain")
    assert {"User-agent: *", "Disallow: /*?at=", "Disallow: /*/frames/"} <= set(
        robots.content.decode().splitlines()
    )


def test_a_position_beyond_the_end_is_the_end(match: Match):
    last = len(frames_of(match)) - 1
    assert f'data-at="{last}" data-seat=' in page(match, "?at=999999999999")
    assert f'data-at="{last}" data-seat=' in page(match, "?at=99999")


@pytest.mark.parametrize("seat", [0, 1])
def test_from_a_seat_one_sees_what_its_bot_was_told_and_no_other_card(match: Match, seat):
    for position in positions(queries.replay(match))[:60:3]:
        text = page(match, f"?at={position.at}&seat={seat}")
        found = re.search(rf'data-zone="hand{1 - seat}".*?</ul>', text, re.DOTALL)
        assert found is not None
        open_cards = re.findall(r"cards/([9JQKTA][CDHS])\.svg", found[0])
        known = view_for(position.state, seat, position.score).opponent_known
        assert sorted(open_cards) == sorted(map(str, known))
        assert found[0].count("back.svg") == len(position.state.hands[1 - seat]) - len(known)


def test_a_fault_is_told_where_it_happened_with_the_clause_and_the_table_as_it_stood(
    db, made, slots
):
    match = filmed(made, seed=4, fault=FaultName.ILLEGAL)
    text = page(match, "?at=9999")
    caption = re.search(r'class="caption".*?<p class="took"', text, re.DOTALL)
    assert caption is not None
    assert "illegal action" in caption[0]
    assert "play:XX" in caption[0]
    assert 'href="/rules/#R14"' in caption[0]
    assert "wins the match" in caption[0]
    assert not re.search(r"<a [^>]*data-at[^>]*>(?:(?!</a>).)*<a ", text, re.DOTALL)


def test_the_end_of_a_deal_names_its_clause_on_the_rules_page(match: Match):
    ends = [each for before, each in pairwise(frames_of(match)) if each["turn"] is None]
    assert ends
    for frame in ends:
        assert re.search(r'<a href="/rules/#R\d+">rule R\d+\.\d+</a>', frame["text after"])


def viewers(match: Match) -> dict[str, Client]:
    clients = {"anonymous": Client()}
    users = {
        "owner 0": match.seat0.bot.owner,
        "owner 1": match.seat1.bot.owner,
        "stranger": User.objects.create_user("stranger"),
        "staff": User.objects.create_user("olga", is_staff=True),
    }
    for name, user in users.items():
        clients[name] = Client()
        clients[name].force_login(user)
    return clients


def test_fc075_notes_and_stderr_reach_the_owner_and_the_staff_and_nobody_else(match: Match):
    last = len(frames_of(match)) - 1
    asked = {seat: requests_of(queries.replay(match), seat) for seat in (0, 1)}
    at = {
        frame["request"]: number
        for number, frame in enumerate(frames_of(match))
        if "request" in frame
    }
    for name, client in viewers(match).items():
        for seat in (0, 1):
            may = name in {"staff", f"owner {seat}"}
            private = client.get(f"/matches/{match.pk}/seats/{seat}/remarks/")
            assert private.status_code == (200 if may else 404), name
            first, second = asked[seat][0], asked[seat][1]
            pages = [
                page(match, f"?at={number}", client) for number in (0, at[first], at[second], last)
            ]
            pages.append(client.get(f"/matches/{match.pk}/frames/").content.decode())
            assert any(SECRET[seat] in each for each in pages) is may, name
            assert any(f"note &lt;b&gt;{seat}" in each for each in pages) is may, name
            assert (f'data-remarks{seat}="' in pages[0]) is may, name
            if may:
                assert "no-store" in private.headers["Cache-Control"]
                assert private.json()[str(first)] == ["", f"{SECRET[seat]}\n"]
                assert private.json()[str(second)][0] == f"note <b>{seat}</b> & more"
                assert private.json()["0"] == ["", f"loading {seat}\n"]
                assert private.json()[str(asked[seat][-1])] == ["", f"at the end {seat}\n"]


def test_a_page_with_the_logs_of_a_bot_is_kept_by_nobody_on_its_way(match: Match):
    for name, client in viewers(match).items():
        answer = client.get(f"/matches/{match.pk}/")
        kept = answer.headers.get("Cache-Control", "")
        assert ("no-store" in kept and "private" in kept) is ("owner" in name or name == "staff")


def test_what_is_for_every_reader_is_the_same_bytes_for_the_owner_and_for_strangers(match: Match):
    address = f"/matches/{match.pk}/frames/"
    assert len({client.get(address).content for client in viewers(match).values()}) == 1


def test_before_both_matches_of_the_pair_are_over_nothing_of_the_deals_is_sent(match: Match):
    Match.objects.filter(pairing=match.pairing, game=1).update(status="queued", winner=None)
    for client in viewers(match).values():
        assert client.get(f"/matches/{match.pk}/frames/").status_code == 404
        assert client.get(f"/matches/{match.pk}/seats/0/remarks/").status_code == 404
        assert "data-card" not in page(match, "?at=7", client)


def test_a_long_match_and_a_late_position_cost_no_more_queries(db, made, slots):
    short = filmed(made, seed=1, fault=FaultName.ILLEGAL)
    long = filmed(made, seed=2, stubborn=True)
    counts = set()
    for address in (
        f"/matches/{short.pk}/", f"/matches/{long.pk}/", f"/matches/{long.pk}/?at=200&seat=1",
    ):  # fmt: skip
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(address).status_code == 200
        counts.add(len(captured))
    assert len(counts) == 1
    assert counts.pop() <= 10
    with CaptureQueriesContext(connection) as captured:
        Client().get(f"/matches/{long.pk}/frames/")
    assert len(captured) <= 3


def test_the_four_colour_deck_is_remembered_in_this_browser_alone(match: Match):
    client = Client()
    here = f"/matches/{match.pk}/?at=0#player"
    answer = client.post("/deck/", {"deck": "four", "next": here})
    assert answer.status_code == 302
    assert answer.headers["Location"] == here
    text = page(match, "?at=0", client)
    assert 'data-deck="four"' in text
    for code in re.findall(r'data-card="(..)"><img src="/static/web/cards/four/', text):
        assert code[1] in "CD"
    assert "/static/web/cards/four/" in text
    assert "/static/web/cards/four/" not in page(match, "?at=0")
    client.post("/deck/", {"deck": "nonsense", "next": "https://evil.example/"})
    assert 'data-deck="two"' in page(match, "?at=0", client)


def test_choosing_a_deck_never_leads_to_another_site(db):
    answer = Client().post("/deck/", {"deck": "four", "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/matches/"
    assert Client().get("/deck/").status_code == 405


def test_choosing_a_deck_never_leads_from_https_to_http(db):
    for secure, back in ((True, "/matches/"), (False, "http://testserver/rules/")):
        answer = Client().post(
            "/deck/", {"deck": "four", "next": "http://testserver/rules/"}, secure=secure
        )
        assert answer.headers["Location"] == back


def test_other_rule_sets_are_shown_too(db, made, slots):
    match = filmed(made, seed=3, rules=ruleset("nikolayit"))
    frames = frames_of(match)
    assert cards_of(frames[5], table=not is_taken(frames[5])) == CODES
    assert page(match, "?at=5")


def test_the_words_of_the_frames_are_in_the_readers_language(match: Match):
    english = frames_of(match)
    bulgarian = frames_of(match, Client(headers={"accept-language": "bg"}))
    with translation.override("en"):
        assert "deals." in english[0]["text words"]
    assert "раздава" in bulgarian[0]["text words"]
    for frame in bulgarian:
        words = re.sub(r"<bdi>.*?</bdi>|<[^>]*>", "", frame["text words"] + frame["text after"])
        assert not re.search(r"[a-z]{3}", words), words
