"""Tournaments and who has entered."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class TournamentFormat(models.TextChoices):
    """How pairings are made."""

    ROUND_ROBIN = "round_robin", _("round robin")
    GAUNTLET = "gauntlet", _("gauntlet")
    LADDER = "ladder", _("ladder")
    SEQUENTIAL = "sequential", _("sequential test")


ABOUT_ONE = (TournamentFormat.GAUNTLET, TournamentFormat.SEQUENTIAL)
"""Formats that are about one version, the challenger, which must be named."""


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
    """How often any two meet who meet; a ladder has no end, and no use for it."""
    challenger = models.ForeignKey(
        "bots.Version", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    """Who meets all others (gauntlet), or is asked to be the better one (sequential test)."""
    asked = models.JSONField(null=True, blank=True)
    """The fields of `arena.rating.Hypotheses`, of a sequential test."""
    secret = models.CharField(max_length=64, blank=True)
    """32 bytes as hex, from which all seeds come; published when no new match can follow.

    A ladder has none: it has one a day (`Period`).
    """
    commitment = models.CharField(max_length=64, blank=True)
    """SHA-256 of the secret, published from the start."""
    open = models.BooleanField(default=False)
    """Accepted versions enter by themselves, and a finished tournament goes on for them."""
    frozen = models.BooleanField(default=False)
    """Nobody enters, and no newer version takes an older one's place."""
    status = models.CharField(
        max_length=10, choices=TournamentStatus.choices, default=TournamentStatus.DRAFT
    )
    position = models.PositiveBigIntegerField(default=0)
    """Pairings of the schedule looked at; back to 0 whenever those who play change."""
    lineup = models.CharField(max_length=64, blank=True)
    """Which versions `position` was counted with."""
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
            models.CheckConstraint(
                condition=Q(format="ladder", secret="", commitment="")
                | (~Q(format="ladder") & ~Q(secret="") & ~Q(commitment="")),
                name="tournament_ladder_has_days",
            ),
            models.CheckConstraint(
                condition=Q(format__in=ABOUT_ONE, challenger__isnull=False)
                | (~Q(format__in=ABOUT_ONE) & Q(challenger__isnull=True)),
                name="tournament_about_one_names_it",
            ),
            models.CheckConstraint(
                condition=Q(format="sequential", asked__isnull=False)
                | (~Q(format="sequential") & Q(asked__isnull=True)),
                name="tournament_test_has_question",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def published_secret(self) -> str | None:
        """The secret, once no new match can come of it (PROTOCOL §6), only one that is played again
        by a ruling; a ladder has none.
        """
        over = self.status == TournamentStatus.CANCELLED or (
            self.status == TournamentStatus.FINISHED and not self.open
        )
        return (self.secret or None) if over else None


class Period(models.Model):
    """A day (UTC) of a ladder, with a secret of its own.

    The commitment is public from the moment the row is there, which is before the first pairing of
    that day; the secret, from `revealed_at` on.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="periods")
    day = models.DateField()
    secret = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    published_at = models.DateTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    """When the day was over and its matches booked; no new seed comes from it any more, but a match
    of it may be played again from its old one, by a ruling.
    """

    class Meta:
        """Newest first; a secret a day."""

        ordering = ["-day"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "day"], name="period_once_a_day"),
        ]
        indexes = [
            models.Index(
                fields=["day"], condition=Q(revealed_at__isnull=True), name="period_to_reveal"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.day}"


class Entry(models.Model):
    """A version in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="entries")
    entered_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    last_paired_at = models.DateTimeField(null=True, blank=True)
    """When it was last given a pairing; None: never yet."""

    class Meta:
        """In the order of entering; a version once."""

        ordering = ["id"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="entry_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.tournament}"
