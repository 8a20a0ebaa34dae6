"""Gauntlet, ladder and sequential test, as the pump orders them."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.rating import Decision, Hypotheses
from bots.models import Version
from matches.models import Match, MatchStatus, Pairing, PairingStatus
from matches.services import leases
from ratings.services import refit
from tournaments import queries, services
from tournaments.errors import BadStep, BadTournament, UnknownVersion
from tournaments.models import Tournament, TournamentStatus
from tournaments.options import options, question_of
from tournaments.pump import pump, pump_all
from tournaments.queries import ProgressState

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slots")]

EASY = Hypotheses(-100, 100)
"""Told apart by few pairs."""


def queued() -> list[Pairing]:
    return list(Pairing.objects.filter(status=PairingStatus.QUEUED).order_by("id"))


def met(tournament: Tournament) -> Counter[tuple[int, int]]:
    return Counter(Pairing.objects.filter(tournament=tournament).values_list("low_id", "high_id"))


def play_out(made: Any, tournament: Tournament, **outcome: Any) -> None:
    while pump(tournament.pk) or queued():
        for pairing in queued():
            made.play(pairing, **outcome)


# --- Gauntlet --------------------------------------------------------------------------------


def gauntlet(made: Any, others: int = 3, **given: Any) -> tuple[Tournament, Version]:
    one = made.version()
    return made.tournament(others, format="gauntlet", challenger=one.pk, **given), one


def test_in_a_gauntlet_one_meets_all_others_and_they_do_not_meet(made: Any) -> None:
    tournament, one = gauntlet(made, cycles=2)
    play_out(made, tournament)
    pairs = met(tournament)
    assert len(pairs) == 3
    assert set(pairs.values()) == {2}
    assert all(one.pk in both for both in pairs)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    refit(tournament.pk)
    assert queries.progress(tournament).total == queries.progress(tournament).done == 12


def test_a_gauntlet_whose_challenger_leaves_stands_still_until_he_comes_back(made: Any) -> None:
    tournament, one = gauntlet(made)
    services.withdraw(tournament, one.pk)
    assert pump(tournament.pk) == 0
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    assert queries.progress(tournament).state is ProgressState.STANDS_STILL
    services.enter(tournament, [one.pk])
    assert pump(tournament.pk) == 3


@pytest.mark.parametrize("leaves", ["withdrawn", "paused"])
def test_a_gauntlet_that_has_played_all_ends_though_its_challenger_leaves_then(
    made: Any, leaves: str
) -> None:
    tournament, one = gauntlet(made, others=2)
    pump(tournament.pk)
    first, last = queued()
    made.play(first)
    Version.objects.filter(pk=one.pk).update(paused_at=timezone.now())
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING, "a pairing is still to be played"
    made.play(last)
    if leaves == "withdrawn":
        services.withdraw(tournament, one.pk)
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.published_secret == tournament.secret


def test_the_challenger_of_a_gauntlet_may_meet_a_version_of_his_own_bot(made: Any) -> None:
    tournament, one = gauntlet(made, others=1)
    newer = made.version(bot=one.bot)
    services.enter(tournament, [newer.pk])
    services.enter(tournament, [made.version(bot=one.bot).pk])
    play_out(made, tournament)
    playing = set(tournament.entries.filter(withdrawn_at=None).values_list("version", flat=True))
    assert one.pk in playing
    assert newer.pk not in playing, "of the others one a bot plays, the newest"
    assert all(one.pk in both for both in met(tournament))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"format": "gauntlet"}, "name it as the challenger"),
        ({"format": "swiss"}, "round_robin, gauntlet, ladder, sequential"),
        ({"challenger": 1}, "has no challenger"),
        ({"format": "sequential", "challenger": 1, "open": True}, "cannot be open"),
        ({"format": "sequential", "challenger": 1, "max_pairs": 0}, "max-pairs is 0"),
        ({"format": "sequential", "challenger": 1, "max_pairs": 20_001}, "must be 1 to 20,000"),
        ({"question": EASY}, "sequential test alone"),
    ],
)
def test_options_that_do_not_fit_the_format_are_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadTournament, match=says):
        options("Cup", **given)


def test_a_question_that_is_none_is_refused() -> None:
    with pytest.raises(BadTournament, match="elo0 must be below elo1"):
        question_of(elo0=30)
    assert question_of() is None
    assert question_of(elo1=40) == Hypotheses(0, 40)


def test_a_challenger_that_is_no_accepted_version_makes_no_tournament() -> None:
    with pytest.raises(UnknownVersion):
        services.create_tournament(options("Cup", format="gauntlet", challenger=99))
    assert not Tournament.objects.exists()


# --- Ladder ----------------------------------------------------------------------------------

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def ladder(made: Any, entries: int = 6) -> Tournament:
    """On which pairings may be ordered: today's commitment was published by a pump before."""
    tournament = made.tournament(entries, format="ladder")
    assert pump(tournament.pk, NOON) == 0
    return tournament


