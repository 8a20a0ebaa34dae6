"""The whole platform, started as a user starts it, and a browser to look at it with."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arena_site import CHROMIUM, Site, heard_from
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
START_S = 120.0


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium; as root it runs only without its own sandbox."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": root}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`manage.py up` on a state folder of its own, playing on one core."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    folder = tmp_path_factory.mktemp("site")
    log = folder / "up.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(free_port()), "--slots", "1"],
            cwd=ROOT,
            env={**os.environ, "SANTASE_STATE": str(folder / "state")},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Site(started_address(process, log), folder / "state")
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains about, the Content-Security-Policy included."""
    return heard_from(page)


def started_address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """The address that `up` prints once everything runs."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"runs at\s+(http://\S+?)/?\s", log.read_text(errors="replace"))
        if found:
            return found[1]
        time.sleep(0.1)
    process.kill()
    pytest.fail(f"manage.py up did not start:\n{log.read_text(errors='replace')[-4000:]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
