"""Why a dispute or a ruling was not taken."""

from django.utils.translation import gettext as _

from matches.errors import (
    BadReason,
    DisputedAlready,
    MatchError,
    MayNotRule,
    NotDisputable,
    NotRulable,
    TooManyDisputes,
)
from matches.models.ruling import REASON_LENGTH
from matches.services.disputes import MOST_A_DAY


def dispute_error(error: MatchError) -> str:
    """A sentence for whoever sent it."""
    match error:
        case BadReason():
            return _("Say why, in at most %(most)d characters.") % {"most": REASON_LENGTH}
        case NotDisputable():
            return _("Only the result of a match of your own bot can be disputed.")
        case DisputedAlready():
            return _("This match is disputed already: the organisers will decide.")
        case TooManyDisputes():
            return _("You have disputed %(most)d matches within a day: try again tomorrow.") % {
                "most": MOST_A_DAY
            }
        case MayNotRule():
            return _("Somebody else has to decide: one of the two bots is yours.")
        case NotRulable():
            return _("The match has no result that this decision could be about.")
        case _:
            raise error
