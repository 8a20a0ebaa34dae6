"""`manage.py up` itself: pages, a second start, stopping, starting again."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from running_stack import ROOT, Up, children, command_line, start, stop, wait_until

from config import broker


def test_a_second_start_from_the_same_folder_is_refused(up: Up) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "up"],
        env={**os.environ, "SANTASE_STATE": str(up.state)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "running already" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_for_the_first_staff_account_works_as_it_is_printed(up: Up) -> None:
    (line,) = re.findall(r"first staff account +(.*)", up.text)
    done = subprocess.run(
        f"{line.replace('createsuperuser', 'createsuperuser --help')}", shell=True,
        cwd=up.state.parent, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert str(up.state) in line


def test_a_state_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("k" * 40)
    (tmp_path / "logs").write_text("no folder")
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "up", "--port", "18700"],
        env={**os.environ, "SANTASE_STATE": str(tmp_path)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "SANTASE_STATE" in done.stderr
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
    assert not broker.socket_path(first.state.resolve()).parent.exists()
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
