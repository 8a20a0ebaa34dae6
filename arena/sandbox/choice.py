"""Which back-end holds on this machine: found by running a bot that tries the walls."""

from collections.abc import Callable, Mapping, Sequence

from arena.finding import Finding
from arena.sandbox.base import Sandbox
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.container import DockerSandbox
from arena.sandbox.errors import NoSandbox
from arena.sandbox.landlock import LandlockSandbox
from arena.sandbox.launched import ALL_WALLS, Walls

BACK_ENDS: Mapping[str, Callable[[Walls], Sandbox]] = {
    "docker": DockerSandbox,
    "bubblewrap": BubblewrapSandbox,
    "landlock": LandlockSandbox,
}
_CANDIDATES: Mapping[str, tuple[str, ...]] = {
    "auto": ("bubblewrap", "landlock"),
    **{kind: (kind,) for kind in BACK_ENDS},
}
NAMES = tuple(_CANDIDATES)


def choose(name: str = "auto") -> Sandbox:
    """The back-end named, or the best that passes its probe; raises NoSandbox with the findings.

    A name wins and fails loudly; `auto` takes bubblewrap, else landlock: an engine is used only by
    name. There is no "none".
    """
    failed: list[Finding] = []
    for kind in candidates(name):
        sandbox = BACK_ENDS[kind](ALL_WALLS)
        findings = sandbox.probe()
        if all(finding.ok for finding in findings):
            return sandbox
        failed += findings
    raise none_holds(failed)


def candidates(name: str) -> tuple[str, ...]:
    """The back-ends that a name stands for, the better ones first; raises NoSandbox for no name."""
    if name not in NAMES:
        raise NoSandbox(f"{name!r} is no sandbox: use one of {', '.join(NAMES)}")
    return _CANDIDATES[name]


def none_holds(failed: Sequence[Finding]) -> NoSandbox:
    """What is said where none of them passes its probe."""
    return NoSandbox("No sandbox holds on this machine, so no uploaded bot is run.", failed)
