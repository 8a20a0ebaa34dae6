"""Sending in: a new bot, a new version of one's own bot."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from arena.protocol import Limits
from bots import queries, services
from bots.errors import BadName, NameTaken, UploadRefused
from bots.models import Bot, Version
from matches.queries import workers
from web.forms import BotForm, VersionForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: HttpRequest) -> HttpResponse:
    """A new bot with its first version."""
    assert request.user.is_authenticated
    form = BotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _is_open(form):
        file = form.cleaned_data["file"]
        try:
            version = services.enter_bot(
                request.user, form.cleaned_data["name"], file.name, file.read()
            )
        except (BadName, NameTaken) as error:
            form.add_error("name", error.message)
        except UploadRefused as error:
            form.add_error("file", error.message)
        else:
            return _received(request, version)
    return _page(request, form, None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: HttpRequest, bot_id: int) -> HttpResponse:
    """The next version of one's own bot."""
    bot = queries.bot(bot_id)
    if bot is None:
        raise Http404
    if bot.owner_id != request.user.pk:
        raise PermissionDenied
    form = VersionForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and _is_open(form):
        file = form.cleaned_data["file"]
        try:
            version = services.submit_version(bot, file.name, file.read())
        except UploadRefused as error:
            form.add_error("file", error.message)
        else:
            return _received(request, version)
    return _page(request, form, bot)


def _is_open(form: Form) -> bool:
    """Whether uploads are taken in now; what is refused is said beside the form."""
    if not workers.can_run_uploads().closed:
        return True
    form.add_error(
        None,
        gettext(
            "Uploads are closed: no sandbox holds here at the moment, so no bot could be run. "
            "Nothing was stored; send it in again when the notice above is gone."
        ),
    )
    return False


def _received(request: HttpRequest, version: Version) -> HttpResponse:
    messages.success(
        request,
        gettext("Version %(number)s has arrived. It plays its first match next.")
        % {"number": version.number},
    )
    return redirect("web:bot", version.bot_id)


def _page(request: HttpRequest, form: Form, bot: Bot | None) -> HttpResponse:
    context: dict[str, Any] = {
        "section": "mine",
        "form": form,
        "bot": bot,
        "limits": Limits(),
        "upload": {
            "py_kb": settings.UPLOAD_MAX_PY_KB,
            "zip_kb": settings.UPLOAD_MAX_ZIP_KB,
            "pythons": workers.runtime_pythons(),
        },
        "can_run": workers.can_run_uploads(),
        "protocol_url": reverse("web:protocol"),
    }
    return render(request, "web/submit.html", context)
