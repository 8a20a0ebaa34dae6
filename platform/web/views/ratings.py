"""How a rating came about, and any two versions compared."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.rating import LEAST_PAIRS
from bots import queries as bots
from ratings import luck, queries
from tournaments.models import Tournament
from tournaments.queries import entries
from tournaments.queries import tournament as tournament_at

MOST = 60
"""Versions in the table of all against all."""


@require_safe
def version(request: HttpRequest, slug: str, version_id: int) -> HttpResponse:
    """A version in a tournament: its rating, what changed it, and how it stands against all."""
    tournament = _found(slug)
    rating = queries.rating_of(tournament.pk, version_id)
    shown = bots.version(version_id)
    if shown is None or not (rating or entries(tournament).filter(version=shown).exists()):
        raise Http404
    versus = queries.versus(tournament.pk, version_id)
    context = {
        "section": "tournaments",
        "tournament": tournament,
        "version": shown,
        "rating": rating,
        "history": queries.history(tournament.pk, version_id),
        "versus": versus,
        "luck": luck.luck_of(tournament.pk, version_id, versus),
        "least_pairs": LEAST_PAIRS,
        "most_pairs": luck.MOST_PAIRS,
    }
    return render(request, "web/rating.html", context)


@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """All versions against all: how sure it is that one is better than the other."""
    tournament = _found(slug)
    table = queries.cross_table(tournament.pk, MOST)
    rows = (
        []
        if table is None
        else [
            {"number": number, "version": one, "cells": cells}
            for number, (one, cells) in enumerate(zip(table.versions, table.rows, strict=True), 1)
        ]
    )
    context = {
        "section": "tournaments",
        "tournament": tournament,
        "rows": rows,
        "most": MOST,
        "left_out": 0 if table is None else table.left_out,
    }
    return render(request, "web/compare.html", context)


def _found(slug: str) -> Tournament:
    tournament = tournament_at(slug)
    if tournament is None:
        raise Http404
    return tournament
