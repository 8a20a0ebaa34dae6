"""One box of the `docker` back-end: brought up and removed by threads, ended by its pid."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.sandbox import janitor
from arena.sandbox.base import ExitReport
from arena.sandbox.cgroup import Account
from arena.sandbox.engine import Conflict, Engine, State
from arena.sandbox.errors import BoxError
from arena.sandbox.launched import LaunchedBox
from arena.sandbox.process import (
    KILL_S,
    signal_name,
    wait_readable,
)
from arena.sandbox.slots import Slot
from arena.sandbox.streams import Attached, Fifos

_REMOVALS = 5
"""How often a removal is tried before it is left to the janitor."""
_ANSWERS_S = 0.85
"""How long all answers on a bot's end may take, so that `stop` stays within its second."""
_NOT_SHARED = ("bind source path does not exist", "bind mount source path")


class NoFifos(BoxError):
    """The container runs, but nothing comes through its FIFOs, or it can't see their folder."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask the engine for: a container for box `name` of `owner`."""

    name: str
    owner: janitor.Owner
    options: Mapping[str, Any]
    host: Mapping[str, Any]


class DockerBox(LaunchedBox):
    """A bot as the first process of a container."""

    def __init__(
        self, plan: Plan, slot: Slot | None, ends: Fifos | Attached, orders: bytes
    ) -> None:
        self._plan = plan
        self._slot = slot
        self._ends = ends
        self._container = ""
        self._state: State | None = None
        self._account: Account | None = None
        self._failure: BoxError | None = None
        self._unwanted = False
        self._began_s = time.time()
        self._unproved = -1
        """A pidfd by the engine's word alone: to be waited on, never to be signalled."""
        super().__init__(ends, orders)
        self._starter = threading.Thread(target=self._bring_up, name=f"santase-start-{plan.name}")
        self._starter.start()

    def _bring_up(self) -> None:
        """Runs in a thread: what it finds is looked at once it has ended."""
        try:
            with Engine() as engine:
                janitor.sweep_if_due(engine)
                if self._unwanted:
                    return
                self._container = self._create(engine)
                if isinstance(self._ends, Attached):
                    self._ends.connect(engine.attach(self._container))
                if not self._unwanted:
                    engine.start(self._container)
                    self._state = engine.state(self._container)
        except BoxError as error:
            unseen = any(words in str(error) for words in _NOT_SHARED)
            self._failure = NoFifos(str(error)) if unseen else error

    def _create(self, engine: Engine) -> str:
        try:
            return engine.create(f"santase-{self._plan.name}", self._plan.options, self._plan.host)
        except Conflict:  # someone's container has the name: leave it alone, do without
            return engine.create("", self._plan.options, self._plan.host)

    def _wait_started(self, deadline_s: float) -> None:
        self._starter.join(max(0.0, deadline_s - time.monotonic()))
        if self._failure is not None:
            raise self._failure
        if self._state is None:
            raise BoxError("the engine has not started the box in time")
        if self._unproved >= 0:
            return
        if not self._state.running:
            raise BoxError(_why_it_ended(self._state))
        try:
            self._unproved = os.pidfd_open(self._state.pid)
        except OSError as error:
            raise BoxError(_OTHER_PIDS) from error

    def _find_bot(self, deadline_s: float) -> int:
        """The pid that the engine names, once it is shown to be the box's and no one else's."""
        if isinstance(self._ends, Fifos):
            self._ends.opened()
        pid = self._state.pid if self._state else 0
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError as error:
            raise BoxError(_OTHER_PIDS) from error
        if self._plan.name.encode() not in arguments.split(b"\0"):
            raise BoxError(_OTHER_PIDS)
        self._pidfd, self._unproved = self._unproved, -1
        self._account = Account(pid)
        return pid

    def _gone(self) -> tuple[int, ...]:
        return (self._unproved,)

    def _not_up(self, words: str) -> BoxError:
        if words or not isinstance(self._ends, Fifos):
            return super()._not_up(words)
        return NoFifos("the container has started, but is not heard through its FIFOs")

    @property
    def pidfd(self) -> int:
        """Readable once that process has ended, and what it said has come through."""
        proved = super().pidfd
        return self._ends.ended if isinstance(self._ends, Attached) else proved

    def freeze(self) -> None:
        """Stops the bot where it stands; harmless when it is gone, or not ours to stop."""
        with contextlib.suppress(PermissionError):
            super().freeze()

    def thaw(self) -> None:
        """Lets a frozen bot go on; harmless when it is gone, or not ours to stop."""
        with contextlib.suppress(PermissionError):
            super().thaw()

    def _end(self, why: str) -> ExitReport:
        self._unwanted = True
        began_s = time.monotonic()
        if self._unproved >= 0:
            os.close(self._unproved)
        if self._pidfd < 0:  # never waited for: there may be a container, but no bot
            self._hand_to_remover()
            return ExitReport(why, None, None, False, True, None, None, 0)
        account, peak_mb = self._account, self._peak_mb()
        cpu_ns = self.cpu_ns() if self._loaded else None
        if self._loaded and cpu_ns is None and account is not None:
            cpu_ns = account.cpu_ns()
        oom = account is not None and account.was_out_of_memory()
        sent = self._kill_bot()
        gone = bool(wait_readable((self._pidfd,), time.monotonic() + KILL_S / 2))
        deadline_s = began_s + _ANSWERS_S
        state = None if sent else self._state_at_end(deadline_s)
        code, name = _normalised(state)
        oom = not sent and (oom or (state is not None and state.oom))
        if gone and self._slot:
            self._slot.release()
        self._hand_to_remover()
        return ExitReport(
            why,
            code,
            name,
            oom=oom,
            killed=sent,
            cpu_ns=cpu_ns if cpu_ns is not None else self._last_cpu_ns,
            peak_mb=peak_mb,
            survivors=0 if gone else 1,
            host_fault="" if sent or oom else self._fault_of_the_host(state, deadline_s),
        )

    def _fault_of_the_host(self, state: State | None, deadline_s: float) -> str:
        """What ended a bot that neither we nor the kernel nor itself has ended.

        Asked of the engine, not read from the exit code: a bot may choose that.
        """
        if state is None or state.running:
            return "the container engine did not tell how the bot ended"
        if _normalised(state) == (None, "SIGKILL"):  # or the bot has exited with 137
            with contextlib.suppress(BoxError), Engine(_left(deadline_s)) as engine:
                if engine.was_told_to_kill(self._container, self._began_s):
                    return "the bot's container was killed from outside"
        return ""

    def _kill_bot(self) -> bool:
        try:
            return super()._kill_bot()
        except PermissionError:  # the engine maps user ids: only it may
            with contextlib.suppress(BoxError), Engine(KILL_S / 2) as engine:
                engine.kill(self._container)
            return True

    def _state_at_end(self, deadline_s: float) -> State | None:
        """What the engine says of a bot that ended by itself."""
        with contextlib.suppress(BoxError), Engine(_left(deadline_s)) as engine:
            return engine.wait(self._container)
        return None

    def _hand_to_remover(self) -> None:
        if threading.main_thread().is_alive():
            threading.Thread(target=self._remove, name=f"santase-remove-{self._plan.name}").start()
        else:  # the process is on its way out, and waits for no more threads
            self._remove()

    def _remove(self) -> None:
        """Runs in a thread, which a process that ends waits for; the janitor is behind it."""
        self._starter.join()
        for attempt in range(_REMOVALS):
            time.sleep(0.2 * attempt)
            with contextlib.suppress(BoxError), Engine() as engine:
                if self._container:
                    engine.remove(self._container)
                break
        if self._slot:
            self._slot.release()
        self._plan.owner.live.discard(self._plan.name)


_OTHER_PIDS = (
    "the bot's process is not to be seen from here, so it can't be measured or stopped. "
    "A worker in a container needs pid: host; an engine on another machine can't be used."
)


def _why_it_ended(state: State) -> str:
    said = f": {state.error}" if state.error else ""
    return f"the container ended at once with exit code {state.exit_code}{said}"


def _left(deadline_s: float) -> float:
    return max(0.05, deadline_s - time.monotonic())


def _normalised(state: State | None) -> tuple[int | None, str | None]:
    """What the engine's exit says of the bot: a signal is told as 128 plus its number."""
    if state is None or state.running:
        return None, None
    if 128 < state.exit_code <= 128 + signal.NSIG:
        return None, signal_name(state.exit_code - 128)
    return state.exit_code, None