def test_a_ladder_goes_on_with_one_pairing_more_than_there_are_slots(made: Any) -> None:
    tournament = ladder(made)
    pump(tournament.pk, NOON)
    pump(tournament.pk, NOON)
    assert len(queued()) == 3
    for _ in range(20):
        made.play(queued()[0])
        pump(tournament.pk, NOON)
        assert len(queued()) == 3
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    refit(tournament.pk)
    progress = queries.progress(tournament)
    assert (progress.state, progress.total, progress.done) == (ProgressState.PLAYING, None, 40)


def test_on_a_ladder_all_play_evenly_and_against_different_opponents(made: Any) -> None:
    tournament = ladder(made)
    for _ in range(27):
        pump(tournament.pk, NOON)
        made.play(queued()[0])
    games = Counter(version for both in met(tournament).elements() for version in both)
    assert max(games.values()) - min(games.values()) <= 3
    assert len(met(tournament)) == 15


def test_fc083_a_new_version_on_a_ladder_does_not_wait_for_room(made: Any) -> None:
    tournament = ladder(made)
    pump(tournament.pk, NOON)
    assert pump(tournament.pk, NOON) == 0
    new = made.version()
    services.enter(tournament, [new.pk])
    assert pump(tournament.pk, NOON) == 1
    assert new.pk in (queued()[-1].low_id, queued()[-1].high_id)
    assert pump(tournament.pk, NOON) == 0


def test_many_new_versions_at_once_do_not_fill_the_queue(made: Any) -> None:
    tournament = ladder(made)
    pump(tournament.pk, NOON)
    services.enter(tournament, [made.version().pk for _ in range(20)])
    for _ in range(5):
        pump(tournament.pk, NOON)
    assert len(queued()) == 3 + 2


def test_who_waits_too_long_on_a_ladder_goes_before_those_with_fewer_games(made: Any) -> None:
    tournament = ladder(made, entries=4)
    for _ in range(4):
        pump(tournament.pk, NOON)
        made.play(queued()[0])
    for pairing in queued():
        made.play(pairing)
    waiting = tournament.entries.order_by("pk").first()
    assert waiting is not None
    tournament.entries.exclude(pk=waiting.pk).update(last_paired_at=NOON)
    tournament.entries.filter(pk=waiting.pk).update(last_paired_at=NOON - timedelta(hours=1))
    pump(tournament.pk, NOON)
    first = queued()[0]
    assert waiting.version_id in (first.low_id, first.high_id)


def test_the_meetings_of_two_are_numbered_over_all_days(made: Any) -> None:
    tournament = ladder(made, entries=2)
    for day in range(3):
        for _ in range(2):
            pump(tournament.pk, NOON + timedelta(days=day))
        for pairing in queued():
            made.play(pairing)
    rows = Pairing.objects.order_by("pk").values_list("cycle", flat=True)
    assert list(rows) == list(range(1, len(rows) + 1))
    assert len(rows) >= 3
    pairs = list(Match.objects.order_by("pk").values_list("pair", flat=True))
    assert pairs == [pair for pair in range(len(rows)) for _ in (0, 1)]


