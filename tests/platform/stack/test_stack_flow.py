"""From an upload to the standings, through real broker, worker, sandbox and beat."""

import time
from typing import Any

from running_stack import Up, cup, everything_once, finished, some_played, wait_until


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
