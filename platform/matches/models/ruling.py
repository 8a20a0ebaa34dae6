"""What people decide about matches: disputes by authors, rulings by the organisers."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.match import Match

REASON_LENGTH = 1_000
"""Characters of a reason, of a dispute as of a ruling."""


class RulingKind(models.TextChoices):
    """What becomes of the match."""

    CONFIRM = "confirm", _("confirmed")
    VOID = "void", _("declared void")
    REPLAY = "replay", _("to be played again")


class Ruling(models.Model):
    """One decision, never changed. Each carries the hash of the one before, so one that is altered
    or taken away from before another is seen (`services.rulings.chain_breaks`).
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=8, choices=RulingKind.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rulings"
    )
    why = models.TextField(max_length=REASON_LENGTH)
    """Shown to everybody."""
    before = models.JSONField()
    """The result as it was: winner, scores, reason, faults, replay …"""
    made_at = models.DateTimeField()
    previous = models.CharField(max_length=64, unique=True)
    """`sha256` of the ruling before; 64 zeros for the first."""
    sha256 = models.CharField(max_length=64, unique=True)
    """Of all the above (`services.rulings.digest`)."""

    class Meta:
        """Newest first."""

        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.match}: {self.get_kind_display()}"


class Dispute(models.Model):
    """An author says that a result of his bot is wrong; open until there is a ruling."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="disputes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="disputes"
    )
    reason = models.TextField(max_length=REASON_LENGTH)
    """For the organisers and the owners of the two bots."""
    made_at = models.DateTimeField(auto_now_add=True)
    ruling = models.ForeignKey(
        Ruling, on_delete=models.PROTECT, null=True, blank=True, related_name="settles"
    )

    class Meta:
        """Oldest first; one open a match."""

        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(ruling__isnull=True), name="dispute_one_open"
            ),
        ]
        indexes = [models.Index(fields=["author", "made_at"], name="dispute_of_author")]

    def __str__(self) -> str:
        return f"{self.match}, by {self.author}"
