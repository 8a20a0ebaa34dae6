"""The control run: without a sandbox the attacks succeed, in a namespace that is thrown away.

What shows the bite stands in a case.toml under `[control]`, or in `none` why there can't be one in
a namespace; a bot that is "blocked" in the sandbox says BREACH here. The others attack nobody: they
are facts for the referee, and the same here as there.
"""

import json
import resource
import signal
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import runtime
from arena.sandbox.bwrap import find_bwrap

CASES = sorted((Path(__file__).parent / "cases").iterdir())
ADDRESS_SPACE = 2 << 30
"""No process of an attack gets more; they stop by themselves at 1.2 GB."""
DISK = {"/": 16, "/dev/shm": 16, "/run": 16, "/tmp": 700}
"""Memory file systems of the namespace, in MB."""
MOST_S = 20.0


def read(case: Path) -> dict[str, Any]:
    return tomllib.loads((case / "case.toml").read_text())


def bite(case: Path) -> dict[str, Any]:
    """What shows that the attack succeeds; empty where the case is a fact for the referee."""
    told = read(case)
    shown = {key: told for key, told in told.get("control", {}).items() if key != "seconds"}
    if not shown and told["expect"].get("reply") == "blocked":
        return {"stdout": "BREACH"}
    return shown


LEFT_OUT = [case for case in CASES if "none" in bite(case)]
FACTS = [case for case in CASES if not bite(case)]
"""No attacks: bots that end, flood, keep silent or lie, which the referee must judge."""
BITING = [case for case in CASES if case not in (*LEFT_OUT, *FACTS)]


def command(case: Path, lines: str, seconds: float) -> list[str]:
    """A namespace in which the attack may do what it likes: root, a network, a disk, no filter."""
    copy, stage = runtime.ready(), Path(__file__).with_name("control_stage.py")
    return [
        *(find_bwrap(), "--unshare-all", "--unshare-user", "--die-with-parent", "--clearenv"),
        *("--uid", "0", "--gid", "0", "--cap-add", "ALL"),
        *_disk("/"),
        *(
            word
            for name in copy.folders
            for word in ("--ro-bind", str(copy.root / name), f"/{name}")
        ),
        *(word for name, target in copy.links for word in ("--symlink", target, f"/{name}")),
        *("--proc", "/proc", "--dev", "/dev"),
        *(word for place in DISK if place != "/" for word in _disk(place)),
        *("--ro-bind", str(case), "/bot", "--ro-bind", str(stage), "/stage.py"),
        *("--setenv", "LD_LIBRARY_PATH", f"/{copy.libraries}"),
        *(f"/{copy.python}", "-I", "/stage.py", "/bot", lines, str(seconds)),
    ]


def _disk(place: str) -> tuple[str, ...]:
    return ("--size", str(DISK[place] << 20), "--tmpfs", place)


def attack(case: Path) -> dict[str, Any]:
    """What came of the attack."""
    told = read(case)
    lines = "".join(line + "\n" for line in told.get("lines", ["{{}}"]))
    seconds = told.get("control", {}).get("seconds", MOST_S)
    done = subprocess.run(
        command(case, lines, seconds),
        capture_output=True,
        text=True,
        timeout=3 * MOST_S,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE,) * 2),
    )
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome


def ending(ended: int | None) -> str:
    """In the words of case.toml; what was still running is killed."""
    if ended is None:
        return "killed"
    return signal.Signals(-ended).name if ended < 0 else f"exit {ended}"


@pytest.mark.parametrize("case", BITING, ids=[case.name for case in BITING])
def test_without_a_sandbox_the_attack_bites(case: Path) -> None:
    shown, outcome = bite(case), attack(case)
    assert shown.get("stdout", "") in outcome["stdout"], outcome
    if "without" in shown:
        assert shown["without"] not in outcome["stdout"], outcome
    if "ends" in shown:
        assert ending(outcome["ended"]) == shown["ends"], outcome
    assert outcome["left"] >= shown.get("left", 0), outcome


@pytest.mark.parametrize("case", FACTS, ids=[case.name for case in FACTS])
def test_without_a_sandbox_a_fact_for_the_referee_is_the_same(case: Path) -> None:
    expect, outcome = read(case)["expect"], attack(case)
    ends = expect["ends"]
    assert ending(outcome["ended"]) in (ends if isinstance(ends, list) else [ends]), outcome
    assert outcome["bytes"] >= expect.get("bytes", 0)
    if "reply" in expect:
        assert json.loads(outcome["stdout"].partition("\n")[0])["r"] == expect["reply"]


def test_most_cases_bite_and_each_that_is_left_out_says_why() -> None:
    assert len(BITING) >= 55
    assert len(LEFT_OUT) <= 7
    assert all(len(bite(case)["none"]) > 20 for case in LEFT_OUT)
