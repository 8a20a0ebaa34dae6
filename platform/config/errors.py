"""Errors of the configuration and of the embedded stack.

ConfigError
├── BrokerNotFound    no message broker: neither REDIS_URL nor a server that can be started here
├── UnsafeFolder      a folder for private files is another user's, or a link
└── StackError        the embedded stack cannot start or one of its parts keeps ending
"""


class ConfigError(Exception):
    """Anything wrong with how the platform is set up; the message says what to do."""


class BrokerNotFound(ConfigError):
    """No message broker can be had on this machine."""


class UnsafeFolder(ConfigError):
    """A folder that must be ours alone is not."""


class StackError(ConfigError):
    """The embedded stack cannot start, or one of its parts does not stay up."""
