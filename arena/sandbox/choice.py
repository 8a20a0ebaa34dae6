"""Which back-end holds on this machine: found by running a bot that tries the walls."""

from collections.abc import Callable, Mapping

from arena.sandbox.base import Finding, Sandbox
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.container import DockerSandbox
from arena.sandbox.errors import NoSandbox
from arena.sandbox.landlock import LandlockSandbox

_BY_NAME: Mapping[str, tuple[Callable[[], Sandbox], ...]] = {
    "auto": (BubblewrapSandbox, LandlockSandbox),
    "docker": (DockerSandbox,),
    "bubblewrap": (BubblewrapSandbox,),
    "landlock": (LandlockSandbox,),
}
NAMES = tuple(_BY_NAME)


def choose(name: str = "auto") -> Sandbox:
    """The back-end named, or the best that passes its probe; raises NoSandbox with the findings.

    A name wins and fails loudly; `auto` takes bubblewrap, else landlock: an engine is used only by
    name. There is no "none".
    """
    if name not in NAMES:
        raise NoSandbox(f"{name!r} is no sandbox: use one of {', '.join(NAMES)}")
    failed: list[Finding] = []
    for make in _BY_NAME[name]:
        sandbox = make()
        findings = sandbox.probe()
        if all(finding.ok for finding in findings):
            return sandbox
        failed += findings
    raise NoSandbox("No sandbox holds on this machine, so no uploaded bot is run.", failed)
