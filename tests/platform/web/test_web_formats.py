import re
from itertools import product

import pytest
from django.test import Client
from django.utils import translation
from web_table import accepted, bots_named

from accounts.models import User
from arena.commands.play_worker import MatchRow
from arena.commands.tally import Tally
from arena.rating import Decision, Hypotheses, in_words
from bots import pausing
from bots.models import Bot, Version
from matches.models import Match, Pairing
from tournaments import queries, services
from tournaments.models import Tournament
from tournaments.options import options
from tournaments.pump import pump
from web.words import trial_answer

ASKED = Hypotheses(0, 120)


@pytest.fixture
def paused(ada: User) -> Version:
    version = accepted(ada, "frail", "print(1)\n")
    pausing.pause(version.pk)
    version.refresh_from_db()
    return version


def test_a_paused_version_says_so_to_everybody_and_why(paused: Version) -> None:
    page = Client().get(f"/bots/{paused.bot_id}/").content.decode()
    assert "Version 1 is paused" in page
    assert "lost its last 3 matches by faults of its own" in page
    assert f"?version={paused.pk}&amp;fault=any" in page
    assert "/formats/#paused" in page
    assert "Let it play again" not in page


def test_its_owner_lets_it_play_again_with_one_button(paused: Version, as_ada: Client) -> None:
    address = f"/bots/{paused.bot_id}/"
    assert "paused" in as_ada.get("/bots/mine/").content.decode()
    assert f'action="{address}versions/1/resume/"' in as_ada.get(address).content.decode()
    answer = as_ada.post(f"{address}versions/1/resume/", follow=True)
    assert "Version 1 plays again." in answer.content.decode()
    assert "is paused" not in answer.content.decode()
    again = as_ada.post(f"{address}versions/1/resume/", follow=True)
    assert "is not paused" in again.content.decode()


def test_nobody_else_can(paused: Version, as_boris: Client) -> None:
    address = f"/bots/{paused.bot_id}/versions/1/resume/"
    assert as_boris.post(address).status_code == 403
    assert as_boris.get(address).status_code == 405
    assert as_boris.post(f"/bots/{paused.bot_id}/versions/2/resume/").status_code == 404
    assert Client().post(address).status_code == 302
    paused.refresh_from_db()
    assert paused.paused_at is not None


def tournament_of(ada: User, format: str) -> Tournament:
    bots = bots_named(ada, 3)
    first, *others = [bot.versions.get().pk for bot in bots]
    challenger = first if format in ("gauntlet", "sequential") else None
    made = services.create_tournament(options("Cup", format=format, challenger=challenger))
    services.enter(made, others[:1] if format == "sequential" else [first, *others])
    services.start(made)
    return made


@pytest.mark.parametrize(
    ("format", "language"),
    list(product(("round_robin", "gauntlet", "ladder", "sequential"), ("en", "bg"))),
)
def test_the_page_of_every_format_is_whole(ada: User, format: str, language: str) -> None:
    tournament = tournament_of(ada, format)
    pump(tournament.pk)
    services.freeze(tournament)
    client = Client(headers={"accept-language": language})
    for address in ("/tournaments/cup/", "/tournaments/cup/live/", "/tournaments/", "/"):
        assert client.get(address).status_code == 200
    page = client.get("/tournaments/cup/").content.decode()
    assert f"/formats/#{format}" in page
    assert ("frozen" if language == "en" else "замразен") in page
    assert "None" not in re.sub(r"<[^>]*>", "", page)


def test_the_page_of_the_formats_tells_every_rule_in_both_languages(db: None) -> None:
    for language, words in (("en", "loses 3 matches in a row"), ("bg", "загуби 3 мача поред")):
        page = Client(headers={"accept-language": language}).get("/formats/").content.decode()
        for anchor in (
            "round_robin", "gauntlet", "ladder", "sequential", "withdrawn", "frozen", "paused",
            "secrets",
        ):  # fmt: skip
            assert f'id="{anchor}"' in page
        assert words in page


