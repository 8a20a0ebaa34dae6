"""`santase doctor` as scripts and people read it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Doctor = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def doctor(tmp_path: Path) -> Doctor:
    """The command, on a machine without a container engine."""

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "arena", "doctor", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/no-engine.sock"},
            check=False,
        )

    return run


def test_every_finding_is_a_line_of_json_with_its_level_and_the_last_names_the_sandbox(
    doctor: Doctor,
) -> None:
    done = doctor("--json", "--sandbox", "landlock")
    assert done.returncode == 0, done.stdout + done.stderr
    *findings, summary = map(json.loads, done.stdout.splitlines())
    assert {tuple(finding) for finding in findings} == {("name", "ok", "level", "what", "remedy")}
    assert {finding["level"] for finding in findings} <= {"ok", "warning"}
    assert all(finding["ok"] for finding in findings)
    assert all(finding["remedy"] for finding in findings if finding["level"] == "warning")
    assert summary["summary"] is True
    assert summary["sandbox"].startswith("landlock (cpython-")


def test_the_back_end_that_is_asked_for_and_not_there_ends_in_exit_code_4(
    doctor: Doctor,
) -> None:
    done = doctor("--sandbox", "docker")
    assert done.returncode == 4
    assert "FAIL docker: engine, image, start: the container engine does not answer" in done.stdout
    assert "what to do: Start the engine" in done.stdout
    assert done.stdout.endswith("No sandbox holds here: bots are not run.\n")


def test_one_that_is_not_asked_for_is_a_note(doctor: Doctor) -> None:
    done = doctor("--sandbox", "landlock")
    assert done.returncode == 0
    assert "note docker: start: not available here" in done.stdout
    assert "FAIL" not in done.stdout
    assert "Bots run in: landlock" in done.stdout.splitlines()[-1]


def test_slots_that_the_machine_has_no_cores_for_are_noted(doctor: Doctor) -> None:
    asked = ("--sandbox", "landlock", "--slots")
    done = doctor(*asked, "100000")
    assert done.returncode == 0
    assert "note cores: " in done.stdout
    assert "note memory: " in done.stdout
    assert doctor(*asked, "-1").returncode == 2
