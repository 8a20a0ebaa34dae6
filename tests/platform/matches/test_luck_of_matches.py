"""The luck of a match: booked with it, gone with it, and the same by its replay."""

import json
import math
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from arena.rating import match_luck
from arena.referee.played_again import deals_of
from matches import runner
from matches.models import Match, Pairing, RulingKind
from matches.services import leases
from matches.services.booking import record_result
from matches.services.rulings import rule
from replays import store
from tournaments import services as tournaments
from tournaments.audit import Findings, audit
from tournaments.pump import pump
from tournaments.recount import recount

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(made: Any, slots: None) -> Any:
    """Two house bots that have really played a pair."""
    tournament = made.tournament(0, pairs=1)
    versions = [made.house_version(name) for name in ("greedy", "random")]
    tournaments.enter(tournament, [version.pk for version in versions])
    pump(tournament.pk)
    runner.run_pairing(Pairing.objects.get().pk, "here")
    return tournament


def by_the_replay(match: Match) -> float:
    return match_luck(deals_of(store.load(match.replay)))


def discrepancies() -> list[str]:
    findings = Findings()
    audit(findings, sample=None)
    return findings.discrepancies


def with_luck(luck: float | None) -> Match:
    """The first match, its luck set by hand."""
    match = Match.objects.order_by("pk")[0]
    Match.objects.filter(pk=match.pk).update(luck=luck)
    return match


def test_a_match_is_booked_with_the_luck_of_its_cards(cup: Any) -> None:
    one, other = Match.objects.order_by("pk")
    assert (one.luck, other.luck) == (by_the_replay(one), by_the_replay(other))
    assert one.luck != other.luck
    assert 0 < abs(one.luck or 0) < 1


def test_where_no_card_was_dealt_luck_is_not_known(made: Any, slots: None) -> None:
    tournament = made.tournament(0, pairs=1)
    broken = [made.version(data=b"1 / 0\n"), made.version(data=b"[][1]\n")]
    tournaments.enter(tournament, [version.pk for version in broken])
    pump(tournament.pk)
    runner.run_pairing(Pairing.objects.get().pk, "here")
    assert list(Match.objects.values_list("deals", "luck")) == [(0, None)] * 2


def test_a_match_booked_twice_keeps_the_luck_of_the_first(cup: Any, made: Any) -> None:
    match = Match.objects.order_by("pk")[0]
    assert not made.book(match, match.pairing.attempt, winner=0)
    assert Match.objects.get(pk=match.pk).luck == match.luck


def test_luck_costs_a_booking_no_query(made: Any, slots: None) -> None:
    tournament = made.tournament(2, pairs=2)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    match = leases.unfinished(held)[0]
    record = made.record(match)
    name = store.keep(match.public_id, record.body)
    with CaptureQueriesContext(connection) as captured:
        record_result(match, held.attempt, record, name)
    said = [row["sql"].split()[0] for row in captured if "SAVEPOINT" not in row["sql"]]
    # The pairing, the match, both logs, the worker; the pairing's matches and its sums.
    assert said == ["SELECT", "UPDATE", "INSERT", "UPDATE", "SELECT", "UPDATE"]


def test_a_match_to_be_played_again_has_no_luck_until_it_is_played(cup: Any) -> None:
    match = with_luck(0.9)
    boss = User.objects.create_user("boss", is_staff=True)
    rule(match, RulingKind.REPLAY, boss, "again")
    match.refresh_from_db()
    assert match.luck is None
    assert discrepancies() == []
    runner.run_pairing(match.pairing_id, "here")
    match.refresh_from_db()
    assert match.luck == by_the_replay(match) != 0.9


def test_luck_of_a_match_that_was_not_played_is_a_discrepancy(made: Any, slots: None) -> None:
    pump(made.tournament(2, pairs=1).pk)
    assert discrepancies() == []
    match = with_luck(0.0)
    assert f"{match}: it is queued and has a result" in discrepancies()[0]


def test_recount_and_audit_name_luck_that_differs_in_its_last_bit(cup: Any) -> None:
    luck = by_the_replay(Match.objects.order_by("pk")[0])
    assert recount(cup).differences == ()
    match = with_luck(math.nextafter(luck, 1))
    named = f"{match}: the luck is {luck} in its replay, {math.nextafter(luck, 1)} in the database"
    assert recount(cup).differences == (named,)
    assert discrepancies() == [named]


def test_luck_that_is_not_known_is_no_difference(cup: Any) -> None:
    with_luck(None)
    assert recount(cup).differences == ()
    assert discrepancies() == []


def test_luck_without_cards_is_a_difference(made: Any, slots: None) -> None:
    tournament = made.tournament(2, pairs=1)
    pump(tournament.pk)
    made.play(Pairing.objects.get())
    match = with_luck(0.25)
    named = f"{match}: the luck is None in its replay, 0.25 in the database"
    assert recount(tournament).differences == (named,)


def test_a_recount_names_a_replay_that_breaks_the_rules(cup: Any) -> None:
    match = Match.objects.order_by("pk")[0]
    header, first, *rest, _ = store.load(match.replay).splitlines()
    deal = json.loads(first)
    deal["actions"].insert(1, deal["actions"][0])  # the same card once more
    body = b"\n".join([header, json.dumps(deal).encode(), *rest, b""])
    match.replay = store.keep(match.public_id, body)
    match.save()
    (named,) = recount(cup).differences
    assert f"the replay of {match} breaks the rules" in named
