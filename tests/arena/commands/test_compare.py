"""`santase compare`: it stops by itself, with a plain answer, the same for one seed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SEED = "00" * 32


@pytest.fixture
def compare(tmp_path: Path) -> Any:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "arena", "compare", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "SANTASE_STATE": str(tmp_path / "state"), "NO_COLOR": "1"},
        )

    return run


def summary_of(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_the_better_bot_gets_a_yes_and_the_other_one_a_no(compare: Any) -> None:
    yes = compare("greedy", "random", "--elo1", "300", "--json")
    no = compare("random", "greedy", "--elo1", "300", "--json")
    assert (yes.returncode, no.returncode) == (0, 1), yes.stderr + no.stderr
    assert summary_of(yes)["decision"] == "better"
    assert summary_of(yes)["answer"].startswith("Yes: greedy is better than random")
    assert summary_of(no)["decision"] == "not_better"
    assert summary_of(no)["answer"].startswith("No: random is not better than greedy")
    low, high = summary_of(no)["bounds"]
    assert summary_of(no)["llr"] <= low < high <= summary_of(yes)["llr"]


def test_it_stops_at_the_same_pair_with_the_same_answer_whatever_the_jobs(compare: Any) -> None:
    asked = ("greedy", "random", "--elo1", "200", "--seed", SEED, "--json")
    one, other = compare(*asked), compare(*asked, "--jobs", "2")
    varying = {"matches_per_s"}
    told = [
        {key: value for key, value in summary_of(done).items() if key not in varying}
        for done in (one, other)
    ]
    assert told[0] == told[1]
    assert (
        len(one.stdout.splitlines()) == len(other.stdout.splitlines()) == 2 * told[0]["pairs"] + 1
    )


def test_too_few_pairs_are_no_answer(compare: Any) -> None:
    done = compare("random", "random", "--max-pairs", "2")
    assert done.returncode == 5, done.stderr
    assert "Not decided yet, after 2 pairs." in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--elo0", "20"), "elo0 must be below elo1"),
        (("--alpha", "0"), "alpha and beta"),
        (("--max-pairs", "0"), "--max-pairs"),
        (("--jobs", "0"), "--jobs"),
    ],
)
def test_a_question_that_is_none_is_refused(
    compare: Any, options: tuple[str, ...], words: str
) -> None:
    done = compare("greedy", "random", *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_two_bots_of_one_name_are_told_apart_in_the_answer(compare: Any) -> None:
    done = compare("random", "random", "--elo0", "-1000", "--elo1", "1000", "--json")
    answer = summary_of(done)["answer"]
    assert "random (A)" in answer
    assert "random (B)" in answer
