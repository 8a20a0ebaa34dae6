"""Why a rating changed."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.queries import Came


def came_in(came: Came) -> str:
    """What came in against an opponent; `{opponent}` stands for him."""
    said = []
    if came.pairs or came.won or came.split or came.lost:
        said.append(
            ngettext("%(pairs)d pair", "%(pairs)d pairs", abs(came.pairs)) % {"pairs": came.pairs}
            + f": {came.won}–{came.split}–{came.lost}"
        )
    if came.singles_won or came.singles_lost:
        said.append(_("single matches") + f": {came.singles_won}:{came.singles_lost}")
    return _("against {opponent}") + ": " + ", ".join(said)
