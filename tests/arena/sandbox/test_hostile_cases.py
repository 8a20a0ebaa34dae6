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


OUTER_ALONE = [
    *("h01_fork_bomb", "h02_thread_bomb", "h03_mem_hog", "h05_memfd_hog", "h06_tmp_fill"),
    *("h08_write_anywhere", "h10_network", "h16_daemonize", "h23_segfault", "h24_ignore_term"),
    *("h32_devices", "h38_flock_channel", "raw_clone", "signals_to_others", "host_files_changed"),
    *("fc046_daemon_at_import", "fc074_environment", "kernel_objects"),
]
"""What namespaces and the outer filter must hold without the inner wall."""


def check_outer(outcome: dict[str, Any]) -> None:
    """What is left to hold where the inner wall is taken away."""
    assert "BREACH" not in outcome["stdout"], outcome
    assert outcome["report"]["survivors"] == 0
    assert outcome["left"] == []


NO_INNER = {"landlock": False, "seccomp": False}


@pytest.mark.parametrize("name", OUTER_ALONE)
def test_the_outer_wall_alone_holds(name: str, play: Any) -> None:
    case = Path(__file__).parent / "cases" / name
    check_outer(play("bubblewrap", case, NO_INNER))


@pytest.mark.parametrize("name", ["h01_fork_bomb", "h09_read_secrets", "h24_ignore_term"])
@pytest.mark.parametrize("kind", ["docker"])
def test_a_container_holds_for_an_ordinary_worker_too(kind: str, name: str, play: Any) -> None:
    case = Path(__file__).parent / "cases" / name
    check(play(kind, case), _expected(case), kind)


# Without Landlock a bot in a container can read its own command line: nothing of the host.
CONTAINER_ALONE = [name for name in OUTER_ALONE if name != "fc074_environment"]


@pytest.mark.parametrize("name", CONTAINER_ALONE)
@pytest.mark.parametrize("kind", ["docker"])
def test_the_container_alone_holds(kind: str, name: str, play_here: Any) -> None:
    case = Path(__file__).parent / "cases" / name
    check_outer(play_here(kind, case, NO_INNER))


INNER_IN_A_CONTAINER = [
    *("h01_fork_bomb", "h08_write_anywhere", "h10_network", "h14_kernel_surface"),
    *("h35_sibling_bots", "raw_clone", "kernel_objects"),
]
"""What the engine's filter and network would otherwise stop; all the rest is tried above."""


@pytest.mark.parametrize("name", INNER_IN_A_CONTAINER)
@pytest.mark.parametrize("kind", ["docker"])
def test_the_inner_wall_alone_holds_in_a_container_without_a_filter(
    kind: str, name: str, play_here: Any
) -> None:
    case = Path(__file__).parent / "cases" / name
    outcome = play_here(kind, case, {"outer_seccomp": False, "own_network": False})
    check(outcome, _expected(case), kind)


QUICK = [case for case in CASES if case.name not in ("cpu_backstop", "fc064_memory_bit_by_bit")]


@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
def test_the_inner_wall_alone_holds_in_namespaces_without_a_filter(
    case: Path, play_here: Any
) -> None:
    outcome = play_here("bubblewrap", case, {"outer_seccomp": False, "own_network": False})
    check(outcome, _expected(case), "bubblewrap")
