"""The steps and jumps from a position to others, and the buttons for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from replays.positions import Position

_JUMPS: Final = {
    "first": (
        pgettext_lazy("button of the player", "start"),
        gettext_lazy("start of the match"),
        "M5 5v14M19 5l-6 7 6 7M13 5l-6 7 6 7",
    ),
    "deal-back": (
        pgettext_lazy("button of the player", "deal"),
        gettext_lazy("one deal back"),
        "M7 5v14M17 5l-7 7 7 7",
    ),
    "trick-back": (
        pgettext_lazy("button of the player", "trick"),
        gettext_lazy("one trick back"),
        "M18 5l-6 7 6 7M11 5l-6 7 6 7",
    ),
    "back": (
        pgettext_lazy("button of the player", "back"),
        gettext_lazy("one action back"),
        "M15 4l-8 8 8 8",
    ),
    "on": (
        pgettext_lazy("button of the player", "on"),
        gettext_lazy("one action on"),
        "M9 4l8 8-8 8",
    ),
    "trick-on": (
        pgettext_lazy("button of the player", "trick"),
        gettext_lazy("one trick on"),
        "M6 5l6 7-6 7M13 5l6 7-6 7",
    ),
    "deal-on": (
        pgettext_lazy("button of the player", "deal"),
        gettext_lazy("one deal on"),
        "M17 5v14M7 5l7 7-7 7",
    ),
    "last": (
        pgettext_lazy("button of the player", "end"),
        gettext_lazy("end of the match"),
        "M19 5v14M5 5l6 7-6 7M11 5l6 7-6 7",
    ),
}
"""The jumps: what is printed, what it means, how it is drawn."""


@dataclass(frozen=True, slots=True)
class Jump:
    """A way to another position; no address where there is none in this direction.

    `word` is printed, `label` says it in full, `path` draws its sign (a box of 24 by 24).
    """

    name: str
    word: str
    label: str
    path: str
    at: int | None
    address: str


Way = tuple[str, int | None]
"""The name of a jump and where it leads, None where there is nothing in this direction."""


def backward(row: Sequence[Position], at: int) -> list[Way]:
    """The jumps back from position `at`, the farthest first."""
    before = row[:at]
    return [
        ("first", 0 if before else None),
        ("deal-back", _last(each for each in before if each.opens)),
        ("trick-back", _last(each for each in before if each.is_stop)),
        ("back", _last(before)),
    ]


def forward(row: Sequence[Position], at: int) -> list[Way]:
    """The jumps on from position `at`, the nearest first."""
    after = row[at + 1 :]
    return [
        ("on", _first(after)),
        ("trick-on", _first(each for each in after if each.is_stop)),
        ("deal-on", _first(each for each in after if each.opens)),
        ("last", row[-1].at if after else None),
    ]


def jump(name: str, at: int | None, address: str) -> Jump:
    """The button for a way."""
    word, label, path = _JUMPS[name]
    return Jump(name, str(word), str(label), path, at, address)


def _first(found: Iterable[Position]) -> int | None:
    return next((position.at for position in found), None)


def _last(found: Iterable[Position]) -> int | None:
    return max((position.at for position in found), default=None)
