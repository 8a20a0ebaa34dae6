"""What depends on the database is shown on PostgreSQL too: a private server, gone with the test."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import wait_until

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
"""Where Debian puts them, the newest last."""

pytestmark = pytest.mark.slow


def as_nobody(*argv: str) -> list[str]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return list(argv)
    nobody = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups",
            *argv]  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def database_url() -> Iterator[str]:
    """A server of our own, on loopback, with a password, its files in one folder."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="santase-pg-"))
    port, password = free_port(), secrets.token_hex(16)
    (folder / "password").write_text(password)
    if os.geteuid() == 0:
        for path in (folder, folder / "password"):
            shutil.chown(path, "nobody")
    made = subprocess.run(
        as_nobody(
            str(PROGRAMS[-1] / "initdb"), "-D", str(folder / "data"), "-U", "arena", "-E", "UTF8",
            "--locale=C", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}", "--no-sync",
        ),
        capture_output=True, text=True, check=False, timeout=120, cwd=folder,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    server = subprocess.Popen(
        as_nobody(
            str(PROGRAMS[-1] / "postgres"), "-D", str(folder / "data"), "-p", str(port), "-k", "",
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=40",
        ),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
    )  # fmt: skip
    try:
        wait_until(lambda: server.poll() is None and listens(port), 60, "PostgreSQL")
        yield f"postgres://arena:{password}@127.0.0.1:{port}/postgres"
    finally:
        server.send_signal(signal.SIGINT)  # at once: what is still connected is cut off
        server.wait(60)
        shutil.rmtree(folder)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(
    "tests",
    [
        "matches/test_deliveries.py",
        "matches/test_rulings.py",
        "matches/test_booking.py",
        "matches/test_consistent_read.py",
        "matches/test_luck_of_matches.py",
        "matches/test_pausing.py",
        "ratings/test_luck_of_meetings.py",
        "ratings/test_refit.py",
        "tournaments/test_audit.py",
        "tournaments/test_formats.py",
        "tournaments/test_ladder_days.py",
    ],
)
def test_it_holds_on_postgresql(database_url: str, tests: str) -> None:
    """The very same tests, in a process whose database is that server."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist",
         f"tests/platform/{tests}"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=900,
        env={**environment, "DATABASE_URL": database_url},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
