"""Errors of tournaments; each message is written for the person who runs one.

TournamentError
├── BadTournament    an option that cannot be: rules, limits, counts, name
├── SlugTaken        the address is another tournament's
├── BadStep          a start, pause or entry that the tournament's state does not allow
├── UnknownVersion   an entry that is no accepted version
└── AuditRunning     an audit while another one is not at its end
"""


class TournamentError(Exception):
    """Anything that keeps a tournament from being made or changed."""


class BadTournament(TournamentError):
    """An option that cannot be."""


class SlugTaken(TournamentError):
    """The address is in use."""


class BadStep(TournamentError):
    """What was asked does not fit the tournament's state."""


class UnknownVersion(TournamentError):
    """No such version, or none that was accepted."""


class AuditRunning(TournamentError):
    """Another audit is not at its end."""
