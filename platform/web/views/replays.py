"""The download of a replay."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from matches import queries
from matches.errors import NoReplay, NotPublished
from matches.models import Match
from replays import store
from replays.download import content_disposition, file_name
from replays.errors import ReplayStoreError


@require_safe
def download(request: HttpRequest, match_id: int) -> HttpResponse:
    """The replay file: JSON lines, or with `?gzip` as it is stored."""
    match = queries.match(match_id)
    if match is None:
        raise Http404
    compressed = "gzip" in request.GET
    try:
        name = queries.replay_name(match)
        data = store.load_compressed(name) if compressed else store.load(name)
    except (NoReplay, NotPublished, ReplayStoreError) as error:
        raise Http404 from error
    answer = HttpResponse(
        data, content_type="application/gzip" if compressed else "application/x-ndjson"
    )
    answer["Content-Disposition"] = content_disposition(_name(match, compressed=compressed))
    answer["Cache-Control"] = "public, max-age=3600"
    return answer


def _name(match: Match, *, compressed: bool) -> str:
    bots = (match.seat0.bot.name, match.seat1.bot.name)
    return file_name(match.public_id, bots, compressed=compressed)
