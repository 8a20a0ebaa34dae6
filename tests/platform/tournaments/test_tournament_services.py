"""Tournaments: options, entries, states, the secret."""

from typing import Any

import pytest

from arena.protocol import Limits
from arena.referee.dealer import commitment_to
from bots import services as bots
from bots.models import Version
from matches.models import Pairing, PairingStatus
from matches.services import leases
from tournaments import services
from tournaments.errors import BadStep, BadTournament, SlugTaken, UnknownVersion
from tournaments.models import Tournament, TournamentStatus
from tournaments.options import default_limits, limits_of, longest_match_s, options, rules_of
from tournaments.pump import pump

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("", {}, "name"),
        ("x" * 101, {}, "name"),
        ("Купа", {}, "--slug"),
        ("x", {"slug": "A b"}, "--slug"),
        ("x", {"preset": "bridge"}, "santase-bg"),
        ("x", {"pairs": 0}, "pairs is 0"),
        ("x", {"cycles": 10**9}, "cycles"),
        ("x", {"limits": {}}, "lacks"),
        ("x", {"limits": []}, "no object"),
        ("x", {"limits": {**default_limits(), "move_ms": 0}}, "move_ms"),
        ("x", {"limits": {**default_limits(), "move_ms": "1"}}, "move_ms"),
        ("x", {"limits": {**default_limits(), "speed": 1}}, "speed"),
        ("x", {"limits": {**default_limits(), "move_ms": 10**6}}, "last"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(
    name: str, given: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadTournament, match=says):
        options(name, **given)


def test_fc031_a_missing_limit_is_refused_by_name() -> None:
    given = default_limits()
    del given["bank_ms"]
    with pytest.raises(BadTournament, match="bank_ms"):
        limits_of(given)


def test_fc032_the_default_limits_are_those_of_the_protocol(made: Any) -> None:
    tournament = made.tournament(0)
    assert tournament.limits == default_limits()
    assert longest_match_s(Limits()) < 3_600


def test_the_commitment_is_published_and_the_secret_is_not(made: Any) -> None:
    tournament = made.tournament(0)
    assert commitment_to(tournament.secret) == tournament.commitment
    assert tournament.published_secret is None
    tournament.status = TournamentStatus.FINISHED
    assert tournament.published_secret == tournament.secret
    tournament.open = True
    assert tournament.published_secret is None


def test_an_address_is_taken_once() -> None:
    services.create_tournament(options("Cup"))
    with pytest.raises(SlugTaken):
        services.create_tournament(options("cup!"))


def test_rules_are_stored_whole() -> None:
    made = services.create_tournament(options("Cup", preset="pagat-66"))
    assert made.ruleset == rules_of("pagat-66").as_dict()


def test_only_accepted_versions_enter(made: Any) -> None:
    tournament = made.tournament(0)
    bot = made.version().bot
    waiting = bots.submit_version(bot, "x.py", b"waiting\n")
    for pk in (waiting.pk, 99_999):
        with pytest.raises(UnknownVersion):
            services.enter(tournament, [pk])
    assert tournament.entries.count() == 0


def test_a_new_version_takes_the_place_of_the_older_one(made: Any, slots: None) -> None:
    tournament = made.tournament(2, open=True, cycles=3)
    pump(tournament.pk)
    old = tournament.entries.first().version
    playing = leases.claim(Pairing.objects.filter(low=old).first().pk, "w")
    new = made.version(bot=old.bot)
    services.enter_open_tournaments(new.pk)
    active = tournament.entries.filter(withdrawn_at=None).values_list("version_id", flat=True)
    assert new.pk in active
    assert old.pk not in active
    states = dict(Pairing.objects.values_list("pk", "status"))
    assert states.pop(playing.pk) == PairingStatus.RUNNING
    assert set(states.values()) == {PairingStatus.CANCELLED}


def test_an_older_version_accepted_late_does_not_replace_the_newer(made: Any) -> None:
    tournament = made.tournament(0)
    old = made.version()
    new = made.version(bot=old.bot)
    services.enter(tournament, [new.pk])
    assert services.enter(tournament, [old.pk]) == 0
    active = tournament.entries.filter(withdrawn_at=None)
    assert list(active.values_list("version_id", flat=True)) == [new.pk]


def test_who_has_left_may_come_again(made: Any) -> None:
    tournament = made.tournament(2)
    version = tournament.entries.first().version
    assert services.withdraw(tournament, version.pk)
    assert not services.withdraw(tournament, version.pk)
    assert services.enter(tournament, [version.pk]) == 1
    assert services.enter(tournament, [version.pk]) == 0


def test_steps_that_the_state_does_not_allow_are_refused(made: Any) -> None:
    tournament = made.tournament(2)
    with pytest.raises(BadStep):
        services.start(tournament)
    services.pause(tournament)
    with pytest.raises(BadStep):
        services.pause(tournament)
    services.start(tournament)
    services.cancel(tournament)
    for step in (services.start, services.pause, services.cancel):
        with pytest.raises(BadStep):
            step(tournament)
    with pytest.raises(BadStep):
        services.enter(tournament, [made.version().pk])


def test_nobody_enters_once_the_secret_is_published(made: Any) -> None:
    """Who enters then could hold the decks of all his matches in his file."""
    tournament = made.tournament(2)
    Tournament.objects.filter(pk=tournament.pk).update(status=TournamentStatus.FINISHED)
    with pytest.raises(BadStep, match="its secret is published"):
        services.enter(tournament, [made.version().pk])
    tournament.refresh_from_db()
    assert (tournament.status, tournament.entries.count()) == (TournamentStatus.FINISHED, 2)


def test_a_cancelled_tournament_stops_what_is_queued_and_played(made: Any, slots: None) -> None:
    tournament = made.tournament(3)
    pump(tournament.pk)
    leases.claim(Pairing.objects.first().pk, "w")
    services.cancel(tournament)
    assert set(Pairing.objects.values_list("status", flat=True)) == {PairingStatus.CANCELLED}
    assert Tournament.objects.get(pk=tournament.pk).published_secret == tournament.secret


def test_an_accepted_version_whose_announcement_was_lost_enters_later(made: Any) -> None:
    cup = made.tournament(2, open=True)
    missed = made.version()
    left = made.version()
    services.enter(cup, [left.pk])
    services.withdraw(cup, left.pk)
    assert services.enter_missed() == 1
    assert services.enter_missed() == 0
    inside = set(cup.entries.filter(withdrawn_at=None).values_list("version_id", flat=True))
    assert missed.pk in inside
    assert left.pk not in inside


def test_a_version_accepted_before_an_open_tournament_was_made_waits_to_be_entered(
    made: Any,
) -> None:
    made.version()
    cup = made.tournament(2, open=True)
    Version.objects.filter(entries__tournament=cup).update(validated_at=cup.created_at)
    services.enter_missed()
    assert cup.entries.count() == 2


def test_while_the_entries_are_frozen_nobody_enters_and_nobody_is_replaced(made: Any) -> None:
    cup = made.tournament(2, open=True)
    services.freeze(cup)
    old = cup.entries.first().version
    newer, stranger = made.version(bot=old.bot), made.version()
    for version in (newer, stranger):
        services.enter_open_tournaments(version.pk)
        with pytest.raises(BadStep, match="frozen: unfreeze"):
            services.enter(cup, [version.pk])
    assert services.enter_missed() == 0
    assert cup.entries.filter(withdrawn_at=None).count() == 2
    services.unfreeze(cup)
    assert services.enter_missed() == 2
    inside = set(cup.entries.filter(withdrawn_at=None).values_list("version_id", flat=True))
    assert inside >= {newer.pk, stranger.pk}
    assert old.pk not in inside


def test_in_frozen_entries_a_version_can_still_be_withdrawn(made: Any) -> None:
    cup = made.tournament(3)
    services.freeze(cup)
    assert services.withdraw(cup, cup.entries.first().version_id)
    assert pump(cup.pk) == 1


def test_a_step_done_twice_changes_nothing_and_says_how_things_are(made: Any) -> None:
    cup = made.tournament(2)
    for step, says in (
        (services.freeze, "frozen already"),
        (services.unfreeze, "are not frozen"),
        (services.pause, "is paused: it cannot be paused"),
        (services.resume, "is running, not paused"),
        (services.cancel, "cancelled already"),
    ):
        step(cup)
        before = Tournament.objects.filter(pk=cup.pk).values().get()
        with pytest.raises(BadStep, match=says):
            step(cup)
        assert Tournament.objects.filter(pk=cup.pk).values().get() == before
    for step in (services.freeze, services.unfreeze):
        with pytest.raises(BadStep, match="is cancelled"):
            step(cup)


def test_a_version_that_leaves_takes_its_queued_pairings_along_and_comes_back_to_them(
    made: Any, slots: None
) -> None:
    cup = made.tournament(2)
    pump(cup.pk)
    version = cup.entries.first().version_id
    services.withdraw(cup, version)
    assert Pairing.objects.get().status == PairingStatus.CANCELLED
    services.enter(cup, [version])
    assert pump(cup.pk) == 1
    assert Pairing.objects.get().status == PairingStatus.QUEUED


def test_who_leaves_a_tournament_that_has_ended_does_not_open_it_again(
    made: Any, slots: None
) -> None:
    cup = made.tournament(2)
    while pump(cup.pk):
        made.play(Pairing.objects.get())
    assert services.withdraw(cup, cup.entries.first().version_id)
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED
    assert cup.published_secret == cup.secret
