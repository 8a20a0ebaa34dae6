"""Validation in the real sandbox: who is accepted, who is rejected, and what he is told."""

import textwrap
from typing import Any

import pytest

from accounts.models import User
from arena.house import house_bot_files, pack
from arena.sandbox import NoSandbox
from bots import host, services
from bots.models import Bot, Version, VersionLog, VersionStatus
from bots.validation import validate

pytestmark = pytest.mark.django_db

ANSWERING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "request":
        %s
"""


@pytest.fixture
def bot() -> Bot:
    return services.create_bot(User.objects.create_user("owner"), "candidate")


def judged(bot: Bot, source: str | bytes, file_name: str = "bot.py") -> tuple[Version, VersionLog]:
    """The version after validation, and its log."""
    data = source if isinstance(source, bytes) else textwrap.dedent(source).encode()
    version = services.submit_version(bot, file_name, data)
    validate(version.pk)
    version.refresh_from_db()
    return version, VersionLog.objects.get(version=version)


def answering(step: str) -> str:
    return ANSWERING % step


def test_a_bot_that_plays_is_accepted_with_the_runtime_that_it_ran_on(bot: Bot) -> None:
    version, log = judged(bot, pack(house_bot_files("random")), "bot.zip")
    assert (version.status, version.message) == (VersionStatus.ACCEPTED, "")
    assert version.python == host.sandbox().python
    assert version.validated_at is not None
    assert log.fault is None


def test_what_an_accepted_bot_wrote_to_stderr_is_kept_for_its_owner(bot: Bot) -> None:
    answer = 'print(json.dumps({"id": message["id"], "action": message["legal"][0]}), flush=True)'
    version, log = judged(bot, answering('print("thinking", file=sys.stderr); ' + answer))
    assert version.status == VersionStatus.ACCEPTED
    assert "thinking" in log.stderr
    assert log.marks


@pytest.mark.parametrize(
    ("source", "fault", "says"),
    [
        ("raise RuntimeError('broken at import')", "start", "before the first deal"),
        ("import no_such_module", "start", "stderr"),
        ("print('hello')", "start", "ready"),
        (answering("sys.exit(3)"), "exit", "exit code 3"),
        (answering("import os; os.abort()"), "exit", "SIGABRT"),
        (answering("x = bytearray(10**9)"), "memory", "256 MB"),
        (answering("print('moving', flush=True)"), "protocol", "one JSON object"),
        (
            answering('print(json.dumps({"id": message["id"], "action": "play:XX"}), flush=True)'),
            "illegal",
            "'play:XX'",
        ),
        (answering("print('x' * 10_000_000, flush=True)"), "output", "4,096 bytes"),
    ],
)
def test_fc072_a_rejection_names_fault_place_and_remedy(
    bot: Bot, source: str, fault: str, says: str
) -> None:
    version, log = judged(bot, source)
    assert version.status == VersionStatus.REJECTED
    assert f"“{fault}”" in version.message
    assert says in version.message
    assert log.fault["name"] == fault


def test_fc002_a_traceback_at_import_reaches_the_owner(bot: Bot) -> None:
    version, log = judged(bot, "raise RuntimeError('broken at import')")
    assert "RuntimeError: broken at import" in log.stderr
    assert "Traceback" not in version.message


def test_fc017_a_refused_line_of_any_bytes_is_kept_readable(bot: Bot) -> None:
    _, log = judged(
        bot, answering(r'sys.stdout.buffer.write(b"\xff\x1b[31m\n"); sys.stdout.flush()')
    )
    assert log.refused.count("\N{REPLACEMENT CHARACTER}") == 2


def test_fc058_at_import_a_bot_can_neither_write_nor_connect(bot: Bot, state: Any) -> None:
    version, log = judged(
        bot,
        f"""
        import sys
        for attempt in (
            lambda: open({str(state / "trace")!r}, "w"),
            lambda: open("/tmp/trace-of-a-bot", "w"),
            lambda: __import__("socket").create_connection(("127.0.0.1", 80), 1),
            lambda: __import__("os").fork(),
        ):
            try:
                attempt()
            except OSError as error:
                print("refused", file=sys.stderr)
            else:
                print("GOT THROUGH", file=sys.stderr)
        raise SystemExit(1)
        """,
    )
    assert version.status == VersionStatus.REJECTED
    assert log.stderr.count("refused") == 4
    assert "GOT THROUGH" not in log.stderr
    assert not (state / "trace").exists()


def test_a_validation_delivered_twice_is_done_once(bot: Bot) -> None:
    version, log = judged(bot, "raise SystemExit")
    validate(version.pk)
    assert VersionLog.objects.get(version=version).pk == log.pk


def test_without_a_sandbox_a_version_waits_and_is_told_why(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise NoSandbox("No sandbox holds here.")

    monkeypatch.setattr(host, "sandbox", none)
    version = services.submit_version(bot, "bot.py", b"print(1)\n")
    validate(version.pk)
    version.refresh_from_db()
    assert version.status == VersionStatus.PENDING
    assert "No sandbox holds here" in version.message
