"""The front page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

from matches import queries as matches
from matches.queries import workers
from tournaments import queries as tournaments
from web.views.tournaments import with_progress

_TOURNAMENTS = 6
_MATCHES = 10


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the arena is, what is being played, how to take part."""
    return render(request, "web/home.html", {"protocol_url": reverse("web:protocol"), **_now()})


@require_safe
@conditional_page
def live(request: HttpRequest) -> HttpResponse:
    """The part of the front page that changes by itself."""
    return render(request, "web/home_live.html", _now())


def _now() -> dict[str, Any]:
    return {
        "tournaments": with_progress(tournaments.running_tournaments()[:_TOURNAMENTS]),
        "matches": matches.newest(_MATCHES),
        "can_run": workers.can_run_uploads(),
    }
