"""A tournament as one file that proves itself: docs/reference/archive.md says what is in it.

`writing` makes the members that stand before the replays, `tar` the file they stand in, `recount`
reads it and counts everything again.
"""

from arena.archive.errors import NotAnArchive
from arena.archive.lines import (
    ArchiveHeader,
    PeriodLine,
    ResultLine,
    TournamentLine,
    TrialLine,
    VersionLine,
)
from arena.archive.recount import Difference, Recounted, recount

__all__ = [
    "ArchiveHeader",
    "Difference",
    "NotAnArchive",
    "PeriodLine",
    "Recounted",
    "ResultLine",
    "TournamentLine",
    "TrialLine",
    "VersionLine",
    "recount",
]
