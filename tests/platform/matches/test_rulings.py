"""A person can act: disputes by authors, rulings by the organisers, and what follows from them."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import User
from matches import queries, runner
from matches.errors import (
    BadReason,
    DisputedAlready,
    MayNotRule,
    NotDisputable,
    NotRulable,
    TooManyDisputes,
)
from matches.models import (
    Dispute,
    Match,
    MatchStatus,
    Pairing,
    PairingStatus,
    Ruling,
    RulingKind,
    SeatLog,
)
from matches.services import disputes, leases
from matches.services.rulings import chain_breaks, rule
from ratings.models import Rating
from ratings.services import refit
from replays import store
from tournaments import services as tournaments
from tournaments.audit import Findings, audit
from tournaments.pump import pump
from tournaments.recount import recount

pytestmark = pytest.mark.django_db


@pytest.fixture
def pairing(made: Any, slots: None) -> Pairing:
    """Two versions, two pairs: the lower has won everything."""
    tournament = made.tournament(2, pairs=2)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    for match in leases.unfinished(held):
        made.book(match, held.attempt, winner=match.game)
    held.refresh_from_db()
    return held


@pytest.fixture
def match(pairing: Pairing) -> Match:
    found = queries.match(Match.objects.order_by("pk")[0].pk)
    assert found is not None
    return found


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_user("boss", is_staff=True)


def discrepancies() -> list[str]:
    findings = Findings()
    audit(findings, sample=0)
    return findings.discrepancies


def elo(version: Any) -> float:
    refit(Pairing.objects.get().tournament_id)
    return float(Rating.objects.get(version=version).elo)


def test_a_void_match_is_in_no_total_and_the_ratings_follow(
    pairing: Pairing, match: Match, boss: User
) -> None:
    before = elo(pairing.low)
    rule(match, RulingKind.VOID, boss, "the machine was broken")
    match.refresh_from_db()
    pairing.refresh_from_db()
    assert (match.status, pairing.status) == (MatchStatus.VOID, PairingStatus.FINISHED)
    assert (pairing.played, pairing.won, pairing.singles_won) == (3, 1, 1)
    assert elo(pairing.low) < before
    assert list(queries.match_list()) == list(Match.objects.exclude(pk=match.pk).order_by("-pk"))
    assert queries.replay_name(match) == match.replay, "it stays, as evidence"
    assert discrepancies() == []


def test_a_confirmed_result_stays_as_it_is(pairing: Pairing, match: Match, boss: User) -> None:
    before = elo(pairing.low)
    rule(match, RulingKind.CONFIRM, boss, "looked at the replay: all is well")
    assert elo(pairing.low) == before
    assert [ruling.kind for ruling in queries.trail(match)] == ["confirm"]
    assert discrepancies() == []


def test_a_match_is_played_again_from_the_same_seed_as_a_new_attempt(
    made: Any, slots: None, boss: User
) -> None:
    tournament = made.tournament(0, pairs=1)
    versions = [made.house_version(name) for name in ("greedy", "random")]
    tournaments.enter(tournament, [version.pk for version in versions])
    pump(tournament.pk)
    pairing = Pairing.objects.get()
    runner.run_pairing(pairing.pk, "here")
    match = Match.objects.order_by("pk")[0]
    played = store.load(match.replay).splitlines()
    rule(match, RulingKind.REPLAY, boss, "the referee was suspected")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played, pairing.singles_won + pairing.singles_lost) == (
        PairingStatus.QUEUED, 1, 1,
    )  # fmt: skip
    assert discrepancies() == []
    runner.run_pairing(pairing.pk, "here")
    again = Match.objects.get(pk=match.pk)
    pairing.refresh_from_db()
    assert (pairing.status, pairing.attempt, pairing.played) == (PairingStatus.FINISHED, 2, 2)
    assert (again.status, again.seed) == (MatchStatus.FINISHED, match.seed)
    assert again.replay != match.replay
    assert (again.winner, again.score0, again.score1) == (
        match.winner, match.score0, match.score1,
    ), "both bots draw from the seed they are given"  # fmt: skip
    moves = [[row.split(b'"actions"')[0] for row in lines[1:-2]] for lines in (
        played, store.load(again.replay).splitlines(),
    )]  # fmt: skip
    assert moves[0] == moves[1], "FC128: the same decks"
    assert SeatLog.objects.filter(match=match, replaced_by=None).count() == 2
    assert SeatLog.objects.filter(match=match).count() == 4
    ruling = Ruling.objects.get()
    assert ruling.before["replay"] == match.replay, "the trail keeps the old one"
    findings = Findings()
    audit(findings, sample=None)
    assert findings.discrepancies == []
    assert recount(tournament).differences == ()


def test_fc117_a_void_match_may_be_played_again(
    pairing: Pairing, match: Match, boss: User, made: Any
) -> None:
    rule(match, RulingKind.VOID, boss, "first thought")
    with pytest.raises(NotRulable):
        rule(match, RulingKind.CONFIRM, boss, "it has no result that counts")
    rule(match, RulingKind.REPLAY, boss, "second thought")
    made.play(pairing, winner=1)
    match.refresh_from_db()
    assert match.winner == 1
    assert discrepancies() == []


def test_a_match_ruled_on_while_its_pairing_is_played_is_not_forgotten(
    made: Any, slots: None, boss: User
) -> None:
    tournament = made.tournament(2, pairs=2)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    first, *rest = leases.unfinished(held)
    made.book(first, held.attempt)
    rule(first, RulingKind.REPLAY, boss, "again, please")
    for match in rest:
        made.book(match, held.attempt)
    held.refresh_from_db()
    assert held.status == PairingStatus.RUNNING
    leases.hand_over(held)  # as the runner does at its end
    made.play(held)
    held.refresh_from_db()
    assert (held.status, held.played) == (PairingStatus.FINISHED, 4)


def test_a_match_called_off_while_it_waits_to_be_played_again_is_not_lost(
    pairing: Pairing, match: Match, boss: User, made: Any
) -> None:
    rule(match, RulingKind.REPLAY, boss, "again")
    tournaments.withdraw(pairing.tournament, pairing.low_id)
    match.refresh_from_db()
    assert match.status == MatchStatus.CANCELLED
    rule(match, RulingKind.REPLAY, boss, "it was called off: again")
    made.play(pairing)
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played) == (PairingStatus.FINISHED, 4)
    assert discrepancies() == []


@pytest.fixture
def half_played(made: Any, slots: None) -> Pairing:
    """Two matches of four are played, then a version goes."""
    tournament = made.tournament(3, pairs=2)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.order_by("pk")[0].pk, "test")
    assert held is not None
    for match in leases.unfinished(held)[:2]:
        made.book(match, held.attempt)
    leases.hand_over(held)
    tournaments.withdraw(tournament, held.low_id)
    held.refresh_from_db()
    return held


def test_a_ruling_on_a_cancelled_pairing_does_not_finish_it(
    half_played: Pairing, boss: User, made: Any
) -> None:
    first, second = half_played.matches.filter(status=MatchStatus.FINISHED).order_by("pk")
    rule(first, RulingKind.VOID, boss, "void")
    half_played.refresh_from_db()
    assert (half_played.status, half_played.finished_at) == (PairingStatus.CANCELLED, None)
    rule(second, RulingKind.REPLAY, boss, "again")
    made.play(half_played)
    half_played.refresh_from_db()
    assert (half_played.status, half_played.played) == (PairingStatus.CANCELLED, 1)
    assert discrepancies() == []
    tournaments.enter(half_played.tournament, [half_played.low_id])
    pump(half_played.tournament_id)
    made.play(half_played)
    half_played.refresh_from_db()
    assert (half_played.status, half_played.played) == (PairingStatus.FINISHED, 3)
    assert discrepancies() == []


def test_a_version_that_comes_back_while_a_match_is_played_again_plays_the_rest(
    half_played: Pairing, boss: User, made: Any
) -> None:
    rule(half_played.matches.order_by("pk")[0], RulingKind.REPLAY, boss, "again")
    tournaments.enter(half_played.tournament, [half_played.low_id])
    pump(half_played.tournament_id)
    made.play(half_played)
    half_played.refresh_from_db()
    assert (half_played.status, half_played.played) == (PairingStatus.FINISHED, 4)


def test_the_audit_names_cancelled_matches_in_a_finished_pairing(half_played: Pairing) -> None:
    Pairing.objects.filter(pk=half_played.pk).update(
        status=PairingStatus.FINISHED, finished_at=half_played.booked_at
    )
    assert f"pairing {half_played.pk}: it is finished with cancelled matches" in discrepancies()


def test_who_is_not_of_the_staff_or_owns_a_bot_in_the_match_does_not_decide(
    match: Match, boss: User
) -> None:
    author = match.seat0.bot.owner
    with pytest.raises(MayNotRule):
        rule(match, RulingKind.CONFIRM, author, "mine")
    author.is_staff = True
    author.save()
    with pytest.raises(MayNotRule):
        rule(match, RulingKind.VOID, author, "mine")
    answer = client_of(author).post(f"/matches/{match.pk}/decide/", {"kind": "void", "why": "x"})
    assert answer.status_code == 400
    assert "one of the two bots is yours" in answer.content.decode()
    assert not Ruling.objects.exists()


@pytest.mark.parametrize("why", ["\u200b", "\u202e \ufeff", "\ud7ff\xad"])
def test_a_reason_that_nobody_can_see_is_none(match: Match, boss: User, why: str) -> None:
    with pytest.raises(BadReason):
        rule(match, RulingKind.VOID, boss, why)
    with pytest.raises(BadReason):
        disputes.dispute(match, match.seat0.bot.owner, why)


def test_only_a_result_can_be_ruled_on(match: Match, boss: User) -> None:
    with pytest.raises(BadReason):
        rule(match, RulingKind.VOID, boss, " \x00\n ")
    with pytest.raises(BadReason):
        rule(match, RulingKind.VOID, boss, "x" * 1_001)
    rule(match, RulingKind.REPLAY, boss, "again")
    with pytest.raises(NotRulable):
        rule(match, RulingKind.VOID, boss, "it has not been played yet")
    assert Ruling.objects.count() == 1


def test_the_trail_shows_what_was_altered_and_what_was_taken_away(match: Match, boss: User) -> None:
    for why in ("one", "two", "three", "four"):
        rule(match, RulingKind.CONFIRM, boss, why)
    assert list(chain_breaks()) == []
    first, second, third, _ = Ruling.objects.order_by("pk")
    with transaction.atomic():
        Ruling.objects.filter(pk=second.pk).update(why="another reason")
        assert list(chain_breaks()) == [f"ruling {second.pk}: it was altered"]
        transaction.set_rollback(True)
    after_it = third.pk + 1
    third.delete()  # the newest could go unseen: the log has its hash
    assert list(chain_breaks()) == [f"ruling {after_it}: one before it was taken away"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.create(
            match=match, kind="void", by=boss, why="x", before={}, made_at=first.made_at,
            previous=first.sha256, sha256="0",
        )  # fmt: skip


# --- Disputes --------------------------------------------------------------------------------


def test_an_author_disputes_a_match_once_until_it_is_decided(match: Match, boss: User) -> None:
    author, other = match.seat0.bot.owner, match.seat1.bot.owner
    disputes.dispute(match, author, "my bot never answered so late")
    for who in (author, other):
        with pytest.raises(DisputedAlready):
            disputes.dispute(match, who, "again")
    assert [each.match for each in queries.open_disputes()] == [match]
    ruling = rule(match, RulingKind.CONFIRM, boss, "the clock says otherwise")
    assert Dispute.objects.get().ruling == ruling
    assert not queries.open_disputes()
    disputes.dispute(match, other, "and I think so too")


def test_only_owners_dispute_and_only_what_is_played(match: Match, made: Any, boss: User) -> None:
    with pytest.raises(NotDisputable):
        disputes.dispute(match, boss, "I did not play")
    rule(match, RulingKind.REPLAY, boss, "again")
    with pytest.raises(NotDisputable):  # though the match in hand is as it was before
        disputes.dispute(match, match.seat0.bot.owner, "it is not played")


def test_fc102_disputes_of_a_day_are_bounded(made: Any, slots: None) -> None:
    tournament = made.tournament(2, pairs=3)
    pump(tournament.pk)
    pairing = made.play(Pairing.objects.get())
    author = pairing.low.bot.owner
    matches = Match.objects.filter(pairing=pairing).select_related("seat0__bot", "seat1__bot")
    for match in matches[: disputes.MOST_A_DAY]:
        disputes.dispute(match, author, "why?")
    with pytest.raises(TooManyDisputes):
        disputes.dispute(matches[disputes.MOST_A_DAY], author, "why?")


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_forms_are_for_those_whom_they_concern(match: Match, boss: User) -> None:
    address = f"/matches/{match.pk}/"
    author = match.seat0.bot.owner
    stranger = User.objects.create_user("stranger")
    pages = {
        who: client.get(address).content.decode()
        for who, client in {
            "nobody": Client(), "stranger": client_of(stranger),
            "author": client_of(author), "boss": client_of(boss),
        }.items()
    }  # fmt: skip
    assert [who for who, page in pages.items() if "dispute/" in page] == ["author"]
    assert [who for who, page in pages.items() if "decide/" in page] == ["boss"]
    for client in (Client(), client_of(stranger)):
        client.post(f"{address}dispute/", {"reason": "mine"})
    assert client_of(author).post(
        f"{address}decide/", {"kind": "void", "why": "x"}
    ).status_code == (404)
    assert Dispute.objects.count() == Ruling.objects.count() == 0


def test_a_dispute_goes_through_the_pages_to_its_ruling(match: Match, boss: User) -> None:
    address = f"/matches/{match.pk}/"
    author = client_of(match.seat0.bot.owner)
    empty = author.post(f"{address}dispute/", {"reason": "  "})
    assert empty.status_code == 400
    reason = "<script>the clock</script> was wrong"
    assert author.post(f"{address}dispute/", {"reason": reason}).status_code == 302
    shown = author.get(address).content.decode()
    assert "&lt;script&gt;the clock" in shown
    assert "the clock" not in Client().get(address).content.decode(), "between them and the staff"
    staff = client_of(boss)
    answer = staff.post(f"{address}decide/", {"kind": "void", "why": "a stall of the host"})
    assert answer.status_code == 302
    public = Client().get(address).content.decode()
    assert "a stall of the host" in public
    assert "boss" not in public
    assert staff.post(f"{address}decide/", {"kind": "confirm", "why": "x"}).status_code == 400


def test_fc108_a_match_that_does_not_count_says_why(match: Match, boss: User) -> None:
    assert "counts in no total" not in Client().get(f"/matches/{match.pk}/").content.decode()
    rule(match, RulingKind.VOID, boss, "both ran on a broken core")
    page = Client().get(f"/matches/{match.pk}/").content.decode()
    assert "counts in no total" in page
    assert "both ran on a broken core" in page
