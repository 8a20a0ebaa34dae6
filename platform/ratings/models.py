"""Stored standings: one snapshot a tournament, one row a version."""

from django.db import models


class Snapshot(models.Model):
    """The last refit of a tournament. Pages read it; it can be made again from the results."""

    tournament = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="snapshot"
    )
    number = models.PositiveIntegerField(default=0)
    """Grows with every refit that changed something."""
    basis = models.CharField(max_length=100, blank=True)
    """Which results it was made from; differs as soon as one is booked or changed."""
    matches = models.PositiveIntegerField(default=0)
    """Booked matches that it rests on."""
    refit_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"standings {self.number} of {self.tournament}"


class Rating(models.Model):
    """One version's line of the standings."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="ratings")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="ratings")
    rank = models.PositiveIntegerField()
    rank_low = models.PositiveIntegerField()
    """One more than the number of versions that are separably better."""
    rank_high = models.PositiveIntegerField()
    """The number of versions that are not separably worse, itself included."""
    elo = models.FloatField()
    error = models.FloatField()
    """Half-width of the 95 % interval, in Elo."""
    separable = models.BooleanField()
    """Whether the version one rank below is separably worse; true in the last place."""
    pairs_won = models.PositiveIntegerField()
    """Mirrored pairs that ended 2–0."""
    pairs_split = models.PositiveIntegerField()
    pairs_lost = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()
    """Rated matches."""
    wins = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    unrated = models.PositiveIntegerField()
    """Matches without a winner: both failed to start."""
    points_for = models.PositiveIntegerField()
    """Game points won."""
    points_against = models.PositiveIntegerField()
    faults = models.PositiveIntegerField()
    """Matches in which it was at fault."""
    voids = models.PositiveIntegerField()
    """Starts of its matches that the host broke."""

    class Meta:
        """Best first."""

        ordering = ["rank"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "version"], name="rating_once"),
            models.CheckConstraint(
                condition=models.Q(matches=models.F("wins") + models.F("losses")),
                name="rating_sums_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.elo:.0f} ± {self.error:.0f}"
