"""Errors of matches.

MatchError
├── NotPublished      a replay whose pair is still being played
├── NoReplay          the match has not been played
├── BadOrder          a pairing that cannot be: a version against itself, a bad seed
├── StaleAttempt      a result of an attempt that is no longer the current one: dropped
├── AttemptLost       the worker must stop: its pairing was taken from it
└── MatchTooLong      a match outlasted the platform's own deadline: a person must look
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
