"""The luck-adjusted lead on the page of a version: where it can be told, and what it rests on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from arena.rating import LEAST_PAIRS, luck_adjusted
from matches.models import Match, MatchStatus, Pairing, RulingKind, WorkerStatus
from matches.services.booking import add_up
from matches.services.rulings import rule
from ratings import luck, queries, services
from ratings.models import Snapshot
from tournaments import services as tournaments
from tournaments.pump import pump
from web.templatetags.web import percent

pytestmark = pytest.mark.django_db

TOO_FEW = {
    "en": "It needs 500 pairs between the two, with fewer it is a guess. The most so far, of those "
    "whose luck is known: {most}.",
    "bg": "Нужни са 500 двойки между двамата, с по-малко е налучкване. Най-много досега, от тези с "
    "известен късмет: {most}.",
}
HEADING = {"en": "Luck-adjusted: an extra", "bg": "Без късмета: допълнение"}


@pytest.fixture
def cup(made: Any, slots: None) -> Any:
    """Two versions and `LEAST_PAIRS` pairs, half of whose variance was luck."""
    return cup_of(made, 2, LEAST_PAIRS)


def cup_of(made: Any, entries: int, pairs: int) -> Any:
    WorkerStatus.objects.update(slots=50)
    tournament = made.tournament(entries, pairs=pairs)
    pump(tournament.pk)
    for pairing in Pairing.objects.filter(tournament=tournament):
        play(pairing)
    services.refit(tournament.pk)
    return tournament


def play(pairing: Pairing, backwards: bool = False) -> None:
    """Results as luck has it; only their rows are made."""
    rng = np.random.default_rng(7)
    matches = list(Match.objects.filter(pairing=pairing).order_by("pair", "game"))
    for first, second in zip(matches[::2], matches[1::2], strict=True):
        fortune = rng.normal(0, 0.15)
        for match in (first, second):
            low_wins = rng.normal(0.1, 0.2) + fortune > 0
            match.luck = fortune + rng.normal(0, 0.05)
            if match.game == 1:
                match.luck = -match.luck
            match.winner = match.game if low_wins else 1 - match.game
            match.score0, match.score1 = (11, 5) if match.winner == 0 else (5, 11)
            match.status, match.reason, match.replay = MatchStatus.FINISHED, "target", "made"
            match.finished_at = timezone.now()
    Match.objects.filter(pairing=pairing).delete()  # an update of as many takes ten times as long
    Match.objects.bulk_create(matches[::-1] if backwards else matches)
    add_up(pairing)


def told(tournament: Any, version: int) -> luck.LuckOfVersion:
    return luck.luck_of(tournament.pk, version, queries.versus(tournament.pk, version))


def page(tournament: Any, version: int, language: str = "en") -> str:
    client = Client(headers={"accept-language": language})
    return client.get(f"/tournaments/{tournament.slug}/versions/{version}/").content.decode()


def by_hand(pairing: Pairing, games: Sequence[int] = (0, 1)) -> list[tuple[float, float]]:
    """Score and luck of each pair, as the version at `games[0]` in game 0 saw them."""
    matches = Match.objects.filter(pairing=pairing).order_by("pair", "game")
    pairs: dict[int, list[tuple[bool, float]]] = {}
    for match in matches:
        seat = games[match.game]
        assert match.luck is not None
        own = match.luck if seat == 0 else -match.luck
        pairs.setdefault(match.pair, []).append((match.winner == seat, own))
    return [((one[0] + other[0]) / 2, (one[1] + other[1]) / 2) for one, other in pairs.values()]


def test_it_is_what_santase_play_would_say_of_the_same_pairs(cup: Any) -> None:
    pairing = Pairing.objects.get()
    (low,), (high,) = (told(cup, pk).meetings for pk in (pairing.low_id, pairing.high_id))
    assert low.adjusted == luck_adjusted(by_hand(pairing))
    assert high.adjusted == luck_adjusted(by_hand(pairing, (1, 0)))
    assert low.adjusted.elo == pytest.approx(-high.adjusted.elo)
    assert low.adjusted.removed > 0.2
    assert low.adjusted.error < low.plain.error
    assert (low.plain.pairs, low.opponent.pk) == (LEAST_PAIRS, pairing.high_id)


@pytest.mark.parametrize("language", ["en", "bg"])
def test_the_page_shows_lead_error_and_the_part_of_luck_marked_as_an_extra(
    cup: Any, language: str
) -> None:
    pairing = Pairing.objects.get()
    (found,) = told(cup, pairing.low_id).meetings
    shown = page(cup, pairing.low_id, language).partition('id="luck"')[2]
    assert shown.startswith(f">{HEADING[language]}<")
    adjusted = found.adjusted
    assert f"+{adjusted.elo:.0f} <small>±&#8202;{adjusted.error:.0f}</small>" in shown
    with override(language):
        assert f">{percent(adjusted.removed)}<" in shown
    assert {"en": "It ranks nobody", "bg": "Никого не подрежда"}[language] in shown
    assert TOO_FEW[language].partition("500")[0] not in shown


@pytest.mark.parametrize("language", ["en", "bg"])
def test_with_a_pair_too_few_the_page_says_once_what_it_needs(cup: Any, language: str) -> None:
    match = Match.objects.all()[0]
    Match.objects.filter(pk=match.pk).update(luck=None)
    low = Pairing.objects.get().low_id
    found = told(cup, low)
    assert (found.meetings, found.most_pairs, found.too_few) == ([], LEAST_PAIRS - 1, True)
    shown = page(cup, low, language)
    assert shown.count(HEADING[language]) == 1
    assert shown.count(TOO_FEW[language].format(most=LEAST_PAIRS - 1)) == 1


def test_of_several_opponents_the_longest_meeting_is_named(made: Any, slots: None) -> None:
    tournament = cup_of(made, 3, 2)
    first, second, _ = Pairing.objects.order_by("pk")
    (both,) = {first.low_id, first.high_id} & {second.low_id, second.high_id}
    boss = User.objects.create_user("boss", is_staff=True)
    rule(Match.objects.filter(pairing=first)[0], RulingKind.VOID, boss, "void")
    services.refit(tournament.pk)
    assert page(tournament, both).count(TOO_FEW["en"].format(most=2)) == 1


def test_a_version_that_has_met_nobody_is_told_nothing_about_luck(made: Any, slots: None) -> None:
    tournament = made.tournament(2)
    (version, *_) = tournament.entries.values_list("version_id", flat=True)
    assert HEADING["en"] not in page(tournament, version)


@pytest.mark.parametrize("kind", [RulingKind.VOID, RulingKind.REPLAY])
def test_what_a_ruling_takes_out_is_out_of_it_too(cup: Any, kind: RulingKind) -> None:
    low = Pairing.objects.get().low_id
    boss = User.objects.create_user("boss", is_staff=True)
    rule(Match.objects.all()[7], kind, boss, "a stall of the host")
    services.refit(cup.pk)
    (versus,) = queries.versus(cup.pk, low)
    assert versus.pairs == told(cup, low).most_pairs == LEAST_PAIRS - 1


def test_a_match_that_nobody_started_is_in_no_pair(cup: Any) -> None:
    low = Pairing.objects.get().low_id
    Match.objects.filter(pk=Match.objects.all()[0].pk).update(
        winner=None, score0=0, score1=0, reason="start", luck=0.1
    )
    add_up(Pairing.objects.get())
    services.refit(cup.pk)
    (versus,) = queries.versus(cup.pk, low)
    assert versus.pairs == told(cup, low).most_pairs == LEAST_PAIRS - 1


def test_the_order_of_booking_leaves_no_trace(cup: Any) -> None:
    pairing = Pairing.objects.get()
    before = told(cup, pairing.low_id)
    play(pairing, backwards=True)
    services.refit(cup.pk)
    assert told(cup, pairing.low_id) == before


def test_luck_that_explains_nothing_is_not_shown(cup: Any) -> None:
    low = Pairing.objects.get().low_id
    Match.objects.update(luck=0.0)
    assert told(cup, low).meetings == []
    assert "luck explains nothing in the pairs" in page(cup, low)
    assert "късметът не обяснява нищо" in page(cup, low, "bg")


def test_another_tournament_of_the_same_two_is_another_meeting(cup: Any, made: Any) -> None:
    low, high = Pairing.objects.values_list("low_id", "high_id").get()
    before = told(cup, low)
    second = made.tournament(0, pairs=3)
    tournaments.enter(second, [low, high])
    pump(second.pk)
    play(Pairing.objects.get(tournament=second))
    services.refit(second.pk)
    assert told(second, low).most_pairs == 3
    assert told(cup, low) == before


def test_the_shortest_meetings_are_read_as_far_as_a_page_may_go(
    made: Any, slots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = cup_of(made, 3, LEAST_PAIRS)
    first, second, _ = Pairing.objects.order_by("pk")
    (both,) = {first.low_id, first.high_id} & {second.low_id, second.high_id}
    assert len(told(tournament, both).meetings) == 2
    assert "left out" not in page(tournament, both)
    for most, shown in ((2 * LEAST_PAIRS - 1, 1), (LEAST_PAIRS - 1, 0)):
        monkeypatch.setattr(luck, "MOST_PAIRS", most)
        found = told(tournament, both)
        assert (len(found.meetings), found.left_out) == (shown, 2 - shown)
        assert "It needs" not in page(tournament, both)
    assert "2 opponents are left out: for one page 499 pairs" in page(tournament, both)
    assert "Пропуснати са 2 противника: за една страница" in page(tournament, both, "bg")


def test_fc136_more_opponents_and_pairs_cost_the_page_no_more_queries(
    made: Any, slots: None
) -> None:
    counts = []
    for entries, pairs in ((2, 1), (3, LEAST_PAIRS), (9, 1)):
        tournament = cup_of(made, entries, pairs)
        version = Pairing.objects.filter(tournament=tournament)[0].low_id
        with CaptureQueriesContext(connection) as captured:
            page(tournament, version)
        counts.append(len(captured))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 13


def test_the_pairs_are_read_once_a_refit(cup: Any) -> None:
    low = Pairing.objects.get().low_id
    met = queries.versus(cup.pk, low)
    queries_of = []
    for refitted in (False, False, True):
        if refitted:
            Snapshot.objects.get(tournament=cup).save()
        with CaptureQueriesContext(connection) as captured:
            luck.luck_of(cup.pk, low, met)
        queries_of.append(len(captured))
    assert queries_of == [2, 1, 2]
