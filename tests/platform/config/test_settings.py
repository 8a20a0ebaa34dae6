"""Settings: what production needs, what the docs say, what every page's header says."""

import logging
import os
import re
import stat
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from structlog.stdlib import ProcessorFormatter

from config import broker
from config.environment import production_gaps, require_production, unreadable
from config.logs import LOG_FORMATTERS
from config.schedule import Every
from config.secret_key import kept_secret

ROOT = Path(__file__).resolve().parents[3]
WHOLE = {
    "SECRET_KEY": "k" * 40,
    "ALLOWED_HOSTS": "arena.example",
    "DATABASE_URL": "postgres://u:p@db/arena",
    "REDIS_URL": "redis://redis:6379/0",
    "SANDBOX": "bubblewrap",
}


def check(environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """`manage.py check` with nothing else in its environment."""
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", "check"],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_production_with_everything_named_has_no_gaps() -> None:
    assert production_gaps(WHOLE) == []


@pytest.mark.parametrize("name", list(WHOLE))
def test_production_names_each_variable_that_is_missing(name: str) -> None:
    lacking = {key: value for key, value in WHOLE.items() if key != name}
    assert [gap.partition(":")[0] for gap in production_gaps(lacking)] == [name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"),
        ("ALLOWED_HOSTS", "*"),
        ("DATABASE_URL", "sqlite:///x"),
        ("SANDBOX", "auto"),
        ("SANDBOX", "none"),
        ("DEBUG", "true"),
    ],
)
def test_production_refuses_what_is_meant_for_a_laptop(name: str, value: str) -> None:
    assert [gap.partition(":")[0] for gap in production_gaps({**WHOLE, name: value})] == [name]


def test_one_message_names_all_that_production_lacks() -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        require_production(production_gaps({}))
    assert all(name in str(refused.value) for name in WHOLE)


@pytest.mark.parametrize("name", ["docker", "bubblewrap", "landlock"])
def test_each_sandbox_can_be_named(name: str) -> None:
    assert production_gaps({**WHOLE, "SANDBOX": name}) == []
    assert unreadable({"SANDBOX": name}) == []


def test_a_sandbox_of_no_known_name_is_refused_with_those_there_are() -> None:
    (unread,) = unreadable({"SANDBOX": "moat"})
    assert "docker or bubblewrap or landlock" in unread


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SANTASE_ENV", "prod"),
        ("SANTASE_ENV", "Production"),
        ("WORKER_SLOTS", "two"),
        ("WORKER_SLOTS", "-3"),
        ("UPLOAD_MAX_PY_KB", "0"),
        ("LOG_LEVEL", "loud"),
        ("DATABASE_URL", "postgres://u:p@db:port/arena"),
        ("DATABASE_URL", "oops"),
        ("REDIS_URL", "http://redis"),
        ("HTTPS", "maybe"),
    ],
)
def test_a_value_that_cannot_be_meant_is_named_and_never_guessed(name: str, value: str) -> None:
    done = check({name: value})
    assert done.returncode == 1
    assert f"{name}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_values_that_are_meant_are_read() -> None:
    assert unreadable({**WHOLE, "HTTPS": "True", "LOG_LEVEL": "debug", "WORKER_SLOTS": "0"}) == []
    assert unreadable(dict.fromkeys(WHOLE, "")) == []


@pytest.mark.parametrize("named", ["", "relative folder"])
def test_the_state_folder_is_the_one_of_the_command_line_tools(named: str, tmp_path: Path) -> None:
    ask = (
        "from arena.state import keys_dir; from django.conf import settings; "
        "print(keys_dir().resolve() == settings.STATE / 'keys', settings.STATE)"
    )
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={
            "PATH": os.environ["PATH"], "SANTASE_STATE": named, "SECRET_KEY": "k" * 40,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
        },
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    same, folder = done.stdout.strip().split(" ", 1)
    assert same == "True", done.stderr
    assert Path(folder) == (tmp_path / named if named else ROOT / "var")


def test_a_clock_set_back_by_hours_does_not_stop_the_regular_tasks() -> None:
    every = Every(timedelta(seconds=2))
    now = every.now()
    assert every.is_due(now + timedelta(hours=3)).is_due
    assert every.is_due(now - timedelta(seconds=3)).is_due
    assert not every.is_due(every.now()).is_due


def test_numpy_computes_in_one_thread_in_every_process_of_the_platform() -> None:
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


def test_production_without_its_variables_does_not_start_and_shows_no_traceback() -> None:
    done = check({"SANTASE_ENV": "production"})
    assert done.returncode == 1
    assert "SECRET_KEY" in done.stderr
    assert "SANDBOX" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_docs_have_a_row_for_each_variable_and_no_other() -> None:
    source = (ROOT / "platform/config/settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) == read | {"SANTASE_STATE"}  # which arena.state reads


def test_a_secret_is_drawn_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "secret.key"
    first = kept_secret(path, 48)
    assert len(first) >= 64
    assert kept_secret(path, 48) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_state_folder_that_cannot_be_made_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="SANTASE_STATE"):
        kept_secret(tmp_path / "file" / "secret.key", 48)


def test_the_socket_path_is_short_whatever_the_state_folder_is_called() -> None:
    long = Path("/" + "/".join(["папка с интервали"] * 40))
    assert len(os.fsencode(broker.socket_path(long))) < 100
    assert broker.socket_path(long) != broker.socket_path(long / "other")


def test_every_response_carries_a_policy_without_unsafe_anything(client: object) -> None:
    from django.test import Client

    policy = Client().get("/static/none.css").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "data:" not in policy


def test_a_traceback_in_the_log_shows_no_values() -> None:
    options = {name: value for name, value in LOG_FORMATTERS["plain"].items() if name != "()"}
    formatter = ProcessorFormatter(**options)
    try:
        password = "correct horse"
        raise ValueError(len(password))
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", (), sys.exc_info())
    line = formatter.format(record)
    assert "ValueError: 13" in line
    assert "correct horse" not in line.replace('password = "correct horse"', "")
