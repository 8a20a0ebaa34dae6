"""Matches: the list with its filters, one match with its replay, the owner's log."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from bots import queries as bots
from bots.queries import Viewer
from matches import queries
from matches.errors import NoReplay, NotPublished
from matches.models import Match, MatchStatus, SeatLog
from matches.services import disputes as services
from replays.errors import ReplayStoreError
from tournaments import queries as tournaments
from web.downloads import text_download
from web.forms import DisputeForm, MatchFilters, RulingForm
from web.player.frames import Film
from web.player.reading import film_of, player_names, remarks_in
from web.player.stage import Stage
from web.words import fault_clause, fault_name, fault_sentence, fault_where, match_end

_PAGE = 50


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Finished matches, newest first; what a filter cannot mean narrows nothing."""
    filters = MatchFilters(tournaments.tournaments(), request.GET)
    wanted = filters.wanted()
    page = Paginator(queries.match_list(wanted), _PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "matches",
        "filters": filters,
        "page": page,
        "of_bot": None if wanted.bot is None else bots.bot(wanted.bot),
        "of_version": None if wanted.version is None else bots.version(wanted.version),
    }
    return render(request, "web/matches.html", context)


@require_safe
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """A match: who won and why, every deal where it may be shown, the viewer's own logs."""
    return shown(request, found(match_id))


def shown(
    request: HttpRequest,
    match: Match,
    *,
    dispute: DisputeForm | None = None,
    ruling: RulingForm | None = None,
) -> HttpResponse:
    """The page of a match, with a form that came back where there is one."""
    players = player_names(match)
    film, why_not = _film(match)
    logs = queries.seat_logs(match, viewer(request))
    user = request.user
    disputes = queries.disputes(match, user)
    waiting = any(each.ruling_id is None for each in disputes)
    staff = user.is_authenticated and user.is_staff
    may_dispute = user.is_authenticated and not waiting and services.may_dispute(match, user)
    context = {
        "section": "matches",
        "match": match,
        "canonical": request.build_absolute_uri(reverse("web:match", args=[match.pk])),
        "twin": queries.mirror(match),
        "ending": _ending(match),
        "faults": [
            {
                "player": players[fault["seat"]],
                "name": fault_name(fault["name"]),
                "where": fault_where(fault),
                "sentence": fault_sentence(fault),
                "clause": fault_clause(fault),
            }
            for fault in match.faults
        ],
        "logs": [{"row": log, "player": players[log.seat]} for log in logs],
        **_stage(request, match.pk, film, logs),
        "why_no_replay": why_not,
        "keys_url": reverse("web:keys"),
        "trail": queries.trail(match),
        "disputes": disputes,
        "dispute_form": (dispute or DisputeForm()) if may_dispute else None,
        "ruling_form": (ruling or RulingForm()) if staff and match.finished_at else None,
    }
    failed = any(form is not None and form.is_bound for form in (dispute, ruling))
    answer = render(request, "web/match.html", context, status=400 if failed else 200)
    if logs:
        answer["Cache-Control"] = "private, no-store"
    return answer


@require_safe
def seat_log(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """What a bot wrote on stderr, whole; for its owner and the staff, to others it is not there."""
    match = found(match_id)
    for log in queries.seat_logs(match, viewer(request)):
        if log.seat == seat:
            return text_download(log.stderr, f"{match.public_id}-seat{seat}-stderr.txt")
    raise Http404


def viewer(request: HttpRequest) -> Viewer:
    """Who asks; the middleware of accounts has put a user there."""
    return request.user


def found(match_id: int) -> Match:
    """The match, or a 404."""
    match = queries.match(match_id)
    if match is None:
        raise Http404
    return match


def _ending(match: Match) -> str:
    if match.status == MatchStatus.FINISHED:
        return match_end(match.reason, match.winner)
    if match.status == MatchStatus.VOID:
        return gettext("Declared void by the organisers: it counts in no total.")
    if match.status == MatchStatus.CANCELLED:
        return gettext("Cancelled: one of the bots has a newer version.")
    if queries.is_being_played(match):
        return gettext("At the table now, or next.")
    return gettext("Waits for a worker.")


def _film(match: Match) -> tuple[Film | None, str]:
    """The positions of the match, or none and why."""
    try:
        return film_of(match), ""
    except NoReplay:
        return None, ""
    except NotPublished:
        return None, gettext(
            "It appears as soon as the other match of the pair, played with the same decks, "
            "is over."
        )
    except ReplayStoreError:
        return None, gettext("The file cannot be read at the moment. The organisers can see why.")


def _stage(
    request: HttpRequest, match_id: int, film: Film | None, logs: list[SeatLog]
) -> dict[str, object]:
    """What the player shows; nothing where no card was dealt."""
    if film is None:
        return {}
    if not film.row:
        return {"has_replay": True}
    stage = Stage(film, reverse("web:match", args=[match_id]), request)
    return {
        "has_replay": True,
        "stage": stage,
        "remarked_seats": [log.seat for log in logs],
        "remarks": stage.remarks(remarks_in(film, logs)),
    }
