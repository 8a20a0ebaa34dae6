"""For the staff: what the workers found at their start, and whether the platform is whole."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches import queries
from matches.queries import workers

_PARKED = 50


@never_cache
@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Nothing is probed here: the web process has no sandbox and no engine."""
    if not (request.user.is_authenticated and request.user.is_staff):
        raise PermissionDenied
    context = {
        "section": "doctor",
        "platform": queries.platform_findings(),
        "workers": workers.worker_health(),
        "parked": queries.parked(_PARKED),
    }
    return render(request, "web/doctor.html", context)
