"""Each wall alone, the other taken away: every case gets what it gets behind both.

Where the outer wall alone gives less, the case's `[outer_alone]` says why, and stands in place of
`[expect]`: a `breach` (its bot says BREACH), or another end. The inner wall alone has no such
exception: it is all that the `landlock` back-end has. Limits stand with either wall.
"""

from pathlib import Path
from typing import Any

import pytest
from case_checks import CASES, check, expected, read

NO_INNER = {"landlock": False, "seccomp": False}
NO_OUTER = {"outer_seccomp": False, "own_network": False}

# These try a limit, and take seconds.
QUICK = [case for case in CASES if case.name not in ("cpu_backstop", "fc064_memory_bit_by_bit")]
IDS = [case.name for case in QUICK]


def outer_alone(case: Path, kind: str) -> dict[str, Any]:
    """What differs where only the outer wall stands: `[outer_alone]`, or that of one kind."""
    told: dict[str, Any] = read(case).get("outer_alone", {})
    return told if "why" in told else told.get(kind, {})


def check_outer(outcome: dict[str, Any], case: Path, kind: str) -> None:
    check(outcome, outer_alone(case, kind) or expected(case, kind))


@pytest.mark.parametrize("case", QUICK, ids=IDS)
def test_the_outer_wall_alone_holds(case: Path, play: Any) -> None:
    check_outer(play("bubblewrap", case, NO_INNER), case, "bubblewrap")


@pytest.mark.parametrize("case", QUICK, ids=IDS)
@pytest.mark.parametrize("kind", ["docker"])
def test_the_container_alone_holds(kind: str, case: Path, play_here: Any) -> None:
    check_outer(play_here(kind, case, NO_INNER), case, kind)


@pytest.mark.parametrize("case", QUICK, ids=IDS)
@pytest.mark.parametrize("kind", ["bubblewrap", "docker"])
def test_the_inner_wall_alone_holds(kind: str, case: Path, play_here: Any) -> None:
    check(play_here(kind, case, NO_OUTER), expected(case, kind))


def test_few_cases_need_the_inner_wall_and_each_says_why() -> None:
    needing = [
        told
        for case in QUICK
        for told in (outer_alone(case, "bubblewrap"), outer_alone(case, "docker"))
        if told
    ]
    assert len(needing) < len(QUICK) / 5
    assert all(len(told["why"]) > 40 for told in needing)
