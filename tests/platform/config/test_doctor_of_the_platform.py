"""`manage.py doctor`: the machine, then database, broker and workers."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from arena.sandbox import NoSandbox
from bots import host
from matches import health
from matches.models import WorkerStatus
from matches.queries import platform_findings

ROOT = Path(__file__).resolve().parents[3]


def found(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], Any]:
    """What was printed as JSON: findings by name, the summary."""
    *lines, summary = map(json.loads, capsys.readouterr().out.splitlines())
    return {line["name"]: line for line in lines}, summary


@pytest.mark.django_db
def test_machine_and_platform_are_looked_at_and_where_all_is_well_nothing_is_said_by_the_exit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    health.say_ready("one", host.sandbox(), 2)
    call_command("doctor", "--json", "--sandbox", "landlock")
    findings, summary = found(capsys)
    assert all(finding["ok"] for finding in findings.values())
    assert findings.keys() >= {
        "kernel", "user", "memory", "landlock, inner wall: make_socket", "database", "migrations",
        "broker", "workers", "Python of the workers", "voids", "voids: one", "parked pairings",
    }  # fmt: skip
    assert findings["broker"]["what"] == "answers"
    assert findings["migrations"]["what"] == "all applied"
    assert findings["workers"]["what"] == "1 playing, 2 slots in all"
    assert summary["sandbox"].startswith("landlock (")


@pytest.mark.django_db
def test_where_no_worker_has_a_sandbox_it_fails_with_4_and_names_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    health.say_no_sandbox("one", NoSandbox("No sandbox holds."))
    with pytest.raises(SystemExit) as end:
        call_command("doctor", "--json", "--sandbox", "landlock")
    assert end.value.code == 4
    findings, _ = found(capsys)
    assert [name for name, finding in findings.items() if not finding["ok"]] == ["workers"]
    assert "without a sandbox: one" in findings["workers"]["what"]


@pytest.mark.django_db
def test_workers_with_different_versions_of_python_are_a_note() -> None:
    for name, version in (("one", "3.12.1"), ("two", "3.11.7")):
        health.say_ready(name, host.sandbox(), 1)
        WorkerStatus.objects.filter(name=name).update(python=version, beat_at=timezone.now())
    (python,) = [each for each in platform_findings() if each.name == "Python of the workers"]
    assert python.what == "3.11.7, 3.12.1"
    assert "Give all workers the same" in python.remedy


@pytest.mark.django_db
def test_a_broker_that_is_named_and_does_not_answer_fails_and_ours_at_rest_does_not(
    celery_app: Any, settings: Any
) -> None:
    for name in ("broker_url", "broker_read_url", "broker_write_url"):
        celery_app.conf[name] = "redis://127.0.0.1:1/0"
    (ours,) = [each for each in platform_findings() if each.name == "broker"]
    assert ours.ok
    assert "`manage.py up` starts it" in ours.remedy
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    (named,) = [each for each in platform_findings() if each.name == "broker"]
    assert not named.ok
    assert "does not answer" in named.what
    assert "REDIS_URL" in named.remedy


@pytest.mark.django_db
def test_a_name_that_is_no_sandbox_is_a_wrong_usage() -> None:
    with pytest.raises(CommandError, match="choose one of auto, docker") as error:
        call_command("doctor", "--sandbox", "moat")
    assert error.value.returncode == 2


def doctor(**environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", "doctor", "--sandbox", "landlock"],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_before_the_first_start_what_is_not_there_yet_is_a_note(tmp_path: Path) -> None:
    done = doctor(SANTASE_STATE=str(tmp_path / "state"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "note migrations: " in done.stdout
    assert "note broker: the embedded one is not running" in done.stdout


def test_a_database_that_does_not_answer_is_named_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    done = doctor(
        SANTASE_STATE=str(tmp_path), DATABASE_URL=f"sqlite:///{tmp_path}/no-folder/db.sqlite3"
    )
    assert done.returncode == 4
    assert "FAIL database: does not answer: unable to open database file" in done.stdout
    assert "broker: " in done.stdout
    assert "Bots run in: landlock" in done.stdout
    assert "Traceback" not in done.stderr
