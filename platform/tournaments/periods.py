"""Which secret the seeds of a pairing come from: the tournament's, or on a ladder the day's.

A ladder has no end at which its secret could be revealed, so it has one a day (UTC). Its commitment
is published the day before, at the latest by a transaction before that of the first pairing; the
secret is revealed when the day is over and none of its pairings can be played any more.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db import transaction
from django.db.models import Q

from arena.referee.dealer import (
    commitment_to,
    ladder_pair_seed,
    new_secret,
    tournament_pair_seed,
)
from matches.models import IDLE, Pairing
from tournaments.models import Period, Tournament, TournamentFormat, TournamentStatus


@dataclass(frozen=True, slots=True)
class Source:
    """A secret and its commitment; `day` is None where it is the whole tournament's."""

    tournament: int
    secret: str
    commitment: str
    day: date | None = None

    def seed(self, one: int, other: int, pair: int) -> str:
        """The seed of a pair (from 0) between two versions."""
        if self.day is None:
            return tournament_pair_seed(self.secret, self.tournament, one, other, pair)
        return ladder_pair_seed(self.secret, self.tournament, self.day, one, other, pair)


def source_now(tournament: Tournament, now: datetime) -> Source | None:
    """Where seeds come from at this moment.

    None where a ladder's commitment of today is published only now: nothing may be ordered in the
    transaction that does it; nor after its secret is revealed (a clock that was set back).
    """
    if tournament.format != TournamentFormat.LADDER:
        return Source(tournament.pk, tournament.secret, tournament.commitment)
    there = publish(tournament, now)
    return None if there is None or there.revealed_at else _source(there)


def publish(ladder: Tournament, now: datetime) -> Period | None:
    """Sees that there are commitments of today and tomorrow; gives that of today, if it was there
    before.
    """
    today = now.astimezone(UTC).date()
    days = (today, today + timedelta(days=1))
    periods = Period.objects.filter(tournament=ladder, day__in=days)
    there = {period.day: period for period in periods}
    Period.objects.bulk_create(_new(ladder, day) for day in days if day not in there)
    return there.get(today)


def reveal_due(now: datetime) -> int:
    """Reveals the secrets of days that are over, and of cancelled ladders; gives how many.

    One that a pairing still needs stays secret: it may be queued, played, or parked for a person.
    """
    over = Q(day__lt=now.astimezone(UTC).date())
    over |= Q(tournament__status=TournamentStatus.CANCELLED)
    due = Period.objects.filter(over, revealed_at=None).order_by("pk")
    return sum(_reveal(pk, ladder, now) for pk, ladder in due.values_list("pk", "tournament_id"))


def _reveal(pk: int, ladder: int, now: datetime) -> bool:
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=ladder)  # no pump orders meanwhile
        period = Period.objects.get(pk=pk)
        needed = Pairing.objects.filter(tournament=ladder, commitment=period.commitment).exclude(
            status__in=IDLE
        )
        if needed.exists():
            return False
        return bool(Period.objects.filter(pk=pk, revealed_at=None).update(revealed_at=now))


def sources_of(tournament: Tournament) -> dict[str, Source]:
    """All there are, by commitment, those not revealed too: for what checks our own books."""
    if tournament.format != TournamentFormat.LADDER:
        return {
            tournament.commitment: Source(tournament.pk, tournament.secret, tournament.commitment)
        }
    periods = Period.objects.filter(tournament=tournament).order_by("day")
    return {period.commitment: _source(period) for period in periods}


def published_secrets(tournament: Tournament) -> list[str]:
    """Those that everybody may know by now."""
    if tournament.format != TournamentFormat.LADDER:
        return [tournament.published_secret] if tournament.published_secret else []
    revealed = Period.objects.filter(tournament=tournament, revealed_at__isnull=False)
    return list(revealed.order_by("day").values_list("secret", flat=True))


def _source(period: Period) -> Source:
    return Source(period.tournament_id, period.secret, period.commitment, period.day)


def _new(ladder: Tournament, day: date) -> Period:
    secret = new_secret()
    return Period(tournament=ladder, day=day, secret=secret, commitment=commitment_to(secret))
