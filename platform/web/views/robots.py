"""What search engines and other crawlers are asked to leave out."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_ROBOTS: Final = """\
# A match has a page of its own for each of its hundreds of positions; the match itself is enough.
User-agent: *
Disallow: /*?at=
Disallow: /*/frames/
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """The robots.txt of the site."""
    return HttpResponse(_ROBOTS, "text/plain; charset=utf-8")
