"""Two versions meeting: what one task plays, what one worker holds."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models.tally import Tally


class PairingStatus(models.TextChoices):
    """Where a pairing stands."""

    QUEUED = "queued", _("queued")
    RUNNING = "running", _("playing")
    FINISHED = "finished", _("finished")
    PARKED = "parked", _("parked: needs a person")
    CANCELLED = "cancelled", _("cancelled")


IDLE = (PairingStatus.FINISHED, PairingStatus.CANCELLED)
"""Nothing of it waits to be played."""


class Pairing(Tally):
    """An even number of matches between two versions, in mirrored pairs.

    While it is RUNNING one worker holds it until `lease_until`; `attempt` is the token that its
    results must carry.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.PROTECT, related_name="pairings"
    )
    low = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="+")
    """Seat 0 in game 0 of each pair."""
    high = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="+")
    cycle = models.PositiveIntegerField()
    """From 1: how often the two have been paired in this tournament."""
    pairs = models.PositiveIntegerField()
    """Mirrored pairs: twice as many matches."""
    ruleset = models.JSONField()
    """All options of the rules (R15)."""
    limits = models.JSONField()
    """`arena.protocol.Limits`, complete."""
    commitment = models.CharField(max_length=64)
    """SHA-256 of the secret that its seeds come from, hex: the tournament's, or a ladder's of a
    day.
    """
    status = models.CharField(
        max_length=10, choices=PairingStatus.choices, default=PairingStatus.QUEUED
    )
    attempt = models.PositiveIntegerField(default=0)
    """Times that a worker has claimed it."""
    worker = models.CharField(max_length=200, blank=True)
    """Who holds it or held it last."""
    worker_pid = models.PositiveIntegerField(default=0)
    """The process there."""
    lease_until = models.DateTimeField(null=True, blank=True)
    host_failures = models.PositiveSmallIntegerField(default=0)
    """Claims in a row that ended by the host's fault with no match finished."""
    note = models.TextField(blank=True)
    """Why it is parked, or what went wrong last."""
    sent_at = models.DateTimeField()
    """When its task was last sent to the workers."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    booked_at = models.DateTimeField(null=True, blank=True)
    """When its last match was booked."""

    class Meta:
        """Once a cycle; a running one is held by somebody."""

        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "low", "high", "cycle"], name="pairing_once_a_cycle"
            ),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="pairing_low_below_high"),
            models.CheckConstraint(
                condition=Q(cycle__gte=1, pairs__gte=1), name="pairing_counts_from_1"
            ),
            models.CheckConstraint(
                condition=~Q(status="running") | Q(lease_until__isnull=False),
                name="pairing_running_has_lease",
            ),
            models.CheckConstraint(
                condition=~Q(status="finished") | Q(finished_at__isnull=False),
                name="pairing_finished_has_time",
            ),
        ]
        indexes = [
            models.Index(fields=["tournament", "status"], name="pairing_by_status"),
            models.Index(fields=["tournament", "booked_at"], name="pairing_by_booking"),
            models.Index(fields=["status", "lease_until"], name="pairing_by_lease"),
            models.Index(fields=["tournament", "commitment"], name="pairing_by_secret"),
        ]

    def __str__(self) -> str:
        return f"{self.low} – {self.high}, cycle {self.cycle}"

    @property
    def first_pair(self) -> int:
        """The number of its first pair in the seed derivation (PROTOCOL §6)."""
        return (self.cycle - 1) * self.pairs
