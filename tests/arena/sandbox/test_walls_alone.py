"""Every hostile bot against one wall alone, the other taken away, on every back-end.

The inner wall must hold all of them. The outer one holds all but those whose case.toml says under
`[alone]` what gets through there, and why that does no harm; it is seen to get through.
With `landlock` there is only the inner wall, so every test of that back-end is one of it alone.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from test_hostile_cases import check

CASES = sorted((Path(__file__).parent / "cases").iterdir())
QUICK = [case for case in CASES if case.name not in ("cpu_backstop", "fc064_memory_bit_by_bit")]
"""The limits that the other two run into stand in both walls' runs the same way."""

OUTER_ALONE = {"landlock": False, "seccomp": False}
INNER_ALONE = {"outer_seccomp": False, "own_network": False}


def expected(case: Path) -> dict[str, Any]:
    return tomllib.loads((case / "case.toml").read_text())


def gets_through(case: Path, kind: str) -> bool:
    alone = expected(case).get("alone", {})
    return "outer" in {**alone, **alone.get(kind, {})}


def check_outer(outcome: dict[str, Any], case: Path, kind: str) -> None:
    """Nothing gets through but what is known to; nothing is left in either case."""
    assert outcome["report"]["survivors"] == 0
    assert outcome["left"] == []
    if gets_through(case, kind):
        with pytest.raises(AssertionError):
            check(outcome, expected(case)["expect"], kind)
    else:
        assert "BREACH" not in outcome["stdout"], outcome


@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
def test_the_outer_wall_alone_holds(case: Path, play: Any) -> None:
    check_outer(play("bubblewrap", case, OUTER_ALONE), case, "bubblewrap")


@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
@pytest.mark.parametrize("kind", ["docker"])
def test_the_container_alone_holds(kind: str, case: Path, play_here: Any) -> None:
    check_outer(play_here(kind, case, OUTER_ALONE), case, kind)


@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
def test_the_inner_wall_alone_holds_in_namespaces_without_a_filter(
    case: Path, play_here: Any
) -> None:
    outcome = play_here("bubblewrap", case, INNER_ALONE)
    check(outcome, expected(case)["expect"], "bubblewrap")


@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
@pytest.mark.parametrize("kind", ["docker"])
def test_the_inner_wall_alone_holds_in_a_container_without_a_filter(
    kind: str, case: Path, play_here: Any
) -> None:
    check(play_here(kind, case, INNER_ALONE), expected(case)["expect"], kind)
