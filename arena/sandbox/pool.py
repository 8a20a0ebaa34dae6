"""Boxes started ahead of their match, so that a bot's start costs no interpreter start.

A box serves one bot in one match. `fill` is called by the worker between and during matches; there
is no thread behind it, because the kernel ends a box with the thread that started it.
"""

import os
from collections import deque
from types import TracebackType

from arena.sandbox.base import Box, BoxLimits, Sandbox
from arena.sandbox.errors import BoxError


class Pool:
    """Up to `size` boxes of one kind on their way up, all on `core` (None: any)."""

    def __init__(self, sandbox: Sandbox, limits: BoxLimits, core: int | None, size: int) -> None:
        self.sandbox = sandbox
        self.limits = limits
        self.core = core
        self._size = size
        self._boxes: deque[Box] = deque()
        self._owner = os.getpid()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def fill(self) -> None:
        """Starts what is missing, without waiting for it; raises BoxError."""
        self._forget_a_parents()
        while len(self._boxes) < self._size:
            self._boxes.append(self.sandbox.start(self.limits, self.core))

    def take(self) -> Box:
        """A box that is ready, now the caller's to load and stop; raises BoxError.

        A waiting box that has failed is thrown away; one that fails when started for this call is
        the host's fault.
        """
        self._forget_a_parents()
        while self._boxes:
            box = self._boxes.popleft()
            try:
                box.wait_ready()
            except BoxError:
                box.stop("did not come up")
            else:
                return box
        box = self.sandbox.start(self.limits, self.core)
        try:
            box.wait_ready()
        except BoxError:
            box.stop("did not come up")
            raise
        return box

    def close(self) -> None:
        """Stops what is waiting; the boxes that were taken are their takers'."""
        self._forget_a_parents()
        while self._boxes:
            self._boxes.popleft().stop("pool closed")

    def _forget_a_parents(self) -> None:
        """After a fork the boxes are the parent's: this process can neither use nor reap them."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            self._boxes.clear()
