"""Geometry of what is drawn: intervals on a scale common to a table."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 200
"""Length of the scale in units of the drawing."""

_MARGIN = 6
_MARK = 4
"""Width of the mark that stands for the rating."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Where an interval begins and ends on the scale, and where its mark stands (left edge)."""

    left: int
    right: int
    point: int


def place_between(value: float, low: float, high: float) -> int:
    """Where the mark of a value stands (left edge) on a scale from `low` to `high`; at its ends
    where the value is beyond them.
    """
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return round(share * (WIDTH - _MARK))


def intervals(values: Sequence[tuple[float, float]]) -> list[Interval]:
    """Values with their half-widths, drawn on one scale that just holds them all."""
    if not values:
        return []
    low = min(value - error for value, error in values)
    high = max(value + error for value, error in values)
    unit = (WIDTH - 2 * _MARGIN) / ((high - low) or 1.0)

    def place(value: float) -> int:
        return round(_MARGIN + (value - low) * unit)

    return [
        Interval(place(value - error), place(value + error), place(value) - _MARK // 2)
        for value, error in values
    ]
