"""The seam of the sandbox: what every back-end gives and what the referee may count on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from arena.finding import Finding

BotFiles = Mapping[str, bytes]
"""A bot as it was uploaded: relative POSIX names to contents; `bot.py` is what runs."""


LEAST_MEMORY_MB = 32
"""Address space that an empty bot needs, in MB, with some room."""


@dataclass(frozen=True, slots=True)
class BoxLimits:
    """What one bot may use: address space in MB (a true total), threads beside the main one,
    and CPU seconds as a backstop behind the referee's clock (None: no backstop).
    """

    memory_mb: int = 256
    threads: int = 16
    cpu_s: int | None = None

    def __post_init__(self) -> None:
        if self.memory_mb < LEAST_MEMORY_MB:
            raise ValueError(f"memory_mb is {self.memory_mb}: Python alone needs {LEAST_MEMORY_MB}")


@dataclass(frozen=True, slots=True)
class ExitReport:
    """How a box ended.

    `code` is the exit code, `signal` the name of the signal that ended the bot ("SIGSEGV"); at most
    one of them is set, and neither where the end could not be seen. `killed`: it was our kill that
    ended it, so they say nothing of the bot. `oom`: a memory cgroup counted a kill. `cpu_ns` is the
    final CPU time since `load` (user and system, all threads), `peak_mb` the largest resident size
    where it could be read, `survivors` how many processes could not be made to go. `host_fault`
    says what of the host ended the bot, or hid its end: the match is void then.
    """

    why: str
    code: int | None
    signal: str | None
    oom: bool
    killed: bool
    cpu_ns: int | None
    peak_mb: int | None
    survivors: int
    host_fault: str = ""


class Box(Protocol):
    """One process for one bot in one match: started before the bot is known, used once."""

    @property
    def pid(self) -> int:
        """The bot's own process, as the host sees it."""
        ...

    @property
    def pidfd(self) -> int:
        """Readable once that process has ended."""
        ...

    @property
    def stdin(self) -> int:
        """Our end of the bot's stdin."""
        ...

    @property
    def stdout(self) -> int:
        """Our end of the bot's stdout."""
        ...

    @property
    def stderr(self) -> int:
        """Our end of the bot's stderr."""
        ...

    def wait_ready(self) -> None:
        """Returns once the walls are closed and the box waits for its files; raises BoxError."""
        ...

    def load(self, files: BotFiles) -> None:
        """Hands the bot in, once; after it the bot runs. Raises BoxError or BadBotFiles."""
        ...

    def hang_up(self) -> None:
        """Closes our end of the bot's stdin, so that it reads the end of file; harmless twice."""
        ...

    def cpu_ns(self) -> int | None:
        """CPU time since `load`, user and system, all threads; None once it can't be read."""
        ...

    def freeze(self) -> None:
        """Stops the bot where it stands; harmless when it is gone."""
        ...

    def thaw(self) -> None:
        """Lets a frozen bot go on; harmless when it is gone or was not frozen."""
        ...

    def stop(self, why: str) -> ExitReport:
        """Ends the bot and clears up: idempotent, within a second, never raises."""
        ...


class Sandbox(Protocol):
    """A way to run strangers' code on this machine."""

    @property
    def kind(self) -> str:
        """The back-end's name: "docker", "bubblewrap", "landlock" or "trusted"."""
        ...

    @property
    def image(self) -> str:
        """What bots run on, for the replay header: "cpython-3.11.7", or an image and its digest."""
        ...

    @property
    def python(self) -> str:
        """The version that `hello` tells the bot: "3.11.7"."""
        ...

    def probe(self) -> tuple[Finding, ...]:
        """Runs a bot that tries the walls; each finding names a wall and whether it holds."""
        ...

    def start(self, limits: BoxLimits, core: int | None) -> Box:
        """A box on `core` (None: any), on its way up; `wait_ready` or `load` waits for it.

        The kernel ends a box together with the thread that started it, so a thread that starts
        boxes must outlive them. Raises BoxError.
        """
        ...
