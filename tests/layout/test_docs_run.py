"""The commands that the README and the tutorial give really run, in order, as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs_reader import blocks_of
from house import ROOT

from arena.sandbox import NoSandbox, choose

PAGES = [
    "README.md",
    "docs/tutorial/first-bot.md",
    "docs/how-to/verify-a-replay.md",
    "docs/reference/cli.md",
]


@pytest.fixture(scope="module")
def sandbox() -> str:
    """A back-end that holds here, the one with the quickest probe first: every command probes."""
    for name in ("landlock", "auto"):
        try:
            choose(name)
        except NoSandbox as error:
            why = str(error)
        else:
            return name
    pytest.skip(f"bots cannot be run here; `santase doctor` says what to do: {why}")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like a checkout after `make run`, with an empty one around it."""
    checkout = tmp_path / "checkout"
    tools = checkout / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name, command in (("python", ""), ("santase", "-m arena")):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n', encoding="utf-8")
        tool.chmod(0o755)
    for name in ("sample_bots", "tests"):
        (checkout / name).symlink_to(ROOT / name)
    return checkout


@pytest.mark.slow
@pytest.mark.parametrize("document", PAGES)
def test_the_commands_of_a_page_run(document: str, checkout: Path, sandbox: str) -> None:
    ran = 0
    for block in blocks_of(document):
        if block.language == "python":
            (checkout.parent / "my_bot" / "bot.py").write_text(block.text, encoding="utf-8")
        if block.language == "console":
            for line in block.text.splitlines():
                if line.startswith("$ "):
                    _run(line.removeprefix("$ "), checkout, sandbox)
                    ran += 1
    assert ran > 0


def _run(line: str, checkout: Path, sandbox: str) -> None:
    """Runs one line as a reader would, but with a single pair of matches; no bot may fail in it."""
    done = subprocess.run(
        ["bash", "-c", re.sub(r"--pairs \d+", "--pairs 1", line)],
        cwd=checkout,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "SANTASE_STATE": str(checkout / "state"),
            "SANDBOX": sandbox,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "faults of" not in done.stderr, f"{line}\n{done.stderr}"
