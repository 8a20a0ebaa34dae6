"""Settings of the machine that forbid user namespaces, which bubblewrap needs."""

from collections.abc import Iterator
from pathlib import Path

from arena.finding import Finding
from arena.sandbox.remedies import remedy_for_start

SETTINGS = Path("/proc/sys")

_SETTINGS = (
    ("user/max_user_namespaces", "0", "Creating new namespace failed"),
    ("kernel/unprivileged_userns_clone", "0", "Creating new namespace failed"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "setting up uid map: Permission denied"),
)
"""Each with the value that forbids them, and what bubblewrap says then."""


def findings(bubblewrap_holds: bool, settings: Path = SETTINGS) -> Iterator[Finding]:
    """One for each setting that this kernel has; harmless ones where bubblewrap holds anyway."""
    for path, forbids, words in _SETTINGS:
        name = f"user namespaces: {path.replace('/', '.', 1)}"
        try:
            value = (settings / path).read_text().strip()
        except OSError:
            yield Finding(name, True, "this kernel has no such setting")
            continue
        if value != forbids:
            yield Finding(name, True, value)
        elif bubblewrap_holds:
            yield Finding(name, True, f"{value}, and bubblewrap works all the same")
        else:
            yield Finding(
                name, False, f"{value}: user namespaces are restricted", remedy_for_start(words)
            )
