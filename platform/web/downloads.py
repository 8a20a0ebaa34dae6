"""Answers that are files."""

from django.http import HttpResponse

from replays.download import content_disposition


def text_download(text: str, name: str) -> HttpResponse:
    """A text that bots may have written: never shown as anything but a plain file."""
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = content_disposition(name)
    answer["Cache-Control"] = "private, no-store"
    return answer
