"""Links that many pages show: bots, versions, clauses of the rules."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bots.models import Bot, Version


def bot_link(bot: Bot) -> SafeString:
    """A bot's name; `bdi` keeps a right-to-left name from turning what stands around it."""
    return format_html(
        '<a href="{}"><bdi>{}</bdi></a>', reverse("web:bot", args=[bot.pk]), bot.name
    )


def version_link(version: Version) -> SafeString:
    """A version as "name v3"."""
    address = f"{reverse('web:bot', args=[version.bot_id])}#v{version.number}"
    return format_html(
        '<a href="{}"><bdi>{}</bdi>&nbsp;<small class="nowrap">v{}</small></a>',
        address,
        version.bot.name,
        version.number,
    )


def clause_link(clause: str) -> SafeString:
    """A clause of the rules by its section on the rules page: R10.3 stands under R10."""
    section = clause.partition(".")[0]
    text = gettext("rule %(clause)s") % {"clause": clause}
    return format_html('<a href="{}#{}">{}</a>', reverse("web:rules"), section, text)
