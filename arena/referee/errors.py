"""Errors of the referee: what *we* do wrong. What a bot does wrong is a `Fault`, which is data.

RefereeError
├── HostFault        the host could not run the match: void, played again (R14.3)
├── BadSeed          a seed is not 64 hex digits
├── KeyringError     the signing key cannot be made or read
└── NotAReplay       a file is no replay at all
"""


class RefereeError(Exception):
    """Anything the referee could not do."""


class HostFault(RefereeError):
    """The host's fault, nobody's loss: the match is void and is played again (R14.3).

    `voids` is how many starts of the match it stands for.
    """

    def __init__(self, message: str, voids: int = 1) -> None:
        super().__init__(message)
        self.voids = voids


class BadSeed(RefereeError):
    """A seed that is not 64 hex digits."""


class KeyringError(RefereeError):
    """The state folder cannot hold or does not hold a usable key."""


class NotAReplay(RefereeError):
    """A file that is no replay: missing, unreadable or of another kind."""
