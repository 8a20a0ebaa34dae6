"""What can be wrong with a request for pairings.

PairingError
├── DuplicateEntry       one id entered twice
└── PairingRangeError    a negative number of cycles or of pairings to skip
"""


class PairingError(ValueError):
    """Root of this package's errors."""


class DuplicateEntry(PairingError):
    """An id stands more than once among the entries."""

    def __init__(self, entry: int) -> None:
        super().__init__(f"entry {entry} is listed twice: a version can enter once")
        self.entry = entry


class PairingRangeError(PairingError):
    """A count that must not be negative is."""

    def __init__(self, what: str, value: int) -> None:
        super().__init__(f"{what} is {value}: it must be 0 or more")
        self.what = what
        self.value = value
