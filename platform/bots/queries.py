"""Reads of bots and versions, and who may see what."""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Max, Prefetch, QuerySet

from accounts.models import User
from bots.models import Bot, Version, VersionLog, VersionStatus

Viewer = User | AnonymousUser


def bot(bot_id: int) -> Bot | None:
    """A bot with its owner, or None."""
    return Bot.objects.select_related("owner").filter(pk=bot_id).first()


def version(version_id: int) -> Version | None:
    """A version with its bot and owner, or None."""
    return Version.objects.select_related("bot__owner").filter(pk=version_id).first()


def versions(of: Bot) -> QuerySet[Version]:
    """All versions of a bot, newest first, rejected ones too (FC137)."""
    return Version.objects.filter(bot=of).select_related("bot__owner").order_by("-number")


def all_bots() -> QuerySet[Bot]:
    """All bots that have a version, newest first, each with its owner and `newest_number`."""
    return (
        Bot.objects.select_related("owner")
        .annotate(newest_number=Max("versions__number"))
        .filter(newest_number__isnull=False)
        .order_by("-id")
    )


def own_bots(user: User) -> QuerySet[Bot]:
    """The user's bots, each with `versions_newest` (a list, newest first) and `version_count`."""
    newest = Version.objects.order_by("-number")
    return (
        Bot.objects.filter(owner=user)
        .prefetch_related(Prefetch("versions", newest, to_attr="versions_newest"))
        .annotate(version_count=Count("versions"))
    )


def may_see_logs(of: Bot, viewer: Viewer) -> bool:
    """Owner and staff alone (FC075); asked where logs are read, not only where they are linked."""
    return viewer.is_authenticated and (viewer.is_staff or viewer.pk == of.owner_id)


def version_log(of: Version, viewer: Viewer) -> VersionLog | None:
    """What validation saw, where this viewer may read it and there is something."""
    if not may_see_logs(of.bot, viewer):
        return None
    return VersionLog.objects.filter(version=of).first()


def newest_accepted(of: Bot) -> Version | None:
    """The version that plays now, if any."""
    accepted = Version.objects.filter(bot=of, status=VersionStatus.ACCEPTED)
    return accepted.order_by("-number").first()


ANCHOR = "greedy"
"""The house bot whose newest version has rating 1500, the fixed point of the scale."""


def anchor_among(version_ids: Iterable[int]) -> int | None:
    """The version of house bot `greedy` among these, the newest of several; None without one."""
    found = Version.objects.filter(pk__in=version_ids, bot__house=True, bot__name=ANCHOR)
    return found.order_by("-number").values_list("pk", flat=True).first()
