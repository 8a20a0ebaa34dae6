"""A version that fails again and again is paused, its owner told, and let play again by hand.

Which faults pause it, the room of matches knows; what becomes of its pairings, those above.
"""

import structlog
from django.core.mail import send_mail
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from bots.errors import MayNotResume, NotPaused
from bots.models import Version
from bots.queries import may_see_logs

version_paused = Signal()
"""Sent after commit, with `version_id`: it is given no more games."""

version_resumed = Signal()
"""Sent after commit, with `version_id`: it plays again."""

_LANGUAGES = ("en", "bg")
"""A mail is written in both: nobody knows which its reader would like."""

_log = structlog.get_logger(__name__)


def pause(version_id: int) -> bool:
    """Gives a version no more games; on commit its owner is told. False where it is paused."""
    with transaction.atomic():
        paused = Version.objects.filter(pk=version_id, paused_at=None).update(
            paused_at=timezone.now()
        )
        if paused:
            transaction.on_commit(lambda: _paused(version_id), robust=True)
    return bool(paused)


def resume(version: Version, by: User) -> None:
    """Lets a paused version play again, its faults forgotten. Raises `MayNotResume`, `NotPaused`.

    Its owner may, and the staff.
    """
    if not may_see_logs(version.bot, by):
        raise MayNotResume(_("Only the owner of the bot and the organisers can do this."))
    with transaction.atomic():
        resumed = Version.objects.filter(pk=version.pk, paused_at__isnull=False).update(
            paused_at=None, resumed_at=timezone.now()
        )
        if not resumed:
            raise NotPaused(_("%(version)s is not paused: it plays.") % {"version": version})
        transaction.on_commit(lambda: _resumed(version.pk, by), robust=True)


def tell_owner(version_id: int) -> bool:
    """Writes to the owner that a version is paused; False where there is no address."""
    version = Version.objects.select_related("bot__owner").get(pk=version_id)
    if not version.bot.owner.email:
        return False
    parts = []
    for language in _LANGUAGES:
        with override(language):
            parts.append(_mail(version))
    send_mail(f"Santase Arena: {version}", "\n\n".join(parts), None, [version.bot.owner.email])
    return True


def _mail(version: Version) -> str:
    return _(
        "%(version)s is paused: it lost several matches in a row by faults of its own, and is "
        "given no more games. The bot's page shows the faults and what it wrote. Send in a new "
        "version, or let this one play again there."
    ) % {"version": version}


def _paused(version_id: int) -> None:
    from bots.tasks import tell_owner_of_pause  # which imports this module

    _log.warning("version paused", version=version_id)
    version_paused.send_robust(sender=Version, version_id=version_id)
    tell_owner_of_pause.delay(version_id)


def _resumed(version_id: int, by: User) -> None:
    _log.info("version resumed", version=version_id, by=by.pk)
    version_resumed.send_robust(sender=Version, version_id=version_id)
