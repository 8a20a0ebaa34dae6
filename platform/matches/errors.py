"""Errors of matches.

MatchError
├── NotPublished      a replay whose pair is still being played
├── NoReplay          the match has not been played
├── BadOrder          a pairing that cannot be: a version against itself, a bad seed
├── StaleAttempt      a result of an attempt that is no longer the current one: dropped
├── AttemptLost       the worker must stop: its pairing was taken from it
├── MatchTooLong      a match outlasted the platform's own deadline: a person must look
├── BadReason         a dispute or a ruling without a reason, or with too long a one
├── NotDisputable     not played, or by nobody's bot who asks
├── DisputedAlready   there is an open dispute about the match
├── TooManyDisputes   an author's disputes of a day are used up
├── MayNotRule        who decides is not of the staff, or owns a bot in the match
└── NotRulable        the match has no result to decide about
"""


class MatchError(Exception):
    """Anything about pairings and matches."""


class NotPublished(MatchError):
    """The mirror match is still to be played: its decks must stay secret (PROTOCOL §6)."""


class NoReplay(MatchError):
    """The match has not been played yet, or never will be."""


class BadOrder(MatchError):
    """A pairing that cannot be ordered."""


class StaleAttempt(MatchError):
    """A result that came after its attempt was given up."""


class AttemptLost(MatchError):
    """The pairing is no longer this worker's."""


class MatchTooLong(MatchError):
    """A match outlasted every limit, which the referee should not have let happen."""


class BadReason(MatchError):
    """No reason was given, or one that is too long."""


class NotDisputable(MatchError):
    """Who asks has no bot in the match, or the match has no result."""


class DisputedAlready(MatchError):
    """The match has an open dispute."""


class TooManyDisputes(MatchError):
    """The author has disputed enough for a day."""


class MayNotRule(MatchError):
    """Who wants to decide has no right to, or has a bot in the match."""


class NotRulable(MatchError):
    """The match has no result that could be decided about."""
