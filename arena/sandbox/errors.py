"""What can go wrong on our side of the sandbox.

SandboxError
├── NoSandbox    no back-end holds here; carries the findings
├── BoxError     a box did not start or did not take its files: the host's fault, never the bot's
└── BadBotFiles  the files handed to `Box.load` are no bot

What a bot does wrong is never raised: it stands in its `ExitReport` and on its pipes.
"""

from collections.abc import Sequence

from arena.finding import Finding


class SandboxError(Exception):
    """Anything that this package raises."""


class NoSandbox(SandboxError):
    """No back-end passed its probe; message and `findings` say why and what to do."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        self.findings = tuple(findings)
        lines = {  # one for each reason: a missing namespace fails every trial alike
            finding.what: f"  {finding.name}: {finding.what}\n    {finding.remedy}"
            for finding in reversed(findings)
            if not finding.ok
        }
        super().__init__("\n".join([message, *reversed(lines.values())]))


class BoxError(SandboxError):
    """A box did not start, or ended before a line of the bot ran: the host's fault, try another."""


class BadBotFiles(SandboxError):
    """The mapping has no `bot.py`, or a name that is no relative POSIX path."""
