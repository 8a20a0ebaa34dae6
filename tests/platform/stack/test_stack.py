"""`manage.py up` as a whole: real broker, web, workers, beat; and what survives when parts die.

One stack serves all tests of this file; each brings its own tournament.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
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


@pytest.fixture(scope="module")
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("стек с интервали") / ("дълга папка " * 8).strip()


@pytest.fixture(scope="module")
def stack(state_folder: Path) -> Iterator[list[Up]]:
    """The stack, in a list so that a test may put a new one in its place."""
    running = [start(state_folder)]
    try:
        yield running
    finally:
        if running[0].process.poll() is None:
            stop(running[0])


@pytest.fixture
def up(stack: list[Up]) -> Up:
    return stack[0]


@pytest.fixture
def arena(up: Up, settings: Any, celery_app: Any, django_db_blocker: Any) -> Iterator[Up]:
    """The stack, with this process's database, files and broker being the stack's."""
    from django.db import connections

    from config import broker

    settings.STATE = up.state
    ours = connections["default"]
    with django_db_blocker.unblock():
        theirs = ours.copy()
        theirs.settings_dict = {**ours.settings_dict, "NAME": str(up.state / "santase.sqlite3")}
        connections["default"] = theirs
        url = broker.embedded_url(up.state)
        for name in ("broker_url", "broker_read_url", "broker_write_url"):
            celery_app.conf[name] = url
        with contextlib.ExitStack() as undo:
            undo.callback(connections.__setitem__, "default", ours)
            undo.callback(theirs.close)
            rest_the_house()
            yield up


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


def finished(tournament: Any, seconds: float = 120) -> None:
    from tournaments.models import TournamentStatus

    def is_over() -> bool:
        tournament.refresh_from_db()
        return bool(tournament.status == TournamentStatus.FINISHED)

    wait_until(is_over, seconds, f"{tournament} is played")


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


def test_an_upload_is_validated_enters_plays_and_is_ranked(arena: Up) -> None:
    from accounts.models import User
    from arena.house import house_bot_files, pack
    from arena.referee import verify
    from bots import services
    from bots.models import VersionStatus
    from matches.queries import MatchFilter, match_list, replay_name
    from replays import store
    from tournaments.queries import standings

    tournament = cup("open-cup", pairs=1, cycles=2, open=True)
    owner = User.objects.create_user("author")
    bot = services.create_bot(owner, "Сантасе 66 🂡")
    files = {**house_bot_files("greedy"), "note.txt": "мой".encode()}
    version = services.submit_version(bot, "бот.zip", pack(files))

    def is_judged() -> bool:
        version.refresh_from_db()
        return version.status in {VersionStatus.ACCEPTED, VersionStatus.REJECTED}

    wait_until(is_judged, 60, "validation")
    assert (version.status, version.message) == (VersionStatus.ACCEPTED, "")
    wait_until(lambda: tournament.entries.filter(version=version).exists(), 30, "entering")
    finished(tournament)
    everything_once(tournament, 24)
    wait_until(
        lambda: any(
            row.version == version and row.matches == 12 and row.elo is not None
            for row in standings(tournament)
        ),
        30,
        "standings",
    )
    keys = [key.key for key in store.public_keys()]
    for match in match_list(MatchFilter(version=version.pk))[:4]:
        assert verify(store.load(replay_name(match)), keys, tournament.secret).ok


def test_a_hostile_upload_is_rejected_and_the_next_one_is_served(arena: Up) -> None:
    from accounts.models import User
    from bots import services
    from bots.models import VersionStatus

    owner = User.objects.create_user("villain")
    bombs = {
        "fork": b"import os\nwhile True: os.fork()\n",
        "threads": b"import threading, time\n"
        b"while True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n",
        "flood": b"import sys\nwhile True: sys.stdout.write('x' * 65536)\n",
        "signals": b"import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(1, 9)\n",
    }
    versions = [
        services.submit_version(services.create_bot(owner, name), "bot.py", source)
        for name, source in bombs.items()
    ]

    def all_rejected() -> bool:
        for version in versions:
            version.refresh_from_db()
        return all(version.status == VersionStatus.REJECTED for version in versions)

    wait_until(all_rejected, 120, "rejection")
    assert all("“start”" in version.message for version in versions)


def test_fc091_a_worker_killed_in_the_middle_loses_and_doubles_nothing(arena: Up) -> None:
    tournament = cup("kill-worker", pairs=4, cycles=2)
    some_played(tournament, 5)
    os.kill(arena.part("validation,matches"), signal.SIGKILL)
    finished(tournament)
    everything_once(tournament, 48)
    assert "the worker ended with code -9: it is started again" in arena.text


def test_fc099_a_pool_process_killed_in_the_middle_loses_and_doubles_nothing(arena: Up) -> None:
    tournament = cup("kill-child", pairs=4, cycles=2)
    for least in (3, 12):
        some_played(tournament, least)
        os.kill(children(arena.part("validation,matches"))[0], signal.SIGKILL)
    finished(tournament)
    everything_once(tournament, 48)


def test_a_broker_emptied_in_the_middle_loses_nothing(arena: Up, celery_app: Any) -> None:
    tournament = cup("empty-broker", pairs=3, cycles=2)
    some_played(tournament, 5)
    with celery_app.connection_for_write() as connection:
        connection.default_channel.client.flushall()
    finished(tournament)
    everything_once(tournament, 36)


def test_a_broker_killed_in_the_middle_loses_nothing(arena: Up) -> None:
    tournament = cup("kill-broker", pairs=3, cycles=2)
    some_played(tournament, 5)
    (broker,) = [
        pid for pid in children(arena.process.pid) if "valkey" in command_line(pid).split("\0")[0]
    ]
    os.kill(broker, signal.SIGKILL)
    finished(tournament)
    everything_once(tournament, 36)


def test_fc096_tasks_delivered_many_times_are_done_once(arena: Up) -> None:
    from matches.models import Pairing
    from matches.tasks import run_pairing
    from tournaments.tasks import pump_all

    tournament = cup("many-messages", pairs=1, cycles=3)
    for _ in range(5):
        for pk in Pairing.objects.filter(tournament=tournament).values_list("pk", flat=True):
            run_pairing.delay(pk)
            pump_all.delay()
        time.sleep(0.2)
    finished(tournament)
    everything_once(tournament, 18)


def test_the_broker_never_holds_more_than_a_few_matches(arena: Up, celery_app: Any) -> None:
    tournament = cup("long", pairs=1, cycles=2_000)
    some_played(tournament, 10)
    with celery_app.connection_for_write() as connection:
        waiting = connection.default_channel.client.llen("matches")
    from tournaments import services

    services.cancel(tournament)
    assert waiting <= 4


def test_a_second_start_from_the_same_folder_is_refused(up: Up) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "up"],
        env={**os.environ, "SANTASE_STATE": str(up.state)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "running already" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_pages_are_served_with_the_strict_policy(up: Up) -> None:
    with urllib.request.urlopen(up.url, timeout=30) as response:
        assert response.status == 200
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_ctrl_c_stops_in_order_and_a_second_start_goes_on(stack: list[Up]) -> None:
    first = stack[0]
    ours = children(first.process.pid)
    assert len(ours) == 5
    password = (first.state / "demo.password").read_text()
    assert stop(first) == 0
    stopped = re.findall(r"stopping the (\w+)", first.text)
    assert stopped == ["beat", "upkeep", "worker", "web", "broker"]
    assert not [pid for pid in ours if Path(f"/proc/{pid}").exists()]
    stack[0] = start(first.state)
    assert password.strip() in stack[0].text
    assert (first.state / "demo.password").stat().st_mode & 0o777 == 0o600


def test_when_the_stack_itself_is_killed_its_parts_leave_and_it_can_start_again(
    stack: list[Up],
) -> None:
    ours = children(stack[0].process.pid)
    stack[0].process.kill()
    stack[0].process.wait(10)
    wait_until(lambda: not [pid for pid in ours if command_line(pid)], 60, "the parts have left")
    stack[0] = start(stack[0].state)
    assert stop(stack[0], signal.SIGTERM) == 0
