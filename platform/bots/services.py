"""Writes to bots and versions: making a bot, uploading, the steps of validation."""

import hashlib
from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from bots import archive, store
from bots.errors import DuplicateUpload, NameTaken
from bots.models import Bot, Version, VersionLog, VersionStatus
from bots.names import clean_name, name_key

version_accepted = Signal()
"""Sent after commit, with `version_id`: the version may play."""

MAX_ATTEMPTS = 5
"""Validations that the host may break before a person must look."""

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
        raise NameTaken(
            _(
                "There is a bot named “%(name)s” already, or one whose name looks the same: "
                "choose another name."
            )
            % {"name": name}
        ) from error


def enter_bot(owner: User, name: str, file_name: str, data: bytes) -> Version:
    """A new bot with its first version: both, or neither and why.

    Raises `BadName`, `NameTaken` or `UploadRefused`.
    """
    with transaction.atomic():
        return submit_version(create_bot(owner, name), file_name, data)


def submit_version(bot: Bot, file_name: str, data: bytes) -> Version:
    """Takes an upload in as the bot's next version; on commit it is sent to validation.

    Raises `UploadRefused` or `DuplicateUpload`, whose messages are for the uploader.
    """
    archive.read_upload(file_name, data)
    sha256 = hashlib.sha256(data).hexdigest()
    store.keep(sha256, data)
    with transaction.atomic():
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
                lambda: version_accepted.send(sender=Version, version_id=version.pk)
            )


def reject(version: Version, message: str, python: str, log: VersionLog) -> None:
    """VALIDATING → REJECTED, with what, where and what to do."""
    with transaction.atomic():
        _finish(version, VersionStatus.REJECTED, message, python, log)


def give_back(version: Version, why: str) -> None:
    """VALIDATING → PENDING after a fault of the host; after too many it waits for a person."""
    message = f"Validation could not be run ({why}); it is tried again. The bot is not at fault."
    if version.attempts + 1 >= MAX_ATTEMPTS:
        message = (
            f"Validation could not be run {MAX_ATTEMPTS} times ({why}). The bot is not at fault; "
            "the platform's operators must look at the workers."
        )
    Version.objects.filter(pk=version.pk, status=VersionStatus.VALIDATING).update(
        status=VersionStatus.PENDING,
        attempts=version.attempts + 1,
        lease_until=None,
        message=message,
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
    """Sends those validations again that were lost; gives how many."""
    now = timezone.now()
    Version.objects.filter(status=VersionStatus.VALIDATING, lease_until__lt=now).update(
        status=VersionStatus.PENDING, lease_until=None, attempts=F("attempts") + 1
    )
    waiting = Version.objects.filter(
        status=VersionStatus.PENDING,
        attempts__lt=MAX_ATTEMPTS,
        created_at__lt=now - timedelta(seconds=10),
    ).values_list("pk", flat=True)[:20]
    for version_id in waiting:
        _send_on_commit(version_id)
    return len(waiting)


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

    transaction.on_commit(partial(validate_version.delay, version_id))
