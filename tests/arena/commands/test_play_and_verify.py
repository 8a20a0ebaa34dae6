"""The command line through its own door: `python -m arena …` in a process of its own."""

import json
import math
import os
import signal
import subprocess
import sys
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


def test_a_sandbox_that_is_not_there_is_exit_code_4(santase: Any) -> None:
    done = santase("play", "random", "greedy", "--sandbox", "moat")
    assert done.returncode in (2, 4)
    assert "moat" in done.stderr
    assert "Traceback" not in done.stderr


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


def test_ctrl_c_stops_cleanly_with_what_was_played(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "arena", "play", "random", "greedy", "--pairs", "100000", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "SANTASE_STATE": str(tmp_path / "state")},
    )
    assert child.stdout is not None
    assert json.loads(child.stdout.readline())["pair"] == 0
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert json.loads(out.splitlines()[-1])["summary"]
    assert "Traceback" not in err


def test_json_mode_keeps_everything_else_off_stdout(santase: Any) -> None:
    done = santase("play", "greedy", "greedy", "--pairs", "1", "--json")
    assert all(isinstance(line, dict) for line in lines(done))
