"""Errors of the store of replay files.

ReplayStoreError
├── ReplayNotStored    the file could not be written: our fault, the match is played again
├── ReplayMissing      there is no such file in the store
└── ReplayDamaged      the file is there and is no replay
"""


class ReplayStoreError(Exception):
    """Anything that keeps a replay from being kept or read."""


class ReplayNotStored(ReplayStoreError):
    """The disk refused the file."""


class ReplayMissing(ReplayStoreError):
    """No such file."""


class ReplayDamaged(ReplayStoreError):
    """A file that is no replay (any more)."""
