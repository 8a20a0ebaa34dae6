"""Writes to bots and versions: making a bot, uploading, the steps of validation."""

import hashlib
from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from bots import archive, store
from bots.errors import DuplicateUpload, NameTaken
from bots.mailbox import messages_waiting
from bots.models import Bot, Version, VersionLog, VersionStatus
from bots.names import clean_name, name_key

version_accepted = Signal()
"""Sent after commit, with `version_id`: the version may play."""

MAX_ATTEMPTS = 5
"""Validations that the host may break before a person must look."""

_QUEUE = "validation"
_LOST_AFTER_S = 10
_SENT_AT_ONCE = 20

LEASE_S = 90
"""A validation without progress for so long counts as lost and is begun again.

Longer than the 30 s for which the default limits let a bot be silent.
"""


def create_bot(owner: User, name: str, *, house: bool = False) -> Bot:
    """A new bot of this owner. Raises `BadName` or `NameTaken`."""
    name = clean_name(name)
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, name=name, name_key=name_key(name), house=house)
    except IntegrityError as error:
        raise NameTaken(_taken(name)) from error


def enter_bot(owner: User, name: str, file_name: str, data: bytes) -> Version:
    """A new bot with its first version: both, or neither and why.

    Raises `BadName`, `NameTaken` or `UploadRefused`.
    """
    if Bot.objects.filter(name_key=name_key(clean_name(name))).exists():
        raise NameTaken(_taken(name))
    sha256 = _take_in(file_name, data)
    with transaction.atomic():
        return _add_version(create_bot(owner, name), file_name, data, sha256)


def submit_version(bot: Bot, file_name: str, data: bytes) -> Version:
    """Takes an upload in as the bot's next version; on commit it is sent to validation.

    Raises `UploadRefused` or `DuplicateUpload`, whose messages are for the uploader.
    """
    sha256 = _take_in(file_name, data)
    with transaction.atomic():
        return _add_version(bot, file_name, data, sha256)


def claim(version_id: int) -> Version | None:
    """PENDING → VALIDATING for one caller; None for anybody who comes second."""
    now = timezone.now()
    claimed = Version.objects.filter(pk=version_id, status=VersionStatus.PENDING).update(
        status=VersionStatus.VALIDATING, lease_until=now + timedelta(seconds=LEASE_S)
    )
    return Version.objects.select_related("bot").get(pk=version_id) if claimed else None


def renew(version: Version) -> None:
    """Extends the lease of a validation that makes progress."""
    Version.objects.filter(pk=version.pk, status=VersionStatus.VALIDATING).update(
        lease_until=timezone.now() + timedelta(seconds=LEASE_S)
    )


def accept(version: Version, python: str, log: VersionLog) -> None:
    """VALIDATING → ACCEPTED, announced after commit."""
    with transaction.atomic():
        if _finish(version, VersionStatus.ACCEPTED, "", python, log):
            transaction.on_commit(
                lambda: version_accepted.send(sender=Version, version_id=version.pk), robust=True
            )


def reject(version: Version, message: str, python: str, log: VersionLog) -> None:
    """VALIDATING → REJECTED, with what, where and what to do."""
    with transaction.atomic():
        _finish(version, VersionStatus.REJECTED, message, python, log)


def give_back(version: Version, why: str) -> None:
    """VALIDATING → PENDING after a fault of the host; after too many it waits for a person."""
    Version.objects.filter(pk=version.pk, status=VersionStatus.VALIDATING).update(
        status=VersionStatus.PENDING,
        attempts=version.attempts + 1,
        lease_until=None,
        message=_host_message(version.attempts + 1, why),
    )


def validate_again(version: Version) -> bool:
    """A rejected or stuck version goes through validation once more; False where it plays."""
    with transaction.atomic():
        changed = (
            Version.objects.filter(pk=version.pk)
            .exclude(status__in=[VersionStatus.ACCEPTED, VersionStatus.VALIDATING])
            .update(status=VersionStatus.PENDING, attempts=0, message="", lease_until=None)
        )
        if changed:
            VersionLog.objects.filter(version=version).delete()
            _send_on_commit(version.pk)
    return bool(changed)


def sweep() -> int:
    """Takes validations back whose worker is gone, and sends those again that the broker lost.

    Gives how many were sent.
    """
    now = timezone.now()
    for version in Version.objects.filter(status=VersionStatus.VALIDATING, lease_until__lt=now):
        give_back(version, "its worker ended or made no progress")
    due = Version.objects.filter(status=VersionStatus.PENDING, attempts__lt=MAX_ATTEMPTS)
    late = due.filter(created_at__lt=now - timedelta(seconds=_LOST_AFTER_S))
    lost = list(late.order_by("pk").values_list("pk", flat=True)[:_SENT_AT_ONCE])
    if not lost or messages_waiting(_QUEUE) >= due.count():
        return 0
    for version_id in lost:
        _send_on_commit(version_id)
    return len(lost)


def _take_in(file_name: str, data: bytes) -> str:
    """Checks and stores an upload, before any transaction (it takes time); gives its hash."""
    archive.read_upload(file_name, data)
    sha256 = hashlib.sha256(data).hexdigest()
    store.keep(sha256, data)
    return sha256


def _add_version(bot: Bot, file_name: str, data: bytes, sha256: str) -> Version:
    """The bot's next version, within the caller's transaction."""
    Bot.objects.select_for_update().get(pk=bot.pk)  # one number at a time
    earlier = Version.objects.filter(bot=bot, sha256=sha256).first()
    if earlier is not None:
        raise DuplicateUpload(earlier.number)
    last = Version.objects.filter(bot=bot).aggregate(last=Max("number"))["last"]
    version = Version.objects.create(
        bot=bot,
        number=(last or 0) + 1,
        file_name=archive.plain_file_name(file_name),
        sha256=sha256,
        size=len(data),
    )
    _send_on_commit(version.pk)
    return version


def _taken(name: str) -> str:
    return _(
        "There is a bot named “%(name)s” already, or one whose name looks the same: choose another "
        "name."
    ) % {"name": name}


def _host_message(attempts: int, why: str) -> str:
    if attempts < MAX_ATTEMPTS:
        return f"Validation could not be run ({why}); it is tried again. The bot is not at fault."
    return (
        f"Validation could not be run {MAX_ATTEMPTS} times ({why}). The bot is not at fault; "
        "the platform's operators must look at the workers."
    )


def _finish(
    version: Version, status: VersionStatus, message: str, python: str, log: VersionLog
) -> bool:
    done = Version.objects.filter(pk=version.pk, status=VersionStatus.VALIDATING).update(
        status=status,
        message=message,
        python=python,
        lease_until=None,
        validated_at=timezone.now(),
    )
    if done:
        log.version = version
        VersionLog.objects.filter(version=version).delete()
        log.save(force_insert=True)
    return bool(done)


def _send_on_commit(version_id: int) -> None:
    from bots.tasks import validate_version  # which imports this module

    # Robust: with the broker away the row stays, and the sweep sends it later.
    transaction.on_commit(partial(validate_version.delay, version_id), robust=True)
