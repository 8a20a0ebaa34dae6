"""The download of a whole tournament."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from replays.download import content_disposition
from tournaments import archive, queries
from tournaments.models import TournamentStatus


@require_safe
def download(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The archive of a tournament that has begun, sent as it is read."""
    tournament = queries.tournament(slug)
    if tournament is None or tournament.status == TournamentStatus.DRAFT:
        raise Http404
    answer: HttpResponseBase
    if request.method == "HEAD":
        answer = HttpResponse(content_type="application/x-tar")
    else:
        chunks = archive.chunks(archive.prepare(tournament))
        # Under ASGI Django would put the chunks of an ordinary iterator together first.
        answer = StreamingHttpResponse(
            _one_by_one(chunks) if isinstance(request, ASGIRequest) else chunks,
            content_type="application/x-tar",
        )
    answer["Content-Disposition"] = content_disposition(f"santase-{tournament.slug}.tar")
    answer["Cache-Control"] = "no-store"
    return answer


async def _one_by_one(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        yield chunk
