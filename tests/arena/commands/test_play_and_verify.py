"""The command line through its own door: `python -m arena …` in a process of its own."""

import contextlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SEED = "00" * 32


@pytest.fixture
def santase(tmp_path: Path) -> Any:
    def run(*arguments: str, **more: Any) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "arena", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "SANTASE_STATE": str(tmp_path / "state"), "NO_COLOR": "1"},
            **more,
        )

    return run


def lines(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def course(done: "subprocess.CompletedProcess[str]") -> list[Any]:
    """What must be the same in two runs: everything but the times."""
    return [
        {key: match[key] for key in ("match", "pair", "game", "seed", "winner", "score", "deals")}
        for match in lines(done)[:-1]
    ]


def test_the_same_seed_gives_the_same_matches_whatever_the_jobs(santase: Any) -> None:
    play = ("play", "random", "greedy", "--pairs", "3", "--seed", SEED, "--json")
    one, other = santase(*play), santase(*play, "--jobs", "2")
    assert (one.returncode, other.returncode) == (0, 0), one.stderr + other.stderr
    assert course(one) == course(other)
    assert [(match["pair"], match["game"]) for match in course(one)] == [
        (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1),
    ]  # fmt: skip


def test_both_matches_of_a_pair_have_one_seed_and_exchanged_seats(santase: Any) -> None:
    done = santase("play", "random", "greedy", "--pairs", "1", "--json")
    first, second, _ = lines(done)
    assert first["seed"] == second["seed"]
    assert (first["seats"], second["seats"]) == (["A", "B"], ["B", "A"])


def test_the_summary_holds_the_figures_of_the_pairs(santase: Any) -> None:
    done = santase("play", "greedy", "random", "--pairs", "4", "--seed", SEED, "--json")
    *matches, summary = lines(done)
    won = [
        sum(m["winner"] is not None and m["seats"][m["winner"]] == "A" for m in matches[i : i + 2])
        for i in range(0, 8, 2)
    ]
    assert summary["pair_scores"] == [won.count(0), won.count(1), won.count(2)]
    assert summary["wins"] == {"A": sum(won), "B": 8 - sum(won)}
    score = (sum(won) / 2 + 0.5) / 5
    assert summary["elo"] == pytest.approx(-400 * math.log10(1 / score - 1), abs=0.01)
    assert 0.5 < summary["los"] <= 1
    mean = sum(won) / 8
    variance = sum((wins / 2 - mean) ** 2 for wins in won) / 4
    saving = 1 - variance / (mean * (1 - mean) / 2) if 0 < mean < 1 else None
    assert summary["saving"] == (saving if saving is None else pytest.approx(saving, abs=1e-4))


def test_replays_are_written_and_every_one_is_verified(santase: Any, tmp_path: Path) -> None:
    folder = tmp_path / "повторения и още"
    done = santase("play", "random", "random", "--pairs", "2", "--json", "--replays", str(folder))
    replays = [match["replay"] for match in lines(done)[:-1]]
    assert sorted(replays) == sorted(str(path) for path in folder.iterdir())
    verified = santase("verify", *replays, "--json")
    assert verified.returncode == 0
    assert all(line["ok"] and line["error"] is None for line in lines(verified))


def test_the_worst_of_several_files_decides_the_exit_code(santase: Any, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    done = santase(
        "play",
        "random",
        "random",
        "--pairs",
        "1",
        "--json",
        "--seed",
        SEED,
        "--replays",
        str(folder),
    )
    good, other = (Path(match["replay"]) for match in lines(done)[:-1])
    assert santase("verify", str(good), "--secret", SEED).returncode == 0
    assert santase("verify", str(good), "--secret", "11" * 32).returncode == 1
    assert santase("verify", str(good), "--key", "ab" * 32).returncode == 3
    assert santase("verify", str(good), str(tmp_path / "none")).returncode == 2
    other.write_bytes(other.read_bytes().replace(b'"wall', b'"wa1l', 1).replace(b"[0,", b"[1,", 1))
    bad = santase("verify", str(tmp_path / "none"), str(good), str(other), "--json")
    assert bad.returncode == 1
    assert [line["ok"] for line in lines(bad)] == [False, True, False]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("play", "random", "nobody"), "nobody"),
        (("play", "random", "./missing.py"), "missing.py"),
        (("play", "random", "greedy", "--seed", "12"), "64"),
        (("play", "random", "greedy", "--seed", "x" * 64), "hex"),
        (("play", "random", "greedy", "--pairs", "0"), "--pairs"),
        (("play", "random", "greedy", "--pairs", "many"), "--pairs"),
        (("play", "random", "greedy", "--jobs", "0"), "--jobs"),
        (("play", "random", "greedy", "--rules", "whist"), "--rules"),
        (("play", "random"), "BOT"),
        (("play", "random", "greedy", "--fast"), "--fast"),
        (("verify",), "FILE"),
        (("verify", "x", "--key", "nokey"), "--key"),
        (("verify", "x", "--secret", "12"), "--secret"),
        (("rules", "check", "/nonexistent/v.jsonl"), "/nonexistent/v.jsonl"),
    ],
)
def test_wrong_arguments_are_named_with_exit_code_2(
    santase: Any, arguments: tuple[str, ...], says: str
) -> None:
    done = santase(*arguments)
    said = done.stdout + done.stderr
    assert done.returncode == 2
    assert says in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", [("play", "random", "greedy"), ("doctor",)])
