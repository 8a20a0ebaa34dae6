"""What the replay player fetches, and the deck that a browser keeps."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_POST, require_safe

from matches import queries
from matches.errors import NoReplay, NotPublished
from matches.models import Match
from replays.errors import ReplayStoreError
from web.player.editions import Edition, document_of, edition
from web.player.faces import COOKIE
from web.player.frames import Film
from web.player.reading import film_of, remarks_in
from web.views.matches import found, viewer

_YEAR_S = 365 * 24 * 3600


@require_safe
@gzip_page
def frames(request: HttpRequest, match_id: int) -> HttpResponse:
    """Every position of a match as JSON, the same for whoever asks, in his language.

    Whoever has this edition already is told so without the match being replayed.
    """
    try:
        answer = _frames(request, edition(found(match_id)))
    except (NoReplay, NotPublished, ReplayStoreError) as error:
        raise Http404 from error
    answer["Cache-Control"] = "no-cache"  # it is in the reader's language: always asked for anew
    return answer


@require_safe
def remarks(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """What a bot said with each action, for its owner and the staff; to others it is not there."""
    match = found(match_id)
    logs = [log for log in queries.seat_logs(match, viewer(request)) if log.seat == seat]
    if not logs:
        raise Http404
    said = remarks_in(_film(match), logs)[seat]
    answer = JsonResponse(
        {request: [remark.note, remark.stderr] for request, remark in said.items()}
    )
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_POST
def deck(request: HttpRequest) -> HttpResponse:
    """Keeps the choice between two and four colours in this browser, and goes back."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    ):
        back = reverse("web:matches")
    answer = HttpResponseRedirect(back)
    choice = "four" if request.POST.get("deck") == "four" else "two"
    answer.set_cookie(
        COOKIE, choice, max_age=_YEAR_S, samesite="Lax", httponly=True, secure=settings.HTTPS
    )
    return answer


def _tag(request: HttpRequest, wanted: Edition) -> str:
    return wanted.tag


@condition(etag_func=_tag)
def _frames(request: HttpRequest, wanted: Edition) -> HttpResponse:
    return HttpResponse(document_of(wanted), "application/json")


def _film(match: Match) -> Film:
    try:
        return film_of(match)
    except (NoReplay, NotPublished, ReplayStoreError) as error:
        raise Http404 from error
