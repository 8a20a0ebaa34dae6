"""One match of a pairing, and what the owners of its two bots may read."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models.pairing import Pairing


class MatchStatus(models.TextChoices):
    """Where a match stands; who plays now, the pairing says."""

    QUEUED = "queued", _("queued")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")
    VOID = "void", _("void")
    """Played, and taken out of every total by the organisers."""


class Match(models.Model):
    """One game of a mirrored pair; what is rated. Its row is made with the pairing."""

    pairing = models.ForeignKey(Pairing, on_delete=models.PROTECT, related_name="matches")
    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.PROTECT, related_name="matches"
    )
    """That of the pairing, kept here for the lists."""
    pair = models.PositiveIntegerField()
    """Number of the pair in the seed derivation, from 0."""
    game = models.PositiveSmallIntegerField()
    """0 or 1; in game 1 the seats are exchanged."""
    seed = models.CharField(max_length=64)
    seat0 = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="matches0")
    seat1 = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="matches1")
    status = models.CharField(
        max_length=10, choices=MatchStatus.choices, default=MatchStatus.QUEUED
    )
    voids = models.PositiveSmallIntegerField(default=0)
    """Starts that the host broke, whichever worker's; played again from the same seed."""
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat that won; null where both failed to start, and before the end."""
    score0 = models.PositiveSmallIntegerField(default=0)
    score1 = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=10, blank=True)
    """`target` or the fault's name."""
    faults = models.JSONField(default=list)
    """Fault objects of PROTOCOL §5."""
    fault0 = models.CharField(max_length=10, blank=True)
    """Name of seat 0's fault, for lists and filters."""
    fault1 = models.CharField(max_length=10, blank=True)
    deals = models.PositiveSmallIntegerField(default=0)
    wall_ms = models.FloatField(default=0)
    luck = models.FloatField(null=True, blank=True)
    """By how much the cards raised seat 0's chance to win it, as between equals: 0.1 is ten matches
    of a hundred (`arena.rating.luck`, docs/explanation/rating.md). For the luck-adjusted score, an
    extra: nothing that ranks looks at it. Null where it is not known: no card was dealt, or the
    match was booked before there was this column. Whoever changes what `match_luck` gives adds a
    migration that sets all to null, else a recount finds every one different.
    """
    replay = models.CharField(max_length=120, blank=True)
    """Name in the store of replay files."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; each game of each pair once."""

        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "pair", "game"], name="match_once"),
            models.CheckConstraint(condition=Q(game__in=[0, 1]), name="match_game_0_or_1"),
            models.CheckConstraint(condition=~Q(seat0=F("seat1")), name="match_two_versions"),
            models.CheckConstraint(
                condition=Q(winner__isnull=True)
                | Q(winner__in=[0, 1], status__in=["finished", "void"]),
                name="match_winner_is_a_seat",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["finished", "void"])
                | (Q(finished_at__isnull=False) & ~Q(replay="") & ~Q(reason="")),
                name="match_finished_is_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["tournament", "-finished_at"], name="match_newest_of"),
            models.Index(fields=["-finished_at"], name="match_newest"),
            models.Index(fields=["tournament"], condition=Q(status="void"), name="match_struck_of"),
            models.Index(fields=["seat0", "-finished_at"], name="match_of_seat0"),
            models.Index(fields=["seat1", "-finished_at"], name="match_of_seat1"),
            models.Index(fields=["voids"], condition=Q(voids__gt=0), name="match_void"),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def public_id(self) -> str:
        """Its name in `hello`, in the replay and in file names."""
        return f"m{self.pk}"


class SeatLog(models.Model):
    """What a bot wrote and used in a match; for its owner and the staff alone."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seat_logs")
    seat = models.PositiveSmallIntegerField()
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
    exit = models.CharField(max_length=200, blank=True)
    """How the process ended, in words."""
    cpu_ms = models.FloatField(default=0)
    peak_mb = models.PositiveIntegerField(null=True, blank=True)
    replaced_by = models.ForeignKey(
        "matches.Ruling", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    """The ruling by which the match was played again: this is what the bot wrote before."""

    class Meta:
        """One a seat, for the result that counts."""

        constraints = [
            models.UniqueConstraint(
                fields=["match", "seat"],
                condition=Q(replaced_by__isnull=True),
                name="seat_log_once",
            ),
            models.CheckConstraint(condition=Q(seat__in=[0, 1]), name="seat_log_seat_0_or_1"),
        ]

    def __str__(self) -> str:
        return f"{self.match}, seat {self.seat}"
