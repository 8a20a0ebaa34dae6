"""The formats of tournaments: each an object that says what is due next, and when it is over.

Who meets whom is decided in `arena.pairing`; a format reads what that needs from the database.
"""

from tournaments.formats.base import Format, Lineup, Meeting
from tournaments.formats.ladder import LadderFormat
from tournaments.formats.schedules import GauntletFormat, RoundRobinFormat
from tournaments.formats.sequential import SequentialFormat
from tournaments.models import Tournament, TournamentFormat

FORMATS: dict[TournamentFormat, Format] = {
    TournamentFormat.ROUND_ROBIN: RoundRobinFormat(),
    TournamentFormat.GAUNTLET: GauntletFormat(),
    TournamentFormat.LADDER: LadderFormat(),
    TournamentFormat.SEQUENTIAL: SequentialFormat(),
}


def format_of(tournament: Tournament) -> Format:
    """How this tournament is played."""
    return FORMATS[TournamentFormat(tournament.format)]


__all__ = ["FORMATS", "Format", "Lineup", "Meeting", "format_of"]
