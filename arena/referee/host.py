"""A place where matches are played: one process bound to one core, with boxes started beforehand.

The command line's workers and the platform's workers play through here, so that both have the same
referee, sandbox and limits.
"""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arena.referee.errors import HostFault
from arena.referee.record import MatchRecord, MatchSpec
from arena.referee.referee import play_match
from arena.sandbox import Box, BoxError, Sandbox

BOXES_AHEAD = 4
"""Boxes started beforehand on a core: those of the next two matches."""

MAX_VOIDS = 3
"""How often one match is played again from the same seed before it is left to a person."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played, and how often the host had to begin it anew."""

    record: MatchRecord
    voids: int


class BoxSource(Protocol):
    """Where a host gets its boxes from: a `Pool`, say."""

    def take(self) -> Box:
        """A box that is ready for its bot; raises `BoxError`."""
        ...

    def fill(self) -> None:
        """Starts boxes ahead, without waiting for them."""
        ...


class Host:
    """Plays matches one after the other, seat by seat in boxes of `sources`."""

    def __init__(
        self, sandbox: Sandbox, sources: tuple[BoxSource, BoxSource], core: int | None
    ) -> None:
        """`core` is the one that the boxes run on; this process is bound to it as well."""
        self._sandbox = sandbox
        self.sources = sources
        self._core = core
        if core is not None:
            os.sched_setaffinity(0, {core})

    def play(self, spec: MatchSpec, on_progress: Callable[[], None] = lambda: None) -> Played:
        """Plays `spec`, again from the same seed where the host failed (R14.3).

        Raises `HostFault` when the host has failed more than three times.
        """
        voids = 0
        while True:
            try:
                boxes = self._boxes()
                record = play_match(spec, boxes, self._sandbox, self._core, on_progress)
            except HostFault as fault:
                voids += 1
                if voids > MAX_VOIDS:
                    raise HostFault(
                        f"void {voids} times, the last time because {fault}", voids
                    ) from fault
            else:
                return Played(record, voids)

    def _boxes(self) -> tuple[Box, Box]:
        try:
            first = self.sources[0].take()
            try:
                second = self.sources[1].take()
                for source in self.sources:  # the next match's boxes start while this one runs
                    source.fill()
            except BaseException:
                first.stop("the other box did not start")
                raise
        except BoxError as error:
            raise HostFault(str(error)) from error
        return first, second


def cores() -> list[int]:
    """The cores that this process may use, in order; one match runs on each."""
    with contextlib.suppress(AttributeError, OSError):  # no such call outside Linux
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
