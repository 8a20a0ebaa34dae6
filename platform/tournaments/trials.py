"""How a sequential test stands: by its pairs in their order, up to the first still to be played."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from arena.rating import Hypotheses, Trial, trial_of_pairs
from matches.models import Match, MatchStatus
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class TrialNow:
    """A test, and the number of the first pair that it has not got to yet."""

    trial: Trial
    until: int


def trial_now(tournament: Tournament) -> TrialNow:
    """The test of a sequential tournament. Two queries, of which one gives a row a pair."""
    versions = Entry.objects.filter(tournament=tournament).values_list("version_id", flat=True)
    first_is_lower = tournament.challenger_id == min(versions, default=0)
    won_by_lower: list[int] = []
    until = 0
    for pair, to_play, counted, won in _pairs(tournament):
        if to_play:
            until = pair
            break
        until = pair + 1
        if counted == 2:
            won_by_lower.append(won)
    asked = Hypotheses(**(tournament.asked or {}))
    return TrialNow(trial_of_pairs(won_by_lower, asked, first_is_lower=first_is_lower), until)


def _pairs(tournament: Tournament) -> "QuerySet[Match, tuple[int, int, int, int]]":
    """Of each pair its number, and how many of its matches are to be played, count, and were won by
    the lower version; in the order of the pairs.
    """
    to_play = Q(status__in=[MatchStatus.QUEUED, MatchStatus.CANCELLED])
    counted = Q(status=MatchStatus.FINISHED, winner__isnull=False)
    rows = Match.objects.filter(tournament=tournament).order_by("pair").values_list("pair")
    return rows.annotate(
        to_play=Count("pk", filter=to_play),
        counted=Count("pk", filter=counted),
        won=Count("pk", filter=counted & Q(winner=F("game"))),
    )
