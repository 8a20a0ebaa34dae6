"""What was found out about this machine: the value that probes, doctor and pages speak in."""

from dataclasses import dataclass, replace
from enum import StrEnum


class Level(StrEnum):
    """What a finding means for whoever runs the arena."""

    OK = "ok"
    WARNING = "warning"
    """Bots can be run; there is something to do or to know."""
    FAIL = "fail"
    """Bots can't be run before this is mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: whether it holds, what was seen, what to do.

    Where it holds there is a remedy only if there is something to do all the same: a warning.
    """

    name: str
    ok: bool
    what: str
    remedy: str = ""

    @property
    def level(self) -> Level:
        """What it means."""
        if not self.ok:
            return Level.FAIL
        return Level.WARNING if self.remedy else Level.OK

    def as_warning(self, why: str = "") -> "Finding":
        """The same where bots can be run without it; `why` is said after what was seen."""
        if self.ok:
            return self
        return replace(self, ok=True, what=f"{self.what} ({why})" if why else self.what)

    def as_fields(self) -> dict[str, str | bool]:
        """Plain values, for JSON: name, ok, level, what, remedy."""
        return {
            "name": self.name,
            "ok": self.ok,
            "level": self.level.value,
            "what": self.what,
            "remedy": self.remedy,
        }