# --- Sequential test -------------------------------------------------------------------------


def trial(made: Any, **given: Any) -> tuple[Tournament, Version, Version]:
    """Is the newer version of a bot better than the older one?"""
    old = made.version()
    new = made.version(bot=old.bot)
    tournament = made.tournament(
        0, format="sequential", challenger=new.pk, question=EASY, **given
    )  # fmt: skip
    services.enter(tournament, [old.pk])
    tournament.refresh_from_db()
    return tournament, new, old


def beat(made: Any, pairing: Pairing, winner: Version) -> None:
    """One version wins both matches of every pair."""
    held = leases.claim(pairing.pk, "test")
    assert held is not None
    for match in leases.unfinished(held):
        made.book(match, held.attempt, winner=0 if match.seat0_id == winner.pk else 1)


@pytest.mark.parametrize("newer_wins", [True, False])
def test_a_test_ends_by_itself_with_a_plain_answer(made: Any, newer_wins: bool) -> None:
    tournament, new, old = trial(made)
    while pump(tournament.pk):
        beat(made, queued()[0], new if newer_wins else old)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.published_secret == tournament.secret
    stands = queries.trial(tournament)
    assert stands is not None
    assert (stands.first, stands.second) == (new, old)
    assert stands.weighed.decision is (Decision.BETTER if newer_wins else Decision.NOT_BETTER)
    assert stands.weighed.pairs == sum((stands.lost, stands.split, stands.won)) < 10
    assert set(Pairing.objects.values_list("status", flat=True)) == {
        PairingStatus.FINISHED,
        PairingStatus.CANCELLED,
    }, "what waited was called off"
    refit(tournament.pk)
    progress = queries.progress(tournament)
    assert progress.done == progress.total


def test_pairs_of_a_test_count_in_their_order_whichever_is_played_first(made: Any) -> None:
    tournament, new, _ = trial(made)
    pump(tournament.pk)
    first, *others = queued()
    for pairing in others:
        beat(made, pairing, new)
    stands = queries.trial(tournament)
    assert stands is not None
    assert stands.weighed.pairs == 0, "the first pair is still to be played"
    beat(made, first, new)
    stands = queries.trial(tournament)
    assert stands is not None
    assert stands.weighed.pairs == 1 + len(others)


def test_a_test_that_may_play_no_more_pairs_ends_undecided(made: Any) -> None:
    tournament, new, old = trial(made, max_pairs=3)
    winners = [new, old, new]
    while pump(tournament.pk) or queued():
        for pairing in queued():
            beat(made, pairing, winners[pairing.cycle - 1])
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    stands = queries.trial(tournament)
    assert stands is not None
    assert stands.weighed.decision is Decision.OPEN
    assert (stands.lost, stands.split, stands.won, stands.most_pairs) == (1, 0, 2, 3)


def test_a_test_is_between_two(made: Any) -> None:
    tournament, new, old = trial(made)
    with pytest.raises(BadStep, match="between two"):
        services.enter(tournament, [made.version().pk])
    assert tournament.entries.count() == 2
    services.withdraw(tournament, old.pk)
    assert pump(tournament.pk) == 0
    assert services.enter(tournament, [old.pk]) == 1
    assert pump(tournament.pk) > 0
    assert tournament.entries.filter(version=new, withdrawn_at=None).exists()


def test_a_void_match_takes_its_pair_out_of_the_test(made: Any) -> None:
    tournament, new, old = trial(made)
    pump(tournament.pk)
    one, other, *_ = queued()
    beat(made, one, old)
    beat(made, other, new)
    Match.objects.filter(pairing=one, game=1).update(status=MatchStatus.VOID)
    stands = queries.trial(tournament)
    assert stands is not None
    assert (stands.lost, stands.won) == (0, 1)


