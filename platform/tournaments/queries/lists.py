"""Reads of tournaments and of who has entered."""

from django.db.models import Q, QuerySet

from bots.models import Bot
from tournaments.models import Entry, Tournament, TournamentStatus


def running_tournaments() -> QuerySet[Tournament]:
    """Those that play or may go on by themselves, newest first."""
    return Tournament.objects.filter(
        Q(status__in=[TournamentStatus.RUNNING, TournamentStatus.PAUSED])
        | Q(status=TournamentStatus.FINISHED, open=True)
    )


def tournaments() -> QuerySet[Tournament]:
    """All but drafts, newest first."""
    return Tournament.objects.exclude(status=TournamentStatus.DRAFT)


def tournament(slug: str) -> Tournament | None:
    """The tournament of this address, or None."""
    return Tournament.objects.filter(slug=slug).first()


def entries(of: Tournament) -> QuerySet[Entry]:
    """All entries, withdrawn ones too, in the order of entering."""
    return Entry.objects.filter(tournament=of).select_related("version__bot__owner")


def entered_by(bot: Bot) -> QuerySet[Entry]:
    """The entries of a bot's versions in tournaments that are no drafts, newest first."""
    return (
        Entry.objects.filter(version__bot=bot)
        .exclude(tournament__status=TournamentStatus.DRAFT)
        .select_related("tournament", "version__bot")
        .order_by("-id")
    )
