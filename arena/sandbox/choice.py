"""Which back-end holds on this machine: found by running a bot that tries the walls."""

from arena.sandbox.base import Finding, Sandbox
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.errors import NoSandbox
from arena.sandbox.landlock import LandlockSandbox

NAMES = ("auto", "bubblewrap", "landlock")


def choose(name: str = "auto") -> Sandbox:
    """The back-end named, or the best that passes its probe; raises NoSandbox with the findings.

    A name wins and fails loudly; `auto` takes bubblewrap, else landlock. There is no "none".
    """
    if name not in NAMES:
        raise NoSandbox(f"{name!r} is no sandbox: use one of {', '.join(NAMES)}")
    kinds: list[type[BubblewrapSandbox] | type[LandlockSandbox]] = [
        kind for kind in (BubblewrapSandbox, LandlockSandbox) if name in ("auto", kind.kind)
    ]
    failed: list[Finding] = []
    for kind in kinds:
        sandbox = kind()
        findings = sandbox.probe()
        if all(finding.ok for finding in findings):
            return sandbox
        failed += findings
    raise NoSandbox("No sandbox holds on this machine, so no uploaded bot is run.", failed)
