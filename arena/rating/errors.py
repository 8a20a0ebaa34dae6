"""What can be wrong with results to be rated.

RatingError
├── BadCount          a negative number of results, or a row that is no meeting
├── BadHypotheses     a sequential test between leads that are no two, or with odd error rates
├── SelfMeeting       a version is said to have played itself
├── UnknownVersion    asked about (or anchored at) a version that is not in the table
└── NotConverged      the fit did not settle: our fault, not the caller's
"""


class RatingError(Exception):
    """Root of this package's errors."""


class BadCount(RatingError, ValueError):
    """A count of results is negative, or the row has the wrong number of them."""


class BadHypotheses(RatingError, ValueError):
    """What a sequential test is asked makes no sense."""


class SelfMeeting(RatingError, ValueError):
    """Both sides of a meeting are the same version."""

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version} can't be rated by results against itself")
        self.version = version


class UnknownVersion(RatingError, KeyError):
    """The version is not among those rated."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version

    def __str__(self) -> str:
        return f"version {self.version} is not among the rated ones"


class NotConverged(RatingError, ArithmeticError):
    """Newton's method did not settle."""
