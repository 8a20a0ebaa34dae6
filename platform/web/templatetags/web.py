"""Tags and filters: cards, bots, numbers, times."""

from datetime import datetime
from typing import Final

from django import template
from django.template.context import Context
from django.templatetags.static import static
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext, pgettext

from arena.finding import Level
from arena.santase import parse_cards
from bots.models import Bot, Version, VersionStatus
from matches.queries import WorkerHealth
from ratings.queries import Came
from tournaments.models import TournamentFormat
from tournaments.queries import ProgressState
from web import links, words

register = template.Library()

_TAIL = 6_000
"""Characters of a log shown on a page."""

_LOOKS: Final = {
    "playing": "good",
    "waiting_for_entries": "wait",
    "no_worker": "wait",
    "stands_still": "wait",
    "paused": "wait",
    "parked": "wait",
    "cancelled": "bad",
    "pending": "wait",
    "validating": "wait",
    "accepted": "good",
    "rejected": "bad",
    "ok": "good",
    "warning": "wait",
    "fail": "bad",
}
"""CSS classes of states; those not named look neutral."""

_GAP = "\N{NARROW NO-BREAK SPACE}"
_LEAST = 0.001
"""Likelihoods nearer than this to 0 or 1 are not told apart."""


@register.filter
def faces(text: str) -> list[str]:
    """Addresses of card faces, from "KH QH"."""
    return [static(f"web/cards/{card}.svg") for card in parse_cards(text.split())]


@register.simple_tag
def bot_link(bot: Bot) -> SafeString:
    """A bot's name, safe whatever it holds, as a link to its page."""
    return links.bot_link(bot)


@register.simple_tag
def version_link(version: Version) -> SafeString:
    """A version as "name v3", a link to its bot's page."""
    return links.version_link(version)


@register.simple_tag
def moment(value: datetime | None) -> SafeString:
    """A time (UTC) in the locale's form."""
    if value is None:
        return mark_safe("–")
    return format_html(
        '<time datetime="{}" class="nowrap">{}</time>',
        value.strftime("%Y-%m-%dT%H:%M:%SZ"),
        date_format(value, pgettext("format of a date and time", "j M Y, H:i")),
    )


@register.filter
def number(value: float) -> str:
    """A number in the locale's form, thousands apart."""
    digits = 0 if float(value).is_integer() or abs(value) >= 10 else 1
    return number_format(value, decimal_pos=digits, use_l10n=True, force_grouping=True)


@register.filter
def whole(value: float) -> str:
    """A number rounded to a whole one, without grouping (ratings)."""
    return str(round(value))


@register.filter
def signed(value: float) -> str:
    """A difference, with its sign: “+12”, “−3”, “0”."""
    rounded = round(value)
    return f"{'+' if rounded > 0 else '−' if rounded < 0 else ''}{abs(rounded)}"


@register.filter
def ratio(value: float) -> str:
    """A log-likelihood ratio, with its sign and two decimals."""
    digits = number_format(abs(round(value, 2)), decimal_pos=2, use_l10n=True)
    return f"{'−' if round(value, 2) < 0 else '+'}{digits}"


@register.filter
def format_words(format: str) -> str:
    """How a tournament is played, in a few words."""
    return words.format_words(TournamentFormat(format))


@register.filter
def percent(value: float) -> str:
    """A part in 0..1, in per cent."""
    return number_format(100 * value, decimal_pos=1, use_l10n=True) + f"{_GAP}%"


@register.filter
def likelihood(value: float) -> str:
    """How likely something is, in per cent; never quite 0 or 100: something is left to chance."""
    if value < _LEAST:
        return f"<{_GAP}{percent(_LEAST)}"
    if value > 1 - _LEAST:
        return f">{_GAP}{percent(1 - _LEAST)}"
    return percent(value)


@register.simple_tag
def came_in(came: Came) -> SafeString:
    """Results against an opponent, in words."""
    return format_html(words.came_in(came), opponent=links.version_link(came.opponent))


@register.filter
def at_least_one(value: int) -> int:
    """The value, or 1: a progress bar of nothing needs a length."""
    return max(int(value), 1)


@register.filter
def duration(seconds: float) -> str:
    """A time to wait in one unit: seconds, minutes, hours or days."""
    whole_s = max(round(seconds), 1)
    if whole_s < 90:
        return ngettext("%(count)d second", "%(count)d seconds", whole_s) % {"count": whole_s}
    minutes = round(whole_s / 60)
    if minutes < 90:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = round(minutes / 60)
    if hours < 36:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = round(hours / 24)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


@register.filter
def fault_name(name: str) -> str:
    """A fault by its short name in the reader's language."""
    return words.fault_name(name)


@register.filter
def progress_state(state: str) -> str:
    """What a tournament does now, in a word or two."""
    return words.progress_state(ProgressState(state))


@register.filter
def progress_class(state: str) -> str:
    """The look of a tournament's state."""
    return _LOOKS.get(state, "")


@register.filter
def version_state(status: str) -> str:
    """Where a version stands, in a word or two."""
    return words.version_state(VersionStatus(status))


@register.filter
def version_class(status: str) -> str:
    """The look of a version's state."""
    return _LOOKS.get(status, "")


@register.filter
def worker_state(worker: WorkerHealth) -> str:
    """What a worker does, in a word or two."""
    return words.worker_state(worker)


@register.filter
def level_word(level: str) -> str:
    """What a finding means, in a word."""
    return words.level_word(Level(level))


@register.filter
def level_class(level: str) -> str:
    """The look of a finding."""
    return _LOOKS[level]


@register.filter
def tail(text: str) -> str:
    """The end of a long log; the page offers the whole for download."""
    return text if len(text) <= _TAIL else f"… {text[-_TAIL:]}"


@register.simple_tag
def clause_link(clause: str) -> SafeString:
    """A clause of the rules, a link to its place on the rules page."""
    return links.clause_link(clause)


@register.simple_tag(takes_context=True)
def page_url(context: Context, page: int) -> str:
    """The address of the list as it is filtered, at another page."""
    query = context["request"].GET.copy()
    query["page"] = str(page)
    return f"?{query.urlencode()}"
