"""A position of a match in words: what has just happened, and how things stand."""

from typing import Final

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from arena.santase import Card, DealState, Suit
from web.words.cards import card_sign, suit_name, suit_sign

_GAP: Final = "\N{NARROW NO-BREAK SPACE}"


def dealt_sentence(player: SafeString, trump: Suit, face_up: Card) -> SafeString:
    """A deal's beginning: who deals, what is trumps."""
    return format_html(
        gettext("{player} deals. Trumps are {suit}: {card} is turned up."),
        player=player,
        suit=suit_name(trump),
        card=card_sign(face_up),
    )


def trick_sentence(player: SafeString, points: tuple[int, int]) -> SafeString:
    """Who took the trick, and both players' card points after it."""
    return format_html(
        gettext("{player} takes the trick: {points}."), player=player, points=ratio(points)
    )


def match_sentence(player: SafeString, score: tuple[int, int]) -> SafeString:
    """Who has won the match."""
    return format_html(
        gettext("{player} wins the match, {score}."), player=player, score=ratio(score)
    )


def ratio(pair: tuple[int, int]) -> SafeString:
    """Two numbers that belong together: 11 : 7."""
    return format_html('<b class="nowrap">{}&#8202;:&#8202;{}</b>', *pair)


def meld_signs(melds: tuple[tuple[Suit, int], ...]) -> SafeString:
    """Melds as they are counted: 20 ♥, 40 ♠."""
    return format_html_join(
        " ", '<span class="meld">{} {}</span>', ((value, suit_sign(suit)) for suit, value in melds)
    )


def talon_state(state: DealState, players: tuple[SafeString, SafeString]) -> SafeString:
    """How the talon stands: how many cards, who closed it, or that it is gone."""
    if state.closed_by is not None:
        return format_html(gettext("closed by {player}"), player=players[state.closed_by])
    if state.talon == 0:
        return format_html("{}", gettext("no talon left"))
    return format_html("{}", gettext("talon: %(count)s") % {"count": state.talon})


def time_taken(cpu_ms: float, wall_ms: float) -> str:
    """The time of one action: what it computed, and how long one waited for it."""
    return gettext("CPU %(cpu)s ms, reply after %(wall)s ms") % {
        "cpu": _ms(cpu_ms),
        "wall": _ms(wall_ms),
    }


def seconds(milliseconds: float) -> str:
    """A time in seconds, in the locale's form."""
    return f"{number_format(milliseconds / 1000, decimal_pos=1, use_l10n=True)}{_GAP}{gettext('s')}"


def _ms(value: float) -> str:
    return number_format(value, decimal_pos=2 if value < 10 else 0, use_l10n=True)
