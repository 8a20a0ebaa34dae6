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


@pytest.mark.parametrize(
    "arguments",
    [
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
