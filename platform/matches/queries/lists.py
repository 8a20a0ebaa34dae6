"""Reads of matches: lists, one match, its logs, its replay."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from bots.queries import Viewer, may_see_logs
from matches.errors import NoReplay, NotPublished
from matches.models import Match, MatchStatus, Pairing, PairingStatus, SeatLog
from replays.reader import Replay, read_replay

ANY_FAULT = "any"


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """What a list of matches is narrowed to; None and "" leave it open.

    `fault` is the name of a fault or "any"; with `bot` or `version` it is theirs.
    """

    bot: int | None = None
    version: int | None = None
    tournament: int | None = None
    fault: str = ""


def match_list(narrow: MatchFilter = MatchFilter()) -> QuerySet[Match]:
    """Finished matches, newest first."""
    matches = Match.objects.filter(status=MatchStatus.FINISHED).select_related(
        "seat0__bot", "seat1__bot", "tournament"
    )
    if narrow.tournament is not None:
        matches = matches.filter(tournament=narrow.tournament)
    matches = matches.filter(_of_bots(narrow))
    return matches.order_by("-finished_at", "-id")


def _of_bots(narrow: MatchFilter) -> Q:
    sides = []
    for one in (0, 1):
        side = Q()
        if narrow.bot is not None:
            side &= Q(**{f"seat{one}__bot": narrow.bot})
        if narrow.version is not None:
            side &= Q(**{f"seat{one}": narrow.version})
        if narrow.fault == ANY_FAULT:
            side &= ~Q(**{f"fault{one}": ""})
        elif narrow.fault:
            side &= Q(**{f"fault{one}": narrow.fault})
        sides.append(side)
    return sides[0] | sides[1] if sides[0] else Q()


def match(match_id: int) -> Match | None:
    """A match with its versions, bots, owners, pairing and tournament; None where there is none."""
    return (
        Match.objects.select_related(
            "seat0__bot__owner", "seat1__bot__owner", "pairing", "tournament"
        )
        .filter(pk=match_id)
        .first()
    )


def mirror(of: Match) -> Match | None:
    """The other match of the pair: same decks, seats exchanged."""
    return Match.objects.filter(pairing=of.pairing_id, pair=of.pair, game=1 - of.game).first()


def seat_logs(of: Match, viewer: Viewer) -> list[SeatLog]:
    """The logs of those seats whose bots are the viewer's own; the staff sees both (FC075)."""
    seats = [
        seat
        for seat, version in enumerate((of.seat0, of.seat1))
        if may_see_logs(version.bot, viewer)
    ]
    return (
        list(SeatLog.objects.filter(match=of, seat__in=seats, replaced_by=None).order_by("seat"))
        if seats
        else []
    )


def replay_name(of: Match) -> str:
    """The name of its replay in the store, where it may be shown.

    Raises `NoReplay`, or `NotPublished` while the other match of its pair is to be played.
    """
    if of.status not in {MatchStatus.FINISHED, MatchStatus.VOID}:
        raise NoReplay(f"{of.public_id} has not been played, so there is no replay")
    other = mirror(of)
    if other is not None and other.status == MatchStatus.QUEUED:
        raise NotPublished(
            f"the replay of {of.public_id} is published as soon as its mirror match "
            f"{other.public_id}, played with the same decks, is over"
        )
    return of.replay


def replay(of: Match) -> Replay:
    """Its replay, read. Raises as `replay_name` and `replays.reader.read_replay` do."""
    return read_replay(replay_name(of))


def is_being_played(of: Match) -> bool:
    """Whether a worker holds its pairing (which plays its matches in order)."""
    return of.status == MatchStatus.QUEUED and of.pairing.status == PairingStatus.RUNNING


def parked(count: int) -> Sequence[Pairing]:
    """The last `count` pairings that wait for a person, with their versions and tournaments."""
    waiting = Pairing.objects.filter(status=PairingStatus.PARKED)
    return list(waiting.select_related("low__bot", "high__bot", "tournament")[:count])


def newest(count: int) -> Sequence[Match]:
    """The last `count` finished matches."""
    return list(match_list()[:count])