def test_a_sandbox_of_no_known_name_is_refused_with_those_there_are(
    santase: Any, command: tuple[str, ...]
) -> None:
    done = santase(*command, "--sandbox", "moat")
    assert done.returncode == 2
    assert "'moat': choose one of auto, docker, bubblewrap, landlock" in done.stderr


def test_matches_of_other_bots_with_the_same_seed_have_other_names(santase: Any) -> None:
    """Their replays would take each other's place in one folder."""
    names: set[str] = set()
    for one, other in (("random", "greedy"), ("greedy", "random"), ("random", "random")):
        done = santase("play", one, other, "--pairs", "1", "--seed", SEED, "--json")
        names |= {match["match"] for match in lines(done)[:-1]}
    assert len(names) == 6


def test_a_replay_that_cannot_be_written_is_a_message_and_exit_code_4(
    santase: Any, tmp_path: Path
) -> None:
    play = ("play", "random", "greedy", "--pairs", "1", "--seed", SEED, "--json")
    first = lines(santase(*play))[0]["match"]
    (tmp_path / f"{first}.jsonl" / "in the way").mkdir(parents=True)
    done = santase(*play, "--replays", str(tmp_path))
    assert done.returncode == 4
    assert f"{first}.jsonl: the replay cannot be written" in done.stderr
    assert "should not have happened" not in done.stderr
    assert lines(done)[-1]["pairs"] == 0


def test_an_empty_script_is_refused_before_anything_runs(santase: Any, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("")
    done = santase("play", str(script), "greedy")
    assert done.returncode == 2
    assert "empty" in done.stderr


def test_trusted_play_says_loudly_that_there_is_no_sandbox(santase: Any) -> None:
    done = santase("play", "random", "greedy", "--pairs", "1", "--trusted", "--json")
    assert done.returncode == 0
    assert "WITHOUT a sandbox" in done.stderr
    assert len(lines(done)) == 3


@pytest.fixture
def long_play(tmp_path: Path) -> "Iterator[subprocess.Popen[str]]":
    """A play that would go on for hours."""
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "play", "random", "greedy", "--pairs", "100000", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "SANTASE_STATE": str(tmp_path / "state")},
    ) as child:
        yield child
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)


def first_match(play: "subprocess.Popen[str]") -> dict[str, Any]:
    assert play.stdout is not None
    line = play.stdout.readline()
    assert line, play.communicate()[1]
    match: dict[str, Any] = json.loads(line)
    return match


def worker_of(play: "subprocess.Popen[str]") -> int:
    """The process that plays the matches, as soon as there is one."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for pid in Path(f"/proc/{play.pid}/task/{play.pid}/children").read_text().split():
            with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # one that has ended
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
    raise AssertionError("no worker was started")


def test_ctrl_c_stops_cleanly_with_what_was_played(long_play: "subprocess.Popen[str]") -> None:
    assert first_match(long_play)["pair"] == 0
    os.killpg(long_play.pid, signal.SIGINT)
    out, err = long_play.communicate(timeout=60)
    assert long_play.returncode == 130
    assert json.loads(out.splitlines()[-1])["summary"]
    assert "Traceback" not in err


def test_ctrl_c_while_the_workers_start_is_as_clean(long_play: "subprocess.Popen[str]") -> None:
    worker_of(long_play)
    os.killpg(long_play.pid, signal.SIGINT)
    _, err = long_play.communicate(timeout=60)
    assert long_play.returncode == 130
    assert err == ""


@pytest.mark.parametrize("killed_by", [signal.SIGTERM, signal.SIGKILL])
def test_fc045_no_worker_outlives_a_play_that_was_killed(
    long_play: "subprocess.Popen[str]", killed_by: signal.Signals
) -> None:
    first_match(long_play)
    pidfd = os.pidfd_open(worker_of(long_play))
    try:
        os.kill(long_play.pid, killed_by)
        long_play.wait(timeout=60)
        assert select.select([pidfd], [], [], 30)[0]
    finally:
        os.close(pidfd)


def test_a_worker_that_was_killed_is_a_message_and_exit_code_4(
    long_play: "subprocess.Popen[str]",
) -> None:
    first_match(long_play)
    os.kill(worker_of(long_play), signal.SIGKILL)
    out, err = long_play.communicate(timeout=60)
    assert long_play.returncode == 4
    assert json.loads(out.splitlines()[-1])["summary"]
    assert "ended from outside" in err
    assert "should not have happened" not in err


def test_json_mode_keeps_everything_else_off_stdout(santase: Any) -> None:
    done = santase("play", "greedy", "greedy", "--pairs", "1", "--json")
    assert all(isinstance(line, dict) for line in lines(done))


def test_no_more_matches_run_at_once_than_there_are_cores(santase: Any) -> None:
    done = santase("play", "random", "greedy", "--pairs", "2", "--jobs", "1000000", "--json")
    assert done.returncode == 0, done.stderr
    assert "--jobs 1000000: this machine has" in done.stderr
    assert len(lines(done)) == 5
