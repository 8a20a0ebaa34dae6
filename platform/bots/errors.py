"""Errors of bots; each message is written for the person who uploads.

BotError
├── BadName            the name cannot be used
├── NameTaken          another bot has this name, or one that looks the same
├── UploadRefused      the file is no bot
│   ├── DuplicateUpload   the bot has a version with this very content
│   └── UploadNotStored   the disk refused it: our fault, said to the uploader
├── NotPaused          who is to be let play again does play
├── MayNotResume       who asks is neither the bot's owner nor of the staff
└── UploadLost         the store does not hold what the database names: our fault
"""

from django.utils.translation import gettext as _


class BotError(Exception):
    """Anything that keeps a bot or a version from being made."""

    @property
    def message(self) -> str:
        """What, where, and what to do, in plain words."""
        return str(self)


class BadName(BotError):
    """A name that is empty, too long or not readable."""


class NameTaken(BotError):
    """A name that another bot has."""


class UploadRefused(BotError):
    """An uploaded file that is no bot."""


class DuplicateUpload(UploadRefused):
    """The same content as an earlier version of the bot, whose `number` it carries."""

    def __init__(self, number: int) -> None:
        super().__init__(
            _(
                "This is the same content as version %(number)d of this bot, byte for byte: "
                "nothing was uploaded. Change the file, or look at that version."
            )
            % {"number": number}
        )
        self.number = number


class UploadNotStored(UploadRefused):
    """A file that the server could not keep."""


class NotPaused(BotError):
    """A version that is not paused cannot be let play again."""


class MayNotResume(BotError):
    """Somebody else's bot."""


class UploadLost(BotError):
    """A stored file is missing or damaged: for the operator, never the bot's fault."""
