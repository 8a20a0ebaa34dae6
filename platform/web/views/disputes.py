"""What people say and decide about matches, and what the organisers ought to look at."""

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bots import owners
from matches import queries
from matches.errors import MatchError
from matches.models import RulingKind
from matches.services.disputes import dispute
from matches.services.rulings import rule
from ratings.models import Audit
from ratings.queries import odd_meetings
from web.forms import DisputeForm, RulingForm
from web.views import matches
from web.words import dispute_error

_RULINGS = 20
_ODD = 50


@never_cache
@login_required
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """What waits for the organisers, and what they ought to look at."""
    if not (request.user.is_authenticated and request.user.is_staff):
        raise PermissionDenied
    newest = Audit.objects.first()
    finished = Audit.objects.exclude(finished_at=None).first()
    context = {
        "section": "desk",
        "disputes": queries.open_disputes(),
        "rulings": queries.newest_rulings(_RULINGS),
        "audit": finished,
        "unfinished": newest if newest != finished else None,
        "odd": odd_meetings()[:_ODD],
        "addresses": owners.shared_addresses(),
        "uploads": owners.shared_uploads([_example()]),
    }
    return render(request, "web/desk.html", context)


@cache
def _example() -> str:
    """The hash of the bot that the tutorial gives to everybody."""
    path = finders.find("web/first_bot.py")
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else ""


@login_required
@require_POST
def file(request: HttpRequest, match_id: int) -> HttpResponse:
    """An author disputes a match of his bot."""
    assert request.user.is_authenticated
    match = matches.found(match_id)
    form = DisputeForm(request.POST)
    if form.is_valid():
        try:
            dispute(match, request.user, form.cleaned_data["reason"])
            return redirect("web:match", match_id)
        except MatchError as error:
            form.add_error(None, dispute_error(error))
    return matches.shown(request, match, dispute=form)


@login_required
@require_POST
def decide(request: HttpRequest, match_id: int) -> HttpResponse:
    """The organisers decide about a match; to others there is no such address."""
    assert request.user.is_authenticated
    if not request.user.is_staff:
        raise Http404
    match = matches.found(match_id)
    form = RulingForm(request.POST)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            rule(match, RulingKind(asked["kind"]), request.user, asked["why"])
            return redirect("web:match", match_id)
        except MatchError as error:
            form.add_error(None, dispute_error(error))
    return matches.shown(request, match, ruling=form)
