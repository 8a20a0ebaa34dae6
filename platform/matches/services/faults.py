"""A version whose matches end by its own faults, one after the other, is paused."""

from collections.abc import Iterable
from itertools import islice

from arena.pairing import FAULTS_IN_A_ROW, is_to_be_paused
from bots import pausing
from bots.models import Version
from matches.models import Match, MatchStatus


def pause_the_faulty(match: Match, seats: Iterable[int]) -> None:
    """Pauses those at these seats who have been at fault often enough in a row.

    In the transaction that books the match, which counts.
    """
    for version in sorted((match.seat0_id, match.seat1_id)[seat] for seat in seats):
        if is_to_be_paused(_newest_faults(version)):
            pausing.pause(version)


def _newest_faults(version_id: int) -> list[bool]:
    """Whether the version's last matches that count ended by its fault, newest first.

    Since it was last let play again. A void match is none; a host's fault never becomes a result.
    The row of the version is locked, so that of two matches booked at once one sees the other; not
    against those who only refer to it: a pump that orders its pairings would be waited for.
    """
    since = Version.objects.select_for_update(no_key=True).get(pk=version_id).resumed_at
    rows = []
    for seat in (0, 1):
        matches = Match.objects.filter(status=MatchStatus.FINISHED, **{f"seat{seat}": version_id})
        if since is not None:
            matches = matches.filter(finished_at__gt=since)
        newest = matches.order_by("-finished_at", "-id")
        rows += list(newest.values_list("finished_at", "pk", f"fault{seat}")[:FAULTS_IN_A_ROW])
    return [bool(fault) for *_, fault in islice(sorted(rows, reverse=True), FAULTS_IN_A_ROW)]
