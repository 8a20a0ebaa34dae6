"""Reads of disputes and rulings."""

from django.db.models import QuerySet

from bots.queries import Viewer, may_see_logs
from matches.models import Dispute, Match, Ruling


def trail(of: Match) -> list[Ruling]:
    """What the organisers have decided about a match, oldest first."""
    return list(Ruling.objects.filter(match=of).select_related("by").order_by("id"))


def disputes(of: Match, viewer: Viewer) -> list[Dispute]:
    """Its disputes, oldest first, for the owners of its bots and the staff; for others none."""
    if not any(may_see_logs(version.bot, viewer) for version in (of.seat0, of.seat1)):
        return []
    return list(Dispute.objects.filter(match=of).select_related("author", "ruling"))


def open_disputes() -> "QuerySet[Dispute]":
    """What waits for the organisers, oldest first, each with its match, bots and author."""
    return Dispute.objects.filter(ruling=None).select_related(
        "author", "match__tournament", "match__seat0__bot", "match__seat1__bot"
    )


def newest_rulings(count: int) -> list[Ruling]:
    """The last `count` rulings about any match."""
    return list(Ruling.objects.select_related("by", "match").order_by("-id")[:count])
