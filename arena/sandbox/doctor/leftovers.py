"""What workers that were killed have left; the next worker clears it."""

from arena.finding import Finding
from arena.sandbox.clearing import Leftover, leftovers

_CLEARED = (
    "Nothing has to be done: the next box of the same back-end clears it, or a worker within a "
    "minute. What is there again each time does not end, or is another worker's that can't be seen "
    "from here: look at it by hand."
)


def findings() -> tuple[Finding, ...]:
    """One finding: what belongs to no living worker, whichever back-end it was of."""
    left = [_words(leftover) for leftover in leftovers().left]
    return (
        Finding(
            "leftovers",
            True,
            "; ".join(left) if left else "none of earlier workers",
            _CLEARED if left else "",
        ),
    )


def _words(leftover: Leftover) -> str:
    match leftover.kind:
        case "process":
            return f"process {leftover.name} of a box, {leftover.note}"
        case "folder":
            return f"folder of the dead worker {leftover.name}"
        case "container":
            return f"container {leftover.name[:12]}"
        case _:
            return f"{leftover.kind} {leftover.name}"
