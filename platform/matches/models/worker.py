"""What each worker says of itself."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class WorkerState(models.TextChoices):
    """What a worker says."""

    READY = "ready", _("ready")
    NO_SANDBOX = "no_sandbox", _("no sandbox: plays nothing")
    STOPPED = "stopped", _("stopped")


class WorkerStatus(models.Model):
    """One worker process: its slots, its sandbox, what it found at its start, its last beat."""

    name = models.CharField(max_length=200, unique=True)
    state = models.CharField(max_length=12, choices=WorkerState.choices)
    slots = models.PositiveSmallIntegerField()
    """Matches that it plays at once."""
    sandbox = models.CharField(max_length=20, blank=True)
    image = models.CharField(max_length=200, blank=True)
    python = models.CharField(max_length=20, blank=True)
    findings = models.JSONField(default=list)
    """What the doctor found as it started: the fields of `arena.finding.Finding` each."""
    message = models.TextField(blank=True)
    """Why it plays nothing, and what to do."""
    matches = models.PositiveBigIntegerField(default=0)
    """Booked from workers of this name."""
    voids = models.PositiveBigIntegerField(default=0)
    """Starts of a match that their host broke."""
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()

    class Meta:
        """By name."""

        ordering = ["name"]
        verbose_name_plural = "worker statuses"

    def __str__(self) -> str:
        return self.name
