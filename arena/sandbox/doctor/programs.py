"""Versions and places of what boxes are made of."""

import os
import sys
from collections.abc import Callable, Iterator

from arena.finding import Finding
from arena.sandbox import runtime
from arena.sandbox.bwrap import find_bwrap, version_of
from arena.sandbox.errors import BoxError
from arena.sandbox.remedies import what_and_remedy


def findings() -> Iterator[Finding]:
    """Our Python, its copy for bots, bubblewrap; the engine's are found by its probe."""
    yield Finding("Python", True, f"{runtime.version()} at {sys.executable}")
    yield _or_what_is_missing(
        "runtime", lambda: f"the copy that bots run on is at {runtime.ready().root}"
    )
    yield _or_what_is_missing("bubblewrap: program", _bwrap)


def _bwrap() -> str:
    program = find_bwrap()
    return f"{'.'.join(map(str, version_of(program)))} at {os.path.realpath(program)}"


def _or_what_is_missing(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, look())
    except (BoxError, OSError) as error:
        return Finding(name, False, *what_and_remedy(str(error)))
