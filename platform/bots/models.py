"""Bots, their immutable versions, and what only a version's owner may read."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.names import KEY_LENGTH, NAME_LENGTH


class Bot(models.Model):
    """A long-lived entrant; what plays is one of its versions."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots"
    )
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    """The name as it is compared: names that only look different are one (`names.name_key`)."""
    house = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Newest first."""

        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class VersionStatus(models.TextChoices):
    """Where a version stands between upload and play."""

    PENDING = "pending", _("waiting for validation")
    VALIDATING = "validating", _("being validated")
    ACCEPTED = "accepted", _("accepted")
    REJECTED = "rejected", _("rejected")


class Version(models.Model):
    """One upload of a bot, immutable; its file lies in the store under its hash."""

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    """From 1 within the bot."""
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64, db_index=True)
    """Of the uploaded file, hex."""
    size = models.PositiveIntegerField()
    """Bytes of the uploaded file."""
    status = models.CharField(
        max_length=12, choices=VersionStatus.choices, default=VersionStatus.PENDING
    )
    message = models.TextField(blank=True)
    """Why it was rejected (or what validation waits for): what, where, what to do. Public."""
    python = models.CharField(max_length=32, blank=True)
    """Python that it was validated with, "3.11.7"."""
    attempts = models.PositiveSmallIntegerField(default=0)
    """Validations begun; those that the host broke are begun again."""
    lease_until = models.DateTimeField(null=True, blank=True)
    """While validating: after this moment the validation counts as lost."""
    created_at = models.DateTimeField(auto_now_add=True)
    validated_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    """Since when it is given no more games, for faults in a row; None: it plays."""
    resumed_at = models.DateTimeField(null=True, blank=True)
    """When it was last let play again: faults before count no more."""

    class Meta:
        """Newest first; a bot's numbers and contents are unique."""

        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_once"),
            models.UniqueConstraint(fields=["bot", "sha256"], name="version_content_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="version_from_1"),
        ]
        indexes = [
            models.Index(fields=["status"], name="version_by_status"),
            models.Index(
                fields=["paused_at"],
                condition=models.Q(paused_at__isnull=False),
                name="version_paused",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.number}"


class VersionLog(models.Model):
    """What validation saw of a version; for its owner and the staff alone."""

    version = models.OneToOneField(
        Version, on_delete=models.CASCADE, related_name="log", primary_key=True
    )
    stderr = models.TextField(blank=True)
    """What was kept, decoded leniently, control characters shown."""
    stderr_total = models.BigIntegerField(default=0)
    """Bytes written in all."""
    marks = models.JSONField(default=list)
    """`[request id, characters of `stderr` before it]` pairs."""
    notes = models.JSONField(default=list)
    """`[request id, note]` pairs."""
    refused = models.TextField(blank=True)
    """The line that was a fault."""
    fault = models.JSONField(null=True)
    """The fault object of PROTOCOL §5."""
    exit = models.CharField(max_length=200, blank=True)
    """How the process ended, in words."""

    def __str__(self) -> str:
        return f"log of {self.version}"
