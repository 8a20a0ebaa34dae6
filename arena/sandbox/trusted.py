"""The bare process behind `santase play --trusted`: for an author's own bots, on their own machine.

No wall stands here. It has the same `Box` as the others, so that the referee need not know.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from arena.finding import Finding
from arena.sandbox import runtime
from arena.sandbox.base import BotFiles, BoxLimits, ExitReport
from arena.sandbox.errors import BoxError
from arena.sandbox.process import (
    KILL_S,
    PipedBox,
    Pipes,
    has_ended,
    on_core,
    peak_rss_mb,
    process_cpu_ns,
    signal_pidfd,
    wait_readable,
)
from arena.sandbox.reaping import reap

# The kernel is asked in the child itself, before the command: nothing else reaches it there safely.
_WITH_PARENT = (
    "import ctypes,os,sys;ctypes.CDLL(None).prctl(1,9,0,0,0);os.execvp(sys.argv[1],sys.argv[1:])"
)
_RUN_FILE = (
    "import runpy,sys;file=sys.argv[1];sys.path.extend(sys.argv[2:]);sys.argv=[file];"
    "runpy.run_path(file,run_name='__main__')"
)


class TrustedSandbox(runtime.RunsThisPython):
    """Runs `command` as it is, in `folder`; use `trusted` and `trusted_file`."""

    kind = "trusted"

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        self._command = tuple(command)
        self._folder = folder

    def probe(self) -> tuple[Finding, ...]:
        """Says that there is no wall."""
        return (
            Finding(
                "walls",
                False,
                "a trusted bot runs with all that you may do",
                "use it for your own bots only",
            ),
        )

    def start(self, limits: BoxLimits, core: int | None) -> "TrustedBox":
        """Starts the command; `limits` are not enforced here. Raises BoxError."""
        pipes = Pipes()
        try:
            with on_core(core):
                child = subprocess.Popen(
                    [sys.executable, "-IS", "-c", _WITH_PARENT, *self._command],
                    stdin=pipes.theirs[0],
                    stdout=pipes.theirs[1],
                    stderr=pipes.theirs[2],
                    env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"},
                    cwd=self._folder,
                    start_new_session=True,
                )
        except OSError as error:
            pipes.close_ours()
            raise BoxError(f"{self._command[0]} could not be started: {error}") from error
        finally:
            pipes.close_theirs()
        return TrustedBox(child, pipes)


def trusted(*command: str, folder: Path | None = None) -> TrustedSandbox:
    """A bare process of `command`, started in `folder`. No isolation."""
    return TrustedSandbox(command, folder)


def trusted_file(file: Path, beside: Sequence[Path] = ()) -> TrustedSandbox:
    """`python -P FILE` in its folder, which stands behind the standard library, as `beside` do."""
    file = file.absolute()
    folders = [str(file.parent), *(str(path.absolute()) for path in beside)]
    command = [sys.executable, "-P", "-c", _RUN_FILE, str(file), *folders]
    return TrustedSandbox(command, file.parent)


class TrustedBox(PipedBox):
    """A bare child in a process group of its own, which is killed as a group."""

    def __init__(self, child: "subprocess.Popen[bytes]", pipes: Pipes) -> None:
        self._child = child
        super().__init__(pipes)
        self.pid = child.pid
        self.pidfd = os.pidfd_open(child.pid)
        self._cpu_at_load_ns = 0

    def wait_ready(self) -> None:
        """There is nothing to wait for."""

    def load(self, files: BotFiles) -> None:
        """Writes nothing: the command reads its own files."""
        self._cpu_at_load_ns = process_cpu_ns(self.pid) or 0

    def cpu_ns(self) -> int | None:
        """CPU time since `load` of the command's own process, without its children."""
        if self._report is not None:
            return None
        clock_ns = process_cpu_ns(self.pid)
        return None if clock_ns is None else clock_ns - self._cpu_at_load_ns

    def freeze(self) -> None:
        """Stops the command where it stands; harmless when it is gone."""
        if self._report is None:
            signal_pidfd(self.pidfd, signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on; harmless when it is gone or was not frozen."""
        if self._report is None:
            signal_pidfd(self.pidfd, signal.SIGCONT)

    def stop(self, why: str) -> ExitReport:
        """Kills the whole group and clears up: idempotent, within a second, never raises."""
        if self._report is None:
            peak_mb = peak_rss_mb(self.pid)
            alive = not has_ended(self.pidfd)
            signal_pidfd(self.pidfd, signal.SIGKILL)
            wait_readable((self.pidfd,), time.monotonic() + KILL_S)
            cpu_ns = self.cpu_ns()
            ended = reap(self._child)
            self._report = ExitReport(
                why,
                ended.code,
                ended.signal,
                oom=False,
                killed=alive and ended.code is None,
                cpu_ns=cpu_ns,
                peak_mb=peak_mb or ended.peak_mb,
                survivors=0 if ended.gone else 1,
            )
            self._pipes.close_ours()
            os.close(self.pidfd)
        return self._report
