"""Errors of archives.

ArchiveError
└── NotAnArchive    a file of another kind, or none that can be read
"""


class ArchiveError(Exception):
    """Anything about archives."""


class NotAnArchive(ArchiveError):
    """A file that is no tournament's archive."""
