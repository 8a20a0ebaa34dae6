"""A running `manage.py up`, and what the tests of it look at."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


@dataclass
class Up:
    """A running `manage.py up`."""

    process: "subprocess.Popen[str]"
    state: Path
    output: Path

    @property
    def text(self) -> str:
        return self.output.read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        found = re.search(r"runs at +(http://\S+)", self.text)
        assert found is not None
        return found[1]

    def part(self, word: str) -> int:
        """The process of ours whose command line holds this word."""
        (pid,) = [
            child for child in children(self.process.pid) if word in command_line(child).split("\0")
        ]
        return pid


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def wait_until(condition: Callable[[], Any], seconds: float, what: str) -> Any:
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)
    return value


def start(state: Path) -> Up:
    output = state.parent / f"output-{time.monotonic_ns()}.txt"
    with output.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, ROOT / "manage.py", "up", "--port", "18600", "--slots", "2"],
            env={**os.environ, "SANTASE_STATE": str(state), "PYTHONUNBUFFERED": "1"},
            cwd=state.parent, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip
    up = Up(process, state, output)

    def is_up() -> bool:
        assert process.poll() is None, up.text
        return "Ctrl-C stops it" in up.text

    try:
        wait_until(is_up, 180, "the stack is up")
    except BaseException:
        process.kill()
        raise
    return up


def stop(up: Up, number: signal.Signals = signal.SIGINT) -> int:
    up.process.send_signal(number)
    return up.process.wait(90)


def rest_the_house() -> None:
    """Pauses the house tournament, so that the tests' own have the slots."""
    from tournaments import services
    from tournaments.models import Tournament, TournamentStatus

    house = Tournament.objects.get(slug="house")
    if house.status == TournamentStatus.RUNNING:
        services.pause(house)


def cup(slug: str, *, pairs: int, cycles: int, open: bool = False) -> Any:
    """A running tournament of the accepted house bots."""
    from bots.models import Bot
    from bots.queries import newest_accepted
    from tournaments import services
    from tournaments.options import options

    def accepted() -> list[int]:
        found = [newest_accepted(bot) for bot in Bot.objects.filter(house=True)]
        return [version.pk for version in found if version is not None]

    wait_until(lambda: len(accepted()) >= 3, 60, "house bots are accepted")
    made = services.create_tournament(
        options(slug, slug=slug, pairs=pairs, cycles=cycles, open=open)
    )
    services.enter(made, accepted())
    services.start(made)
    return made


def finished(tournament: Any) -> None:
    """Waits for its end; long enough for a lease to run out and for a slow machine."""
    from tournaments.models import TournamentStatus

    def is_over() -> bool:
        tournament.refresh_from_db()
        return bool(tournament.status == TournamentStatus.FINISHED)

    wait_until(is_over, 400, f"{tournament} is played")


def everything_once(tournament: Any, matches: int) -> None:
    """Each match of the round robin is there, booked once, and its replay says the same."""
    from matches.models import Match, MatchStatus
    from tournaments.recount import recount

    rows = Match.objects.filter(tournament=tournament)
    assert rows.count() == rows.filter(status=MatchStatus.FINISHED).count() == matches
    counted = recount(tournament)
    assert (counted.matches, counted.differences) == (matches, ())


def some_played(tournament: Any, least: int) -> None:
    from matches.models import Match, MatchStatus

    played = Match.objects.filter(tournament=tournament, status=MatchStatus.FINISHED)
    wait_until(lambda: played.count() >= least, 60, f"{least} matches are played")
