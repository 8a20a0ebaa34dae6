"""Every hostile bot in a match, in every back-end: the right verdict, the other bot unharmed."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import KINDS

CASES = sorted((Path(__file__).parent / "cases").iterdir())
OWN = [kind for kind in KINDS if kind != "docker"]
GROWN_KB = 5_000


def check(outcome: dict[str, Any], case: Path, kind: str, quiet: dict[str, Any]) -> None:
    """Compares a match with what the case expects, and the other bot with a quiet match."""
    expect = tomllib.loads((case / "case.toml").read_text())["match"]
    expect = expect.get(kind, expect)
    at_start = expect.get("at") == "start"
    (fault,) = outcome["faults"]
    assert fault["seat"] == 0, outcome
    assert fault["name"] == ("start" if at_start else expect["fault"]), outcome
    assert fault["phase"] == ("start" if at_start else "deal"), outcome
    assert fault["exit"] == expect.get("exit"), outcome
    assert fault["signal"] == expect.get("signal"), outcome
    assert "BREACH" not in outcome["refused"], outcome
    assert (outcome["winner"], outcome["reason"]) == (1, fault["name"])
    # What the one burns is not the other's: its own CPU is that of a quiet match, tenfold at most.
    assert len(outcome["billed_ms"]) == (0 if at_start else 1)
    assert sum(outcome["billed_ms"]) <= 10 * max(*quiet["billed_ms"], 5.0)
    assert outcome["cpu_ms"][1] <= 10 * max(quiet["cpu_ms"][1], 5.0)
    assert outcome["took_s"] < outcome["deadline_s"] + 1 + quiet["took_s"]
    assert outcome["survivors"] == [0, 0]
    assert outcome["left"] == []
    assert outcome["grown_kb"] < GROWN_KB


@pytest.fixture(scope="module")
def quiet(play_here: Any) -> Any:
    """A match in which nothing bad happens but that one bot leaves, by kind; played once."""
    played: dict[str, dict[str, Any]] = {}

    def of(kind: str) -> dict[str, Any]:
        if kind not in played:
            played[kind] = play_here(kind, None, "match")
        return played[kind]

    return of


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", OWN)
def test_a_hostile_bot_loses_by_the_right_verdict_and_the_other_is_unharmed(
    kind: str, case: Path, play: Any, quiet: Any
) -> None:
    check(play(kind, case, "match"), case, kind, quiet(kind))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", ["docker"])
def test_so_it_does_in_a_container(kind: str, case: Path, play_here: Any, quiet: Any) -> None:
    check(play_here(kind, case, "match"), case, kind, quiet(kind))
