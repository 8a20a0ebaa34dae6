"""From a match to its film, and to what its bots said to those who may read it."""

from collections.abc import Iterable

from django.utils.html import format_html

from matches import queries
from matches.models import Match, SeatLog
from replays.positions import positions
from web.player.frames import Film, Players
from web.player.remarks import Remark, remarks


def player_names(match: Match) -> Players:
    """The names of a match's two players, with their versions where one bot plays itself."""
    same = match.seat0.bot_id == match.seat1.bot_id
    names = [
        format_html("<bdi>{}{}</bdi>", each.bot.name, f" v{each.number}" if same else "")
        for each in (match.seat0, match.seat1)
    ]
    return names[0], names[1]


def film_of(match: Match) -> Film:
    """All positions of a match. Raises `NoReplay`, `NotPublished` or a `ReplayStoreError`."""
    replay = queries.replay(match)
    return Film(positions(replay), replay, player_names(match))


def remarks_in(film: Film, logs: Iterable[SeatLog]) -> dict[int, dict[int, Remark]]:
    """By seat and request: what the bots of these logs said. Whose logs they are, is settled."""
    return {log.seat: remarks(log, film.requests_of(log.seat)) for log in logs}
