"""Tournaments: the list, and each one's standings, progress and terms."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from matches.queries import workers
from tournaments import queries
from tournaments.models import Tournament
from tournaments.queries import Progress, StandingRow, TrialStands
from web.charts import Interval, intervals, place_between
from web.words import trial_answer

_PAGE = 20
_DAYS = 8
"""Days of a ladder whose commitments a page shows; the archive has them all."""


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament and how far it is."""

    tournament: Tournament
    progress: Progress


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the standings with its interval, drawn on the scale of the table."""

    row: StandingRow
    interval: Interval | None

    @property
    def rank(self) -> str:
        """The ranks that the results leave open: "2", "3–5", "–" before the first match."""
        low, high = self.row.rank_low, self.row.rank_high
        if low is None or high is None:
            return "–"
        return str(low) if low == high else f"{low}–{high}"


@dataclass(frozen=True, slots=True)
class TrialCard:
    """How a sequential test stands, its answer in words, and its ratio between the two bounds."""

    stands: TrialStands
    answer: str
    place: int
    """Of the ratio's mark on the scale that the bounds end."""


def with_progress(tournaments: Iterable[Tournament]) -> list[TournamentCard]:
    """Each tournament with how far it is: a fixed number of queries for each."""
    return [TournamentCard(each, queries.progress(each)) for each in tournaments]


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """All tournaments but drafts, newest first."""
    page = Paginator(queries.tournaments(), _PAGE).get_page(request.GET.get("page"))
    context = {"section": "tournaments", "page": page, "tournaments": with_progress(page)}
    return render(request, "web/tournaments.html", context)


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """A tournament: its standings and progress, its terms beside them."""
    tournament = _found(slug)
    context = {
        "section": "tournaments",
        "rules": tournament.ruleset,
        "limits": tournament.limits,
        "seeds": queries.seed_check(tournament),
        "days": queries.days(tournament, _DAYS),
        "tournaments_url": reverse("web:formats"),
        "archive_name": f"santase-{tournament.slug}.tar",
        "keys_url": reverse("web:keys"),
        **_now(tournament),
    }
    return render(request, "web/tournament.html", context)


@require_safe
@conditional_page
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of a tournament's page that changes by itself."""
    return render(request, "web/tournament_live.html", _now(_found(slug)))


def _found(slug: str) -> Tournament:
    tournament = queries.tournament(slug)
    if tournament is None:
        raise Http404
    return tournament


def _now(tournament: Tournament) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "progress": queries.progress(tournament),
        "trial": _trial(tournament),
        "standings": _lines(queries.standings(tournament)),
        "saved": queries.matches_saved(tournament),
        "workers": workers.worker_health(),
        "can_run": workers.can_run_uploads(),
    }


def _trial(tournament: Tournament) -> TrialCard | None:
    stands = queries.trial(tournament)
    if stands is None:
        return None
    place = place_between(stands.weighed.llr, stands.asked.lower, stands.asked.upper)
    return TrialCard(stands, trial_answer(stands), place)


def _lines(rows: list[StandingRow]) -> list[StandingLine]:
    rated = [row for row in rows if row.elo is not None and row.error is not None]
    drawn = iter(intervals([(row.elo or 0.0, row.error or 0.0) for row in rated]))
    return [StandingLine(row, None if row.elo is None else next(drawn)) for row in rows]
