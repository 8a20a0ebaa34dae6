"""What workers that were killed have left; the next box of the same back-end clears it."""

import contextlib
from collections.abc import Iterator

from arena.finding import Finding
from arena.sandbox import janitor, slots
from arena.sandbox.engine import Engine
from arena.sandbox.errors import BoxError

_ANSWER_S = 5.0
_CLEARED = (
    "Nothing has to be done: the next box of the same back-end clears it. What is there again each "
    "time does not end, or is another worker's that can't be seen from here: look at it by hand."
)


def findings() -> tuple[Finding, ...]:
    """One finding: processes, containers and folders that belong to no living worker."""
    left = list(_left())
    return (
        Finding(
            "leftovers",
            True,
            "; ".join(left) if left else "none of earlier workers",
            _CLEARED if left else "",
        ),
    )


def _left() -> Iterator[str]:
    for pid, slot in slots.orphans():
        yield f"process {pid} of a box, uid {slot.uid}"
    dead: set[str] = set()
    with contextlib.suppress(BoxError):  # no home, no folders
        dead = set(janitor.dead_owners())
        yield from (f"folder of the dead worker {name}" for name in sorted(dead))
    with contextlib.suppress(BoxError), Engine(_ANSWER_S) as engine:  # no engine, no containers
        yield from (f"container {each[:12]}" for each in janitor.left_behind(engine, dead))
