"""Reads of commitments, and of the secrets that are published."""

from dataclasses import dataclass
from datetime import date

from arena.referee.dealer import commitment_to
from tournaments.models import Period, Tournament, TournamentFormat


@dataclass(frozen=True, slots=True)
class SeedCheck:
    """A published secret, held against the commitment."""

    secret: str
    sha256: str
    """Of the secret's 32 bytes, computed now."""
    kept: bool
    """Whether that is the commitment."""


@dataclass(frozen=True, slots=True)
class LadderDay:
    """A day (UTC) of a ladder; `seeds` is None while its secret is not revealed."""

    day: date
    commitment: str
    seeds: SeedCheck | None


def seed_check(of: Tournament) -> SeedCheck | None:
    """Whether the secret is the one that was committed to; None while it is not published."""
    secret = of.published_secret
    if secret is None:
        return None
    computed = commitment_to(secret)
    return SeedCheck(secret, computed, computed == of.commitment)


def days(of: Tournament, most: int) -> list[LadderDay]:
    """The newest days of a ladder, tomorrow among them; none elsewhere. One query."""
    if of.format != TournamentFormat.LADDER:
        return []
    return [_day(period) for period in Period.objects.filter(tournament=of)[:most]]


def _day(period: Period) -> LadderDay:
    if period.revealed_at is None:
        return LadderDay(period.day, period.commitment, None)
    computed = commitment_to(period.secret)
    checked = SeedCheck(period.secret, computed, computed == period.commitment)
    return LadderDay(period.day, period.commitment, checked)
