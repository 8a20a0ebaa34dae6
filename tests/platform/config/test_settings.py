"""Settings: what production needs, what the docs say, what every page's header says."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import broker
from config.production import production_gaps, require_production
from config.secret_key import kept_secret

ROOT = Path(__file__).resolve().parents[3]
WHOLE = {
    "SECRET_KEY": "k" * 40,
    "ALLOWED_HOSTS": "arena.example",
    "DATABASE_URL": "postgres://u:p@db/arena",
    "REDIS_URL": "redis://redis:6379/0",
    "SANDBOX": "bubblewrap",
}


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
    ],
)
def test_production_refuses_what_is_meant_for_a_laptop(name: str, value: str) -> None:
    assert [gap.partition(":")[0] for gap in production_gaps({**WHOLE, name: value})] == [name]


def test_one_message_names_all_that_production_lacks() -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        require_production(production_gaps({}))
    assert all(name in str(refused.value) for name in WHOLE)


def test_production_without_its_variables_does_not_start_and_shows_no_traceback() -> None:
    environment = {"PATH": os.environ["PATH"], "SANTASE_ENV": "production"}
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "check"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
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
    assert set(rows) == read


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
