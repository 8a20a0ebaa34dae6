"""Small tools on processes: pipes, pidfds, clocks, ends."""

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable, Iterator

from arena.sandbox.base import ExitReport
from arena.sandbox.errors import BoxError

KILL_S = 0.8
"""How long a killed process is waited for."""
OTHERS_MAY_START = 128
"""How many more processes the user of a worker that is not root may start while a bot runs."""


class Ends:
    """Our ends of a bot's three streams, none of them inheritable."""

    stdin: int
    stdout: int
    stderr: int

    def hang_up(self) -> None:
        """Closes our end of stdin; its number stays taken until `close_ours`."""
        null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        os.dup2(null, self.stdin, inheritable=False)
        os.close(null)

    def close_ours(self) -> None:
        """Closes our ends."""
        for fd in (self.stdin, self.stdout, self.stderr):
            os.close(fd)


class Pipes(Ends):
    """Three new pipes for a child's stdin, stdout and stderr."""

    def __init__(self) -> None:
        in_read, self.stdin = os.pipe()
        self.stdout, out_write = os.pipe()
        self.stderr, err_write = os.pipe()
        self.theirs = (in_read, out_write, err_write)

    def close_theirs(self) -> None:
        """Closes the child's ends here, once the child has them."""
        for fd in self.theirs:
            os.close(fd)


class PipedBox:
    """The part of a `Box` that is its three streams."""

    def __init__(self, pipes: Ends) -> None:
        self._pipes = pipes
        self._report: ExitReport | None = None

    @property
    def stdin(self) -> int:
        """Our end of the bot's stdin."""
        return self._pipes.stdin

    @property
    def stdout(self) -> int:
        """Our end of the bot's stdout."""
        return self._pipes.stdout

    @property
    def stderr(self) -> int:
        """Our end of the bot's stderr."""
        return self._pipes.stderr

    def hang_up(self) -> None:
        """Closes our end of the bot's stdin, so that it reads the end of file; harmless twice."""
        if self._report is None:
            self._pipes.hang_up()


def wait_readable(fds: tuple[int, ...], deadline_s: float) -> set[int]:
    """Those of `fds` that can be read (or have ended); empty past the deadline (monotonic)."""
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    left_s = max(0.0, deadline_s - time.monotonic())
    return {fd for fd, _ in poll.poll(left_s * 1000)}


def write_all(fd: int, data: bytes, deadline_s: float) -> None:
    """Writes all of `data` to a pipe by the deadline (monotonic); raises BoxError."""
    os.set_blocking(fd, False)
    rest = memoryview(data)
    poll = select.poll()
    poll.register(fd, select.POLLOUT)
    while rest:
        try:
            rest = rest[os.write(fd, rest) :]
        except BlockingIOError:
            left_s = deadline_s - time.monotonic()
            if left_s <= 0 or not poll.poll(left_s * 1000):
                raise BoxError("the box did not read what it was sent") from None
        except OSError as error:
            raise BoxError(f"the box is gone: {error.strerror}") from error
    os.set_blocking(fd, True)


def read_available(fd: int, most: int = 65_536) -> bytes:
    """What can be read at once from a pipe, for messages."""
    os.set_blocking(fd, False)
    try:
        return os.read(fd, most)
    except OSError:
        return b""


def process_cpu_ns(pid: int) -> int | None:
    """The CPU clock of a process, all threads, a zombie's too; None when it is gone.

    The number is the kernel's MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED); no privilege is needed.
    """
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return None


def peak_rss_mb(pid: int) -> int | None:
    """The largest resident size of a living process, in MB rounded up; None when it is gone."""
    try:
        with open(f"/proc/{pid}/status", "rb") as status:
            for line in status:
                if line.startswith(b"VmHWM:"):
                    return -(-int(line.split()[1]) // 1024)
    except (OSError, ValueError):
        pass
    return None


def children_of(pid: int) -> list[int]:
    """The children of a process with one thread; none when it is gone."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _facts(pid: int) -> list[bytes]:
    """/proc/PID/stat from the state on; nothing when the process is gone.

    As bytes: before it stands the process's name, which a bot can choose, no text perhaps.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def process_state(pid: int) -> str:
    """One letter: "R", "S", "T" when stopped, "Z" a zombie; "X" when it is gone."""
    return (_facts(pid) or [b"X"])[0].decode()


def parent_of(pid: int) -> int:
    """The pid of a process's parent; 0 when it is gone."""
    return int(([*_facts(pid), b"0", b"0"])[1])


def name_of(pid: int) -> str:
    """What a process calls itself, a zombie too; "" when it is gone."""
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:
            return file.read().rstrip(b"\n").decode(errors="replace")
    except OSError:
        return ""


def session_of(pid: int) -> int:
    """The session of a process; 0 when it is gone."""
    return int((_facts(pid) or [b"0"] * 4)[3])


def started_at(pid: int) -> int:
    """When a process started, in the kernel's ticks since boot; 0 when it is gone."""
    return int((_facts(pid) or [b"0"] * 20)[19])


def processes_of(uid: int) -> int:
    """How many threads a user has: what RLIMIT_NPROC counts where a bot has no uid of its own."""
    count = 0
    for entry in os.scandir("/proc"):
        try:
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                count += int((_facts(int(entry.name)) or [b"0"] * 18)[17])
        except OSError:
            continue  # it has ended meanwhile
    return count


def kill_pid(pid: int, still: Callable[[], bool]) -> bool:
    """Kills a process that is `still` the one that was meant, and waits for its end (KILL_S).

    False where it did not end in time, or may not be killed.
    """
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        if not still():  # asked with the pidfd in hand: the number may have become another's
            return True
        signal_pidfd(pidfd, signal.SIGKILL)
        return bool(wait_readable((pidfd,), time.monotonic() + KILL_S))
    except PermissionError:
        return False
    finally:
        os.close(pidfd)


def has_ended(pidfd: int) -> bool:
    """Whether the process behind a pidfd has ended."""
    return bool(wait_readable((pidfd,), 0.0))


def signal_pidfd(pidfd: int, number: signal.Signals) -> bool:
    """Sends a signal; False when the process is gone."""
    try:
        signal.pidfd_send_signal(pidfd, number)
    except ProcessLookupError:
        return False
    return True


def signal_name(number: int) -> str:
    """The name of a signal: "SIGSEGV" for 11; "SIG35" for one without a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Pins this thread to `core` meanwhile, so that what it starts is born there."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {core})
    except OSError as error:
        raise BoxError(f"core {core} can't be used: {error.strerror}") from error
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
