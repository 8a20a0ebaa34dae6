"""What a bot said about its moves, to its owner alone: notes and stderr, by request."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from matches.models import SeatLog

BEFORE_THE_CARDS = 0
"""Stands for a request's number where the bot had not been asked anything yet."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What belongs to one request: the note in the reply, and what stderr got until the next."""

    note: str = ""
    stderr: str = ""


def remarks(log: SeatLog, requests: Sequence[int]) -> dict[int, Remark]:
    """By the number of the request; requests without a word are left out.

    `requests` are those of the seat, in order: text that was there before one of them was written
    after the one before it.
    """
    notes = dict(log.notes)
    written = _written(log, requests)
    return {
        request: Remark(notes.get(request, ""), written.get(request, ""))
        for request in sorted({*notes, *written})
    }


def _written(log: SeatLog, requests: Sequence[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    begin = 0
    for request, end in [*log.marks, (inf, len(log.stderr))]:
        if text := log.stderr[begin:end]:
            place = bisect_left(requests, request)
            found[requests[place - 1] if place else BEFORE_THE_CARDS] = text
        begin = end
    return found
