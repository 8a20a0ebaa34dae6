"""Looks at everything that running bots on this machine depends on, and says what to do.

`examine` is the door. A probe is the judge: bots can be run where a back-end that was asked for
passes its own, whatever else is found. The rest explains why one does not, or what could be better.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.finding import Finding
from arena.sandbox.base import Sandbox
from arena.sandbox.choice import BACK_ENDS, candidates, none_holds
from arena.sandbox.doctor import capacity, cgroups, kernel, leftovers, namespaces, programs, user
from arena.sandbox.errors import BoxError, NoSandbox
from arena.sandbox.launched import ALL_WALLS, Walls
from arena.sandbox.remedies import what_and_remedy

__all__ = ["Diagnosis", "examine"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings, and the back-end that bots run in: None where none that was asked for holds."""

    findings: tuple[Finding, ...]
    sandbox: Sandbox | None

    def chosen(self) -> Sandbox:
        """The back-end that bots run in. Raises `NoSandbox` with all findings."""
        if self.sandbox is None:
            raise none_holds(self.findings)
        return self.sandbox


def examine(asked: str = "auto", slots: int | None = None, walls: Walls = ALL_WALLS) -> Diagnosis:
    """Probes all three back-ends and looks at the machine; takes some seconds.

    `asked` is what `SANDBOX` says, `slots` how many matches are to be played at once (None: one a
    core). `walls` is for those who test that a missing wall is named. Raises `NoSandbox` where
    `asked` is no name.
    """
    wanted = candidates(asked)
    left = leftovers.findings()  # before the first box, which clears them
    sandboxes = {kind: make(walls) for kind, make in BACK_ENDS.items()}
    probed = {kind: _probed(sandbox) for kind, sandbox in sandboxes.items()}
    holding = [kind for kind, findings in probed.items() if all(each.ok for each in findings)]
    chosen = next((kind for kind in wanted if kind in holding), None)
    machine = (
        *kernel.findings(),
        *namespaces.findings("bubblewrap" in holding),
        *programs.findings(),
        *user.findings(),
        *capacity.findings(slots),
        *cgroups.findings(),
        *left,
    )
    if chosen is not None:
        machine = tuple(each.as_warning() for each in machine)
    tried = [
        finding
        for kind, findings in probed.items()
        for finding in (
            findings
            if kind == chosen or (chosen is None and kind in wanted)
            else _not_in_use(kind, findings)
        )
    ]
    return Diagnosis((*machine, *tried), sandboxes[chosen] if chosen else None)


def _probed(sandbox: Sandbox) -> tuple[Finding, ...]:
    try:
        return sandbox.probe()
    except (BoxError, NoSandbox, OSError) as error:
        return (Finding(f"{sandbox.kind}: start", False, *what_and_remedy(str(error))),)


def _not_in_use(kind: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """What was found of a back-end that bots do not run in: no failure, whatever it is."""
    findings = tuple(findings)
    missing = next((each for each in findings if not each.ok and each.name.endswith("start")), None)
    if missing is not None:
        what = f"not available here: {missing.what}"
        yield Finding(f"{kind}: start", True, what, missing.remedy)
    else:
        yield from (each.as_warning(f"{kind} is not used here") for each in findings)