def test_a_parked_pairing_of_a_test_is_waited_for_and_nothing_more_is_ordered(made: Any) -> None:
    tournament, new, _ = trial(made)
    pump(tournament.pk)
    parked, *others = queued()
    Pairing.objects.filter(pk=parked.pk).update(status=PairingStatus.PARKED)
    for pairing in others:
        beat(made, pairing, new)
        assert pump(tournament.pk) == 0
    assert queries.progress(tournament).state is ProgressState.PARKED
    Pairing.objects.filter(pk=parked.pk).update(status=PairingStatus.QUEUED)
    beat(made, parked, new)
    assert pump(tournament.pk) > 0, "a person has looked at it: the test goes on"


def test_a_test_that_is_decided_before_a_parked_pairing_ends(made: Any) -> None:
    tournament, new, _ = trial(made)
    while not Pairing.objects.filter(status=PairingStatus.PARKED):
        pump(tournament.pk)
        first, last = queued()[0], queued()[-1]
        beat(made, first, new)
        stands = queries.trial(tournament)
        assert stands is not None
        if stands.weighed.decision is Decision.BETTER:
            Pairing.objects.filter(pk=last.pk).update(status=PairingStatus.PARKED)
    assert pump(tournament.pk) == 0
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert not Pairing.objects.filter(status=PairingStatus.PARKED).exists()


def test_a_test_whose_deciding_match_pauses_a_version_ends(made: Any) -> None:
    tournament, new, old = trial(made)
    decision = Decision.OPEN
    while decision is Decision.OPEN:
        pump(tournament.pk)
        beat(made, queued()[0], new)
        stands = queries.trial(tournament)
        assert stands is not None
        decision = stands.weighed.decision
    Version.objects.filter(pk=old.pk).update(paused_at=timezone.now())
    pump(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.published_secret == tournament.secret


def test_a_pump_weighs_a_test_once(made: Any) -> None:
    tournament, _, _ = trial(made)
    pump(tournament.pk)
    with CaptureQueriesContext(connection) as captured:
        pump(tournament.pk)
    assert sum('SELECT "matches_match"."pair"' in each["sql"] for each in captured) == 1


# --- All of them -----------------------------------------------------------------------------


def test_a_tournament_that_cannot_be_pumped_keeps_no_other_from_it(
    made: Any, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = made.tournament(2), made.tournament(2)
    Tournament.objects.filter(pk=broken.pk).update(secret="no secret")
    assert pump_all() == 1
    assert Pairing.objects.get().tournament_id == sound.pk
    assert "tournament not pumped" in caplog.text


@pytest.mark.parametrize("format", ["round_robin", "gauntlet", "ladder", "sequential"])
def test_a_pump_asks_no_more_of_a_tournament_with_more_matches(made: Any, format: str) -> None:
    if format == "gauntlet":
        tournament, _ = gauntlet(made, others=5, cycles=1_000)
    elif format == "sequential":
        tournament, _, _ = trial(made)
        Tournament.objects.update(asked={"elo0": -1, "elo1": 1, "alpha": 0.01, "beta": 0.01})
    elif format == "ladder":
        tournament = ladder(made)
    else:
        tournament = made.tournament(6, cycles=1_000)

    def asked() -> int:
        """With nothing to order, so that all is reading."""
        pump(tournament.pk, NOON)
        with CaptureQueriesContext(connection) as captured:
            assert pump(tournament.pk, NOON) == 0
        return len(captured)

    before = asked()
    for _ in range(30):
        made.play(queued()[0])
        pump(tournament.pk, NOON)
    refit(tournament.pk)
    assert asked() == before
    assert before <= 20


def test_a_schedule_is_followed_anew_when_somebody_is_paused_and_when_he_plays_again(
    made: Any,
) -> None:
    tournament = made.tournament(5)
    pump(tournament.pk)
    for pairing in queued():
        made.play(pairing)
    paused = tournament.entries.order_by("pk").first().version
    Version.objects.filter(pk=paused.pk).update(paused_at=timezone.now())
    while pump(tournament.pk):
        for pairing in queued():
            made.play(pairing)
    assert len(met(tournament)) >= 6
    others = [both for both in met(tournament) if paused.pk not in both]
    assert len(others) == 6, "the four others have all met"
