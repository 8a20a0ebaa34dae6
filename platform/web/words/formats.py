"""How tournaments are played, and what a sequential test says, in words."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.rating import Decision
from tournaments.models import TournamentFormat
from tournaments.queries import TrialStands

_FORMATS: Final = {
    TournamentFormat.ROUND_ROBIN: gettext_lazy("everyone against everyone"),
    TournamentFormat.GAUNTLET: gettext_lazy("one against all others"),
    TournamentFormat.LADDER: gettext_lazy("ladder, without end"),
    TournamentFormat.SEQUENTIAL: gettext_lazy("two, until it is known whether one is better"),
}


def format_words(format: TournamentFormat) -> str:
    """How a tournament is played."""
    return str(_FORMATS[format])


def trial_answer(trial: TrialStands) -> str:
    """The plain answer of a test, in one sentence: in English that of `santase compare`."""
    asked = trial.asked
    names = {"first": str(trial.first or "A"), "second": str(trial.second or "B")}
    match trial.weighed.decision:
        case Decision.BETTER:
            return _(
                "Yes: %(first)s is better than %(second)s, by more than %(elo)s Elo "
                "(wrong in at most %(rate)s of such tests)."
            ) % {**names, "elo": f"{asked.elo0:g}", "rate": f"{100 * asked.alpha:.3g} %"}
        case Decision.NOT_BETTER:
            return _(
                "No: %(first)s is not better than %(second)s by %(elo)s Elo "
                "(wrong in at most %(rate)s of such tests)."
            ) % {**names, "elo": f"{asked.elo1:g}", "rate": f"{100 * asked.beta:.3g} %"}
        case Decision.OPEN:
            pairs = trial.weighed.pairs
            return ngettext(
                "Not decided yet, after %(pairs)d pair.",
                "Not decided yet, after %(pairs)d pairs.",
                pairs,
            ) % {"pairs": pairs}
