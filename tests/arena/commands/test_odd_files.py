"""Files, names and terminals as they are not meant to be: a message and an exit code, in time."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.house import house_folder


@pytest.fixture
def santase(tmp_path: Path) -> Any:
    def run(*arguments: Any, **environment: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "arena", *arguments],
            capture_output=True,
            timeout=60,
            env={**os.environ, "SANTASE_STATE": str(tmp_path / "state"), **environment},
            check=False,
        )

    return run


COMMANDS = {
    "verify": ("verify",),
    "rules": ("rules", "check"),
    "key": ("verify", "replay.jsonl", "--key"),
    "play": ("play", "random"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_that_no_one_writes_to_is_not_waited_for(
    santase: Any, tmp_path: Path, command: str
) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    done = santase(*COMMANDS[command], pipe)
    assert done.returncode == 2
    assert str(pipe).encode() in done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_without_end_is_read_as_far_as_is_of_use(santase: Any, command: str) -> None:
    done = santase(*COMMANDS[command], "/dev/zero")
    assert done.returncode == 2
    assert b"/dev/zero" in done.stdout + done.stderr


def test_a_shells_pipe_is_read_to_its_end(santase: Any, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"{}\n")
    os.close(writing)
    done = subprocess.run(
        [sys.executable, "-m", "arena", "rules", "check", f"/dev/fd/{reading}"],
        capture_output=True,
        timeout=60,
        pass_fds=[reading],
        check=False,
    )
    os.close(reading)
    assert done.returncode == 2
    assert b"line 1: not a record" in done.stderr


def test_a_script_may_have_any_name(santase: Any, tmp_path: Path) -> None:
    script = os.fsencode(tmp_path) + b"/\xff \n\xd0\x91\xd0\xbe\xd1\x82.py"
    with open(script, "wb") as file:
        file.write(b"import sys\nsys.exit(1)\n")
    done = santase("play", script, "random", "--pairs", "1", "--json", "--replays", tmp_path / "r")
    assert done.returncode == 0, done.stderr
    first, *_, summary = map(json.loads, done.stdout.splitlines())
    assert first["winner"] == 1
    assert summary["wins"] == {"A": 0, "B": 2}
    header = json.loads(Path(first["replay"]).read_bytes().splitlines()[0])
    assert header["bots"][0]["name"] == "\N{REPLACEMENT CHARACTER} \nБот.py"
    assert santase("verify", first["replay"]).returncode == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot of two files."""
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.py").write_bytes((house_folder() / "random" / "bot.py").read_bytes())
    (bot / "santase_bot.py").write_bytes((house_folder() / "santase_bot.py").read_bytes())
    return bot


def test_a_name_in_a_bots_folder_that_is_no_utf8_is_refused_by_name(
    santase: Any, folder: Path
) -> None:
    with open(os.fsencode(folder) + b"/\xfe.txt", "wb"):
        pass
    done = santase("play", f"{folder}/", "random")
    assert done.returncode == 2
    assert "\N{REPLACEMENT CHARACTER}.txt is no UTF-8" in done.stderr.decode()


def test_a_file_too_large_for_a_bot_is_not_read_to_its_end(santase: Any, folder: Path) -> None:
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(100 << 30)
    os.mkfifo(folder / "pipe")
    done = santase("play", f"{folder}/", "random")
    assert done.returncode == 2
    assert b"20 MB" in done.stderr


def test_what_the_terminal_cannot_show_is_written_by_number(santase: Any) -> None:
    done = santase("verify", "/nonexistent/повторение", "--json", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert json.loads(done.stdout)["file"] == "/nonexistent/повторение"
    done = santase("play", "random", "greedy", "--pairs", "1", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert b"2\\u20130" in done.stdout


def test_a_full_disk_behind_stdout_is_a_message() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "play", "random", "greedy", "--pairs", "1", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode != 0
    assert b"No space left on device" in done.stderr
    assert b"should not have happened" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_user_without_a_home_is_told_of_the_setting() -> None:
    """In a process that has neither HOME nor a checkout to write to."""
    program = (
        "import os, pathlib, sys\n"
        "import arena.cli, arena.state\n"
        "arena.state._CHECKOUT = pathlib.Path('/nonexistent')\n"
        "sys.argv = ['santase', 'verify', '/etc/passwd']\n"
        "arena.cli.main()\n"
    )
    homeless = {"HOME": "~", "PATH": os.environ["PATH"]}  # what is left of ~ where there is none
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=60, check=False, env=homeless
    )
    assert done.returncode == 4
    assert done.stderr == (
        b"santase: this user has no home: name a folder for keys with SANTASE_STATE.\n"
    )
