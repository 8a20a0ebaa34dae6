"""Bots: all of them, one's own, one with its versions, and the owner's log of a version."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page, require_POST, require_safe

from arena.pairing import FAULTS_IN_A_ROW
from bots import pausing, queries
from bots.errors import MayNotResume, NotPaused
from bots.models import Bot
from matches import queries as played
from matches.queries import MatchFilter
from tournaments import queries as tournaments
from web.downloads import text_download
from web.words import fault_sentence, fault_where

_PAGE = 50
_VERSIONS = 20
_MATCHES = 10


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """All bots, newest first."""
    page = Paginator(queries.all_bots(), _PAGE).get_page(request.GET.get("page"))
    return render(request, "web/bots.html", {"section": "bots", "page": page})


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The viewer's own bots."""
    assert request.user.is_authenticated
    context = {
        "section": "mine",
        "bots": queries.own_bots(request.user),
        "protocol_url": reverse("web:protocol"),
    }
    return render(request, "web/my_bots.html", context)


@require_safe
def page(request: HttpRequest, bot_id: int) -> HttpResponse:
    """A bot: its versions, tournaments and newest matches."""
    return render(request, "web/bot.html", {"section": "bots", **_now(request, bot_id)})


@require_safe
@conditional_page
def live(request: HttpRequest, bot_id: int) -> HttpResponse:
    """The part of a bot's page that changes by itself."""
    return render(request, "web/bot_live.html", _now(request, bot_id))


@login_required
@require_POST
def resume(request: HttpRequest, bot_id: int, number: int) -> HttpResponse:
    """The owner, or the staff, lets a paused version play again; asked twice, it plays."""
    assert request.user.is_authenticated
    version = queries.versions(_found(bot_id)).filter(number=number).first()
    if version is None:
        raise Http404
    try:
        pausing.resume(version, request.user)
        messages.success(request, gettext("Version %(number)s plays again.") % {"number": number})
    except NotPaused as error:
        messages.info(request, error.message)
    except MayNotResume as error:
        raise PermissionDenied from error
    return redirect("web:bot", bot_id)


@require_safe
def version_log(request: HttpRequest, bot_id: int, number: int) -> HttpResponse:
    """What a version wrote on stderr in its first match, whole; for its owner and the staff."""
    version = queries.versions(_found(bot_id)).filter(number=number).first()
    log = None if version is None else queries.version_log(version, request.user)
    if log is None:
        raise Http404
    return text_download(log.stderr, f"bot{bot_id}-v{number}-stderr.txt")


def _found(bot_id: int) -> Bot:
    bot = queries.bot(bot_id)
    if bot is None:
        raise Http404
    return bot


def _now(request: HttpRequest, bot_id: int) -> dict[str, Any]:
    bot = _found(bot_id)
    versions = Paginator(queries.versions(bot), _VERSIONS).get_page(request.GET.get("page"))
    judged = next((version for version in versions if version.validated_at), None)
    log = None if judged is None else queries.version_log(judged, request.user)
    log_url = "" if judged is None else reverse("web:version_log", args=[bot_id, judged.number])
    fault = None if log is None else log.fault
    return {
        "bot": bot,
        "owns": bot.owner_id == request.user.pk,
        "may_see_logs": queries.may_see_logs(bot, request.user),
        "page": versions,
        "paused": [version for version in versions if version.paused_at],
        "in_a_row": FAULTS_IN_A_ROW,
        "log": log,
        "log_of": judged,
        "log_url": log_url,
        "fault": None if fault is None else [fault_where(fault), fault_sentence(fault)],
        "entries": tournaments.entered_by(bot),
        "matches": played.match_list(MatchFilter(bot=bot.pk))[:_MATCHES],
    }
