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
    matches_saved = models.IntegerField(default=0)
    """How many matches more the same certainty would have taken without mirrored pairs."""
    refit_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"standings {self.number} of {self.tournament}"


class Fit(models.Model):
    """What the last refit rests on and came to, whole: with it any two versions can be compared.

    Apart from `Snapshot`, because it is large (`fits.pack`), and few pages read it.
    """

    snapshot = models.OneToOneField(Snapshot, on_delete=models.CASCADE, related_name="fit")
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"fit of {self.snapshot}"


class Change(models.Model):
    """A refit in the history of a tournament: which results came in, and the ratings after it.

    All of the newest are kept; older ones are put together, hour by hour and then day by day, so
    that their number stays bounded (`history.thin`).
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="rating_changes"
    )
    number = models.PositiveIntegerField()
    """That of the snapshot."""
    made_at = models.DateTimeField()
    refits = models.PositiveIntegerField(default=1)
    """How many have been put together in it."""
    came = models.JSONField()
    """`[low, high, pairs won, split, lost, singles won, lost]` each, as the low version saw it.

    Below 0 where a result was taken out.
    """
    ratings = models.JSONField()
    """`[version, lowest rank, highest rank, elo, error]` each."""

    class Meta:
        """Newest first."""

        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="change_once"),
        ]

    def __str__(self) -> str:
        return f"standings {self.number} of {self.tournament}"


class Audit(models.Model):
    """One run of `manage.py audit`, by a person or by beat."""

    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    """None while it runs, and where it was stopped."""
    checked = models.JSONField(default=dict)
    """How many of each kind were looked at."""
    discrepancies = models.PositiveIntegerField(default=0)
    found = models.JSONField(default=list)
    """The first discrepancies, a line of text each."""

    class Meta:
        """Newest first."""

        ordering = ["-id"]

    def __str__(self) -> str:
        return f"audit {self.pk}: {self.discrepancies} discrepancies"

    @property
    def left_out(self) -> int:
        """Discrepancies beyond those stored in words."""
        return self.discrepancies - len(self.found)


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
