"""Errors of the command line, and its exit codes.

CommandError
├── UsageError       exit 2: a wrong option or argument, a file that is not what was asked for
└── HostUnfit        exit 4: this machine cannot do it (no sandbox, say)
"""

from typing import ClassVar

DOES_NOT_HOLD = 1
USAGE = 2
KEY_UNKNOWN = 3
UNFIT = 4
UNDECIDED = 5
INTERRUPTED = 130


class CommandError(Exception):
    """A command cannot go on; its text is for the user."""

    exit_code: ClassVar[int] = DOES_NOT_HOLD


class UsageError(CommandError):
    """What was asked makes no sense as it stands."""

    exit_code = USAGE


class HostUnfit(CommandError):
    """The machine lacks what the command needs."""

    exit_code = UNFIT