def test_a_paused_version_is_marked_in_the_standings(ada: User) -> None:
    tournament = tournament_of(ada, "round_robin")
    paused = Version.objects.filter(entries__tournament=tournament).first()
    assert paused is not None
    pausing.pause(paused.pk)
    assert "paused</span>" in Client().get("/tournaments/cup/live/").content.decode()


@pytest.mark.parametrize(("format", "says"), [("sequential", True), ("round_robin", False)])
def test_a_test_says_that_it_waits_for_a_person_where_a_pairing_is_put_aside(
    ada: User, format: str, says: bool
) -> None:
    pump(tournament_of(ada, format).pk)
    Pairing.objects.filter(pk=Pairing.objects.order_by("pk")[0].pk).update(status="parked")
    for language, words in (("en", "waits for a person"), ("bg", "чака човек")):
        client = Client(headers={"accept-language": language})
        page = client.get("/tournaments/cup/live/").content.decode()
        assert (words in page) is says


# --- The same answer on the page and on the command line ---------------------------------------


def played_test(ada: User, scores: list[int]) -> tuple[Tournament, Version, Version]:
    """A test of whose pairs the challenger, the higher id, won so many matches each."""
    other, first = (bot.versions.get() for bot in bots_named(ada, 2))
    asked = options(
        "Cup", format="sequential", challenger=first.pk, question=ASKED, pairs=len(scores),
        max_pairs=len(scores),
    )  # fmt: skip
    made = services.create_tournament(asked)
    services.enter(made, [other.pk])
    services.start(made)
    assert pump(made.pk) == 1
    for match in Match.objects.order_by("pair", "game"):
        seat = 0 if match.seat0_id == first.pk else 1
        Match.objects.filter(pk=match.pk).update(
            status="finished",
            winner=seat if scores[match.pair] > match.game else 1 - seat,
            reason="target",
            replay="made",
            finished_at=Pairing.objects.get().created_at,
        )
    return made, first, other


def on_the_command_line(
    scores: list[int], names: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> str:
    """What `santase compare` prints of these pairs, up to its decision."""
    tally = Tally(names, len(scores), False, ASKED)
    for won in scores:
        if tally.decision is not Decision.OPEN:
            break
        rows = [
            MatchRow({"winner": 0 if won > game else 1, "seats": "AB", "faults": []}, 0, 0.0)
            for game in (0, 1)
        ]
        tally.add((rows[0], rows[1]))
    tally.close(interrupted=False)
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "scores",
    [[2, 1, 2, 2] * 10, [0, 1, 0, 0, 1] * 12, [1, 2, 0, 1], [2, 0] * 8, [2] * 40 + [0] * 40],
)
def test_page_and_command_line_give_the_same_answer_for_the_same_pairs(
    ada: User, scores: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    tournament, first, other = played_test(ada, scores)
    stands = queries.trial(tournament)
    assert stands is not None
    told = on_the_command_line(scores, (str(first), str(other)), capsys)
    answer = trial_answer(stands)
    assert answer == in_words(stands.weighed, ASKED, str(first), str(other))
    assert answer in told.splitlines()
    assert f"LLR {stands.weighed.llr:+.2f}," in told
    assert f"2–0: {stands.won}, 1–1: {stands.split}, 0–2: {stands.lost}" in told
    page = Client().get("/tournaments/cup/").content.decode()
    assert answer in page
    ratio = f"{stands.weighed.llr:+.2f}".replace("-", "−")
    assert f"ratio {ratio}:" in page
    with translation.override("bg"):
        assert re.match("Да:|Не:|Още", trial_answer(stands))


def test_the_names_in_the_answer_are_shown_as_they_are(ada: User) -> None:
    tournament, first, _ = played_test(ada, [2] * 40)
    Bot.objects.filter(pk=first.bot_id).update(name="<b>x</b>")
    page = Client().get(f"/tournaments/{tournament.slug}/").content.decode()
    assert "Yes: &lt;b&gt;x&lt;/b&gt; v1 is better" in page
