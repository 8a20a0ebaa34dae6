"""How deals and matches ended, in words, with the clause of the rules."""

from typing import assert_never

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from arena.santase import Reason


def result_sentence(
    reason: Reason, players: tuple[SafeString, SafeString], winner: int | None, points: int
) -> tuple[SafeString, str]:
    """How a deal ended and the clause that says so; `players` by seat, `points` game points."""
    if winner is None:
        return escape(gettext("Nobody scores; the same player deals again.")), "R10.3"
    text, clause = _why(reason)
    scored = ngettext("{winner} scores {points} point.", "{winner} scores {points} points.", points)
    sentence = format_html(
        f"{text} {scored}", winner=players[winner], loser=players[1 - winner], points=points
    )
    return sentence, clause


def _why(reason: Reason) -> tuple[str, str]:
    match reason:
        case Reason.CLAIM:
            return gettext("{winner} claimed 66, rightly."), "R9.4"
        case Reason.CLAIM_AGAINST_CLOSER:
            return gettext("{loser} closed, but {winner} claimed 66 first."), "R10.6"
        case Reason.WRONG_CLAIM:
            return gettext("{loser} claimed 66 without having it."), "R9.5"
        case Reason.FAILED_CLOSE:
            return gettext("{loser} closed and did not make 66."), "R10.5"
        case Reason.SETTLED:
            return gettext("The cards ran out without a claim; {winner} has 66."), "R10.2"
        case Reason.TIE_LAST_TRICK:
            return gettext("65 all: the last trick decides."), "R10.3"
        case Reason.VOID:
            return gettext("The deal is void."), "R10.3"
        case unknown:
            assert_never(unknown)


def match_end(reason: str, winner: int | None) -> str:
    """Why a match ended: `reason` is `target` or a fault's name."""
    if reason == "target":
        return gettext("Played to the end.")
    if winner is None:
        return gettext("Neither bot started: no winner, and the match is not rated.")
    return gettext("Lost by a fault.")
