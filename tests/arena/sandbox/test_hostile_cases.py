"""Every hostile bot in every back-end, as root and as an ordinary user: what it gets and leaves."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import KINDS

CASES = sorted((Path(__file__).parent / "cases").iterdir())
STOP_S = 1.0


def _expected(case: Path) -> dict[str, Any]:
    return tomllib.loads((case / "case.toml").read_text())["expect"]


def _ending(report: dict[str, Any]) -> str:
    if report["killed"]:
        return "killed"
    return report["signal"] or f"exit {report['code']}"


def check(outcome: dict[str, Any], expect: dict[str, Any], kind: str) -> None:
    """Compares what came of a case with what its case.toml expects."""
    expect = {**expect, **expect.get(kind, {})}
    report, said = outcome["report"], outcome["stdout"]
    assert "BREACH" not in said, said[:500]
    ends = expect["ends"]
    assert _ending(report) in (ends if isinstance(ends, list) else [ends]), outcome
    for words in expect.get("stdout", []):
        assert words in said, outcome
    for words in expect.get("stderr", []):
        assert words in outcome["stderr"], outcome
    if "reply" in expect:
        assert json.loads(said.partition("\n")[0])["r"] == expect["reply"], outcome
    assert outcome["bytes"] >= expect.get("bytes", 0)
    if "cpu_ms" in expect:
        assert report["cpu_ns"] >= expect["cpu_ms"] * 1e6, report
    if "peak_mb" in expect:
        assert report["peak_mb"] is None or report["peak_mb"] >= expect["peak_mb"], report
    assert report["survivors"] == 0
    assert outcome["left"] == []
    assert outcome["stop_s"] < STOP_S


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "docker"])
def test_a_hostile_bot_gets_nothing_and_leaves_nothing(kind: str, case: Path, play: Any) -> None:
    check(play(kind, case), _expected(case), kind)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", ["docker"])
def test_a_hostile_bot_gets_nothing_in_a_container(kind: str, case: Path, play_here: Any) -> None:
    check(play_here(kind, case), _expected(case), kind)


@pytest.mark.parametrize("name", ["h01_fork_bomb", "h09_read_secrets", "h24_ignore_term"])
@pytest.mark.parametrize("kind", ["docker"])
def test_a_container_holds_for_an_ordinary_worker_too(kind: str, name: str, play: Any) -> None:
    case = Path(__file__).parent / "cases" / name
    check(play(kind, case), _expected(case), kind)
