"""`manage.py tournament …` and `recount`: what they do, and wrong options."""

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tournaments.models import Tournament, TournamentStatus

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def refused(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return error.value


def test_a_tournament_is_made_with_its_entries_and_started(made: Any) -> None:
    one, two = made.version(), made.version()
    said = run(
        "tournament", "create", "Winter Cup", "--bots", one.bot.name, str(two.bot.pk), "--pairs",
        "3", "--limit", "move_ms=50", "--start",
    )  # fmt: skip
    tournament = Tournament.objects.get(slug="winter-cup")
    assert "2 entries" in said
    assert tournament.commitment in said
    assert tournament.status == TournamentStatus.RUNNING
    assert (tournament.pairs_per_pairing, tournament.limits["move_ms"]) == (3, 50)
    assert "winter-cup" in run("tournament", "list")


def test_all_bots_with_an_accepted_version_enter_at_once(made: Any) -> None:
    for _ in range(3):
        made.version()
    assert "3 entries" in run("tournament", "create", "Cup", "--bots", "all")


def test_a_tournament_without_a_second_entry_says_that_it_waits() -> None:
    assert "waits for a second" in run("tournament", "create", "Cup")


def test_start_and_pause(made: Any) -> None:
    run("tournament", "create", "Cup")
    assert "running" in run("tournament", "start", "cup")
    assert "paused" in run("tournament", "pause", "cup")


def test_every_step_has_a_command_and_done_twice_exits_2() -> None:
    run("tournament", "create", "Cup", "--start")
    for step, said in (
        ("freeze", "nobody enters"),
        ("unfreeze", "takes in entries"),
        ("pause", "paused"),
        ("resume", "running"),
        ("cancel", "cancelled"),
    ):
        assert said in run("tournament", step, "cup")
        assert refused("tournament", step, "cup").returncode == 2


def test_bots_and_versions_enter_and_are_withdrawn_by_name(made: Any) -> None:
    one, two = made.version(), made.version()
    run("tournament", "create", "Cup", "--bots", one.bot.name)
    assert "1 entered" in run("tournament", "enter", "cup", two.bot.name)
    assert "1 withdrawn" in run("tournament", "withdraw", "cup", f"{two.bot.name} v1")
    assert "0 withdrawn" in run("tournament", "withdraw", "cup", two.bot.name)
    assert refused("tournament", "enter", "cup", f"{two.bot.name} v9").returncode == 2


def test_a_gauntlet_a_ladder_and_a_test_are_made(made: Any) -> None:
    old = made.version()
    new = made.version(bot=old.bot)
    others = [made.version().bot.name for _ in range(2)]
    said = run(
        "tournament", "create", "Gauntlet", "--format", "gauntlet", "--challenger", old.bot.name,
        "--bots", *others,
    )  # fmt: skip
    assert "3 entries" in said
    assert Tournament.objects.get(slug="gauntlet").challenger == new
    said = run("tournament", "create", "Ladder", "--format", "ladder", "--bots", "all", "--open")
    ladder = Tournament.objects.get(slug="ladder")
    first = ladder.periods.order_by("day").first()
    assert first is not None
    assert f"commitment of {first.day} {first.commitment}" in said
    assert ladder.pairs_per_pairing == 1
    said = run(
        "tournament", "create", "Better", "--format", "sequential", "--challenger",
        f"{old.bot.name} v2", "--bots", f"{old.bot.name} v1", "--elo1", "40", "--max-pairs", "95",
    )  # fmt: skip
    assert "2 entries" in said
    test = Tournament.objects.get(slug="better")
    assert test.asked == {"elo0": 0.0, "elo1": 40.0, "alpha": 0.05, "beta": 0.05}
    assert (test.challenger, test.cycles, test.pairs_per_pairing) == (new, 10, 10)
    listed = run("tournament", "list")
    assert all(kind in listed for kind in ("gauntlet", "ladder", "sequential"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("create", "Cup", "--format", "swiss"),
        ("create", "Cup", "--format", "gauntlet"),
        ("create", "Cup", "--format", "gauntlet", "--challenger", "nobody"),
        ("create", "Cup", "--elo1", "30"),
        ("create", "Cup", "--format", "sequential", "--elo0", "30"),
        ("freeze", "nothing"),
        ("cancel", "nothing"),
        ("create", "Cup", "--pairs", "0"),
        ("create", "Cup", "--bots", "nobody"),
        ("create", "Cup", "--limit", "move_ms"),
        ("create", "Cup", "--limit", "speed=1"),
        ("create", "Cup", "--limit", "move_ms=fast"),
        ("create", "Cup", "--limit", "move_ms=-1"),
        ("start", "nothing"),
        ("pause", "nothing"),
    ],
)
def test_a_wrong_option_exits_2_and_makes_nothing(arguments: tuple[str, ...]) -> None:
    error = refused("tournament", *arguments)
    assert error.returncode == 2
    assert len(str(error)) > 15
    assert not Tournament.objects.exists()


def test_a_second_tournament_at_the_same_address_exits_2() -> None:
    run("tournament", "create", "Cup")
    assert refused("tournament", "create", "Cup").returncode == 2


def test_a_recount_of_nothing_finds_no_differences() -> None:
    run("tournament", "create", "Cup")
    assert "0 differences" in run("recount")
    assert refused("recount", "nothing").returncode == 2
