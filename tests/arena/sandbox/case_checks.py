"""The hostile cases, and what each expects of its box: shared by the tests that play them."""

import json
import tomllib
from pathlib import Path
from typing import Any

CASES = sorted((Path(__file__).parent / "cases").iterdir())
STOP_S = 1.0


def read(case: Path) -> dict[str, Any]:
    """A case's case.toml."""
    return tomllib.loads((case / "case.toml").read_text())


def expected(case: Path, kind: str) -> dict[str, Any]:
    """What a case expects in a back-end of this kind."""
    expect: dict[str, Any] = read(case)["expect"]
    return {**expect, **expect.get(kind, {})}


def ending(report: dict[str, Any]) -> str:
    """How the bot ended, in the words of case.toml."""
    if report["killed"]:
        return "killed"
    return report["signal"] or f"exit {report['code']}"


def check(outcome: dict[str, Any], expect: dict[str, Any]) -> None:
    """Compares what came of a case with what is expected of it."""
    report, said = outcome["report"], outcome["stdout"]
    assert ("BREACH" in said) == expect.get("breach", False), said[:500]
    ends = expect["ends"]
    assert ending(report) in (ends if isinstance(ends, list) else [ends]), outcome
    for words in expect.get("stdout", []):
        assert words in said, outcome
    for words in expect.get("stderr", []):
        assert words in outcome["stderr"], outcome
    if "reply" in expect:
        assert json.loads(said.partition("\n")[0])["r"] == expect["reply"], outcome
    if "without" in expect:
        assert expect["without"] not in said, outcome
    assert outcome["bytes"] >= expect.get("bytes", 0)
    if "cpu_ms" in expect:
        assert report["cpu_ns"] >= expect["cpu_ms"] * 1e6, report
    if "peak_mb" in expect:
        assert report["peak_mb"] is None or report["peak_mb"] >= expect["peak_mb"], report
    assert report["survivors"] == 0
    assert outcome["left"] == []
    assert outcome["stop_s"] < STOP_S
