"""What a pairing's booked matches add up to, recomputed from them at each booking."""

from django.db import models


class Tally(models.Model):
    """Sums over the booked matches of a pairing, as its low version saw them.

    Standings are sums of these, so that their time hardly depends on the number of matches.
    """

    played = models.PositiveIntegerField(default=0)
    """Matches booked."""
    unrated = models.PositiveIntegerField(default=0)
    """Of these without a winner: both bots failed to start."""
    won = models.PositiveIntegerField(default=0)
    """Pairs that the low version won 2–0."""
    split = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    singles_won = models.PositiveIntegerField(default=0)
    """Rated matches won whose mirror match is missing or unrated."""
    singles_lost = models.PositiveIntegerField(default=0)
    points_low = models.PositiveIntegerField(default=0)
    """Game points."""
    points_high = models.PositiveIntegerField(default=0)
    faults_low = models.PositiveIntegerField(default=0)
    """Matches that the low version lost by a fault of its own."""
    faults_high = models.PositiveIntegerField(default=0)
    voids = models.PositiveIntegerField(default=0)
    """Starts of a match that the host broke."""

    class Meta:
        """Columns of Pairing."""

        abstract = True
