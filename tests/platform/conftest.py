"""Fixtures of the platform's tests: a state folder, a real broker, made results."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The test database is a file, as in the embedded stack, so that threads share it."""
    from django.conf import settings

    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, settings: Any) -> Path:
    """A state folder of the test's own."""
    folder = tmp_path / "state"
    folder.mkdir()
    settings.STATE = folder
    return folder


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A request leaves its language behind in the thread; each test begins with English."""
    from django.utils import translation

    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def broker_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real broker for the session; nobody works off its queues."""
    from config import broker

    folder = tmp_path_factory.mktemp("broker")
    process = subprocess.Popen(
        broker.start_argv(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = broker.embedded_url(folder)
    try:
        wait_until(lambda: broker.answers(url), 30)
        yield url
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(autouse=True)
def celery_app(broker_url: str) -> Any:
    """The Celery app, sending to the session's broker, whose queues are empty."""
    from config import celery_app

    for name in ("broker_url", "broker_read_url", "broker_write_url"):
        celery_app.conf[name] = broker_url
    with celery_app.connection_for_write() as connection:
        for queue in ("upkeep", "validation", "matches"):
            connection.default_channel.client.delete(queue)
    return celery_app


@pytest.fixture
def queued(celery_app: Any) -> Callable[[str], int]:
    """How many messages a queue holds."""

    def count(queue: str) -> int:
        with celery_app.connection_for_write() as connection:
            return int(connection.default_channel.client.llen(queue))

    return count


def wait_until(condition: Callable[[], Any], seconds: float, what: str = "it") -> Any:
    """Waits until the condition holds and gives its value; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not happen within {seconds:.0f} s")
        time.sleep(0.05)


class MadeArena:
    """Makes what tests need through the services, and results without playing."""

    def __init__(self) -> None:
        self._count = 0

    def version(self, bot: Any = None, data: bytes | None = None, file: str = "bot.py") -> Any:
        """An accepted version; of a bot of its own where none is given."""
        from accounts.models import User
        from bots import services
        from bots.models import VersionLog

        self._count += 1
        if bot is None:
            owner = User.objects.create_user(f"user{self._count}")
            bot = services.create_bot(owner, f"bot{self._count}")
        made = services.submit_version(bot, file, data or f"n = {self._count}\n".encode())
        claimed = services.claim(made.pk)
        services.accept(claimed, "3.11.7", VersionLog())
        made.refresh_from_db()
        return made

    def house_version(self, name: str) -> Any:
        """An accepted version with the files of a house bot."""
        from arena.house import house_bot_files, pack

        return self.version(data=pack(house_bot_files(name)), file=f"{name}.zip")

    def tournament(self, entries: int = 2, **options: Any) -> Any:
        """A running tournament of fresh versions, one pair a pairing where nothing else is said."""
        from tournaments import services
        from tournaments.options import options as checked

        self._count += 1
        made = services.create_tournament(checked(f"cup {self._count}", **{"pairs": 1, **options}))
        services.enter(made, [self.version().pk for _ in range(entries)])
        services.start(made)
        made.refresh_from_db()
        return made

    def record(
        self, match: Any, winner: int | None = 0, fault: str | None = None, stderr: bytes = b""
    ) -> Any:
        """A match's record as the referee gives it, with a replay that fits."""
        import msgspec

        from arena.protocol import Limits, encode
        from arena.referee import Fault, FaultName, MatchRecord, SeatRecord
        from arena.referee.replay_lines import BotLine, EndLine, Header, SandboxLine
        from arena.sandbox import ExitReport

        guilty = [] if fault is None else [0, 1] if winner is None else [1 - winner]
        faults = [Fault(seat, FaultName(fault), "made", "deal", 1, 1) for seat in guilty if fault]
        score = (11, 4) if winner == 0 else (4, 11) if winner == 1 else (0, 0)
        reason = fault or "target"
        header = Header(
            replay=1, game="santase", match=match.public_id, tournament=match.tournament_id,
            pair=match.pair, game_of_pair=match.game, played_at="2026-01-01T00:00:00Z",
            platform="test", ruleset=match.pairing.ruleset,
            limits=msgspec.convert(match.pairing.limits, Limits), seed=match.seed,
            commitment=match.pairing.commitment, first_dealer=0,
            bots=tuple(
                BotLine(one.pk, one.bot.name, one.number, one.sha256, 0)
                for one in (match.seat0, match.seat1)
            ),
            sandbox=SandboxLine("made", "made"),
        )  # fmt: skip
        end = EndLine(end=True, winner=winner, score=score, reason=reason, faults=faults)
        gone = ExitReport("the match has ended", 0, None, False, False, 1_000_000, 12, 0)
        seat = SeatRecord(1.0, stderr, len(stderr), (), (), None, gone)
        return MatchRecord(
            winner, score, reason, tuple(faults), 0, 5.0, (seat, seat),
            encode(header) + encode(end),
        )  # fmt: skip

    def book(self, match: Any, attempt: int, **outcome: Any) -> bool:
        """Stores a made replay and books the match."""
        from matches.services.booking import record_result
        from replays import store

        record = self.record(match, **outcome)
        return record_result(match, attempt, record, store.keep(match.public_id, record.body))

    def play(self, pairing: Any, **outcome: Any) -> Any:
        """Claims a pairing and books all its matches with this outcome."""
        from matches.services import leases

        claimed = leases.claim(pairing.pk, "test")
        assert claimed is not None
        for match in leases.unfinished(claimed):
            self.book(match, claimed.attempt, **outcome)
        claimed.refresh_from_db()
        return claimed


@pytest.fixture
def made() -> MadeArena:
    """Makes versions, tournaments and results."""
    return MadeArena()


@pytest.fixture
def slots() -> None:
    """A worker that says it has two slots."""
    from django.utils import timezone

    from matches.models import WorkerState, WorkerStatus

    now = timezone.now()
    WorkerStatus.objects.create(
        name="test", state=WorkerState.READY, slots=2, started_at=now, beat_at=now
    )
