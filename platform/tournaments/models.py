"""Tournaments and who has entered."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class TournamentFormat(models.TextChoices):
    """How pairings are made."""

    ROUND_ROBIN = "round_robin", _("round robin")


class TournamentStatus(models.TextChoices):
    """Where a tournament stands."""

    DRAFT = "draft", _("draft")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class Tournament(models.Model):
    """Entries that meet by a format under one set of rules and limits."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(max_length=60, unique=True)
    format = models.CharField(
        max_length=20, choices=TournamentFormat.choices, default=TournamentFormat.ROUND_ROBIN
    )
    ruleset = models.JSONField()
    """All options of the rules (R15)."""
    limits = models.JSONField()
    """`arena.protocol.Limits`, complete."""
    pairs_per_pairing = models.PositiveIntegerField(default=10)
    """Mirrored pairs: a pairing has twice as many matches."""
    cycles = models.PositiveIntegerField(default=1)
    """How often everybody meets everybody."""
    secret = models.CharField(max_length=64)
    """32 bytes as hex, from which all seeds come; published when no match can follow."""
    commitment = models.CharField(max_length=64)
    """SHA-256 of the secret, published from the start."""
    open = models.BooleanField(default=False)
    """Accepted versions enter by themselves, and a finished tournament goes on for them."""
    status = models.CharField(
        max_length=10, choices=TournamentStatus.choices, default=TournamentStatus.DRAFT
    )
    position = models.PositiveBigIntegerField(default=0)
    """Pairings of the round robin looked at; back to 0 whenever the entries change."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first."""

        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(cycles__gte=1, pairs_per_pairing__gte=1), name="tournament_from_1"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def published_secret(self) -> str | None:
        """The secret, once no further match can come of it (PROTOCOL §6)."""
        over = self.status in {TournamentStatus.FINISHED, TournamentStatus.CANCELLED}
        return self.secret if over and not self.open else None


class Entry(models.Model):
    """A version in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="entries")
    entered_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """In the order of entering; a version once."""

        ordering = ["id"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="entry_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.tournament}"
