"""What each worker says of itself."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class WorkerState(models.TextChoices):
    """What a worker says."""

    READY = "ready", _("ready")
    NO_SANDBOX = "no_sandbox", _("no sandbox: plays nothing")
    STOPPED = "stopped", _("stopped")


class WorkerStatus(models.Model):
    """One worker process: its slots, its sandbox and the findings of its probe, its last beat."""

    name = models.CharField(max_length=200, unique=True)
    state = models.CharField(max_length=12, choices=WorkerState.choices)
    slots = models.PositiveSmallIntegerField()
    """Matches that it plays at once."""
    sandbox = models.CharField(max_length=20, blank=True)
    image = models.CharField(max_length=60, blank=True)
    python = models.CharField(max_length=20, blank=True)
    findings = models.JSONField(default=list)
    """`{"name", "ok", "what", "remedy"}` each."""
    message = models.TextField(blank=True)
    """Why it plays nothing, and what to do."""
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()

    class Meta:
        """By name."""

        ordering = ["name"]
        verbose_name_plural = "worker statuses"

    def __str__(self) -> str:
        return self.name
