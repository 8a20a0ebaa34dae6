"""Every hostile bot in every back-end, as root and as an ordinary user: what it gets and leaves."""

from pathlib import Path
from typing import Any

import pytest
from case_checks import CASES, check, expected
from sandbox_harness import KINDS


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "docker"])
def test_a_hostile_bot_gets_nothing_and_leaves_nothing(kind: str, case: Path, play: Any) -> None:
    check(play(kind, case), expected(case, kind))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", ["docker"])
def test_a_hostile_bot_gets_nothing_in_a_container(kind: str, case: Path, play_here: Any) -> None:
    check(play_here(kind, case), expected(case, kind))


@pytest.mark.parametrize("name", ["h01_fork_bomb", "h09_read_secrets", "h24_ignore_term"])
@pytest.mark.parametrize("kind", ["docker"])
def test_a_container_holds_for_an_ordinary_worker_too(kind: str, name: str, play: Any) -> None:
    case = Path(__file__).parent / "cases" / name
    check(play(kind, case), expected(case, kind))
