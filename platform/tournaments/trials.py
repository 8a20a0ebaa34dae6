"""How a sequential test stands: by its pairs in their order, up to the first still to be played."""

from dataclasses import dataclass

from arena.rating import Hypotheses, Result, Trial, trial_of
from matches.models import Match, MatchStatus
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class TrialNow:
    """A test, and the number of the first pair that it has not got to yet."""

    trial: Trial
    until: int


def trial_now(tournament: Tournament) -> TrialNow:
    """The test of a sequential tournament. Two queries."""
    versions = Entry.objects.filter(tournament=tournament).values_list("version_id", flat=True)
    first_is_lower = tournament.challenger_id == min(versions, default=0)
    matches = Match.objects.filter(tournament=tournament).order_by("pair", "game")
    until = 0
    results: list[Result] = []
    for status, *fields in matches.values_list("status", *Result._fields):
        result = Result(*fields)
        if status in {MatchStatus.QUEUED, MatchStatus.CANCELLED}:
            results = [each for each in results if each.pair < result.pair]
            until = result.pair
            break
        until = result.pair + 1
        if status == MatchStatus.FINISHED:
            results.append(result)
    asked = Hypotheses(**(tournament.asked or {}))
    return TrialNow(trial_of(results, asked, first_is_lower=first_is_lower, until=until), until)
