"""The `docker` back-end: a container a bot, around the inner wall.

    worker ── engine (by its socket) ── containerd's shim ── Python, pid 1 of the container: the bot

The container has no network, no capability, a read-only root, an own seccomp profile, limits for
memory and processes, and the uid of a box. The engine is slow to answer, so a thread of the box's
own brings it up while others play, and another removes it; what a bot does is seen and stopped by
its pid, past the engine.
"""

import os
import threading
from dataclasses import replace
from typing import Any

from arena.finding import Finding
from arena.sandbox import belt, janitor, slots
from arena.sandbox.base import BoxLimits
from arena.sandbox.container_box import DockerBox, NoFifos, Plan
from arena.sandbox.engine import Engine, Facts, Image, default_image
from arena.sandbox.errors import BoxError
from arena.sandbox.launched import ALL_WALLS, Walls, launcher_orders
from arena.sandbox.probe import INNER, NAMESPACES, OUTER_FILTER, WHOLE, Trial, run
from arena.sandbox.process import OTHERS_MAY_START, processes_of
from arena.sandbox.remedies import what_and_remedy
from arena.sandbox.streams import INSIDE, OPEN_FIFOS, Attached, Fifos
from arena.sandbox.wall.orders import PYTHON_ENVIRONMENT, PYTHON_OPTIONS, STUB
from arena.sandbox.wall.policy import ENGINE, running_arch
from arena.sandbox.wall.profile import profile

_BOT_PID = 1
"""The bot's pid inside: it is the container's only process."""
_NOBODY = 65_534


class DockerSandbox:
    """Boxes in containers; `walls` is for the probe and its tests, `fifos` for tests (None: try).

    It holds no connection, so it may be used after a fork.
    """

    kind = "docker"

    def __init__(self, walls: Walls = ALL_WALLS, fifos: bool | None = None) -> None:
        self._walls = walls
        self._fifos = fifos
        self._found: tuple[Image, Facts] | None = None
        self._lock = threading.Lock()

    @property
    def image(self) -> str:
        """The image that bots run on, by name and digest: "santase-bot:3.11.7@sha256:…"."""
        image, _ = self._engine_and_image()
        return f"{image.name}@{image.id}"

    @property
    def python(self) -> str:
        """The version of the Python in it: "3.11.7"."""
        return self._engine_and_image()[0].version

    def probe(self) -> tuple[Finding, ...]:
        """Looks for engine, image and streams, then runs a bot that tries the walls."""
        findings = self._findings()
        if not all(finding.ok for finding in findings):
            return tuple(findings)
        no_inner = replace(self._walls, landlock=False, seccomp=False)
        inner = replace(self._walls, outer_seccomp=False)
        trials = [
            Trial("both walls", self._walls, WHOLE),
            # A container that does not see our folders can't be shown a file of ours either.
            Trial("inner wall", inner, INNER if self._fifos else WHOLE, bool(self._fifos)),
            Trial("outer filter", no_inner, OUTER_FILTER),
            Trial("namespaces", replace(no_inner, outer_seccomp=False), NAMESPACES),
        ]
        folder = janitor.owner().folder
        tried = run(self.kind, trials, lambda walls: self._start(BoxLimits(), None, walls), folder)
        return (*findings, *tried)

    def _findings(self) -> list[Finding]:
        try:
            image, facts = self._engine_and_image()
            by_fifo = self._fifos_work()
        except BoxError as error:
            return [Finding("docker: engine, image, start", False, *what_and_remedy(str(error)))]
        belts = facts.memory_limit and facts.pids_limit
        return [
            Finding("docker: engine", True, f"version {facts.version} answers"),
            Finding("docker: image", True, f"{image.name} is there, with Python {image.version}"),
            Finding(
                "docker: FIFO round trip",
                True,
                "a bot answers through FIFOs"
                if by_fifo
                else "no answer through FIFOs: the engine's stream is used, ten times slower",
                "" if by_fifo else _SHARE,
            ),
            Finding(
                "docker: cgroup limits",
                True,
                "memory and processes are limited by cgroups as well"
                if belts
                else "the engine can't limit memory or processes: the inner wall alone does",
                "" if belts else "Use cgroup v2 with the memory and pids controllers delegated.",
            ),
        ]

    def start(self, limits: BoxLimits, core: int | None) -> DockerBox:
        """A box on its way up; raises BoxError."""
        self._fifos_work()
        return self._start(limits, core, self._walls)

    def _engine_and_image(self) -> tuple[Image, Facts]:
        with self._lock:
            if self._found is None:
                with Engine() as engine:
                    self._found = engine.image(default_image()), engine.facts()
            return self._found

    def _fifos_work(self) -> bool:
        """Whether a box answers through FIFOs; found out with the first one."""
        if self._fifos is None:
            self._fifos = True
            box = self._start(BoxLimits(), None, ALL_WALLS)
            try:
                box.wait_ready()
            except NoFifos:
                self._fifos = False
            except BaseException:
                self._fifos = None
                raise
            finally:
                box.stop("tried")
        return self._fifos

    def _start(self, limits: BoxLimits, core: int | None, walls: Walls) -> DockerBox:
        if core is not None and not 0 <= core < (os.cpu_count() or 1):
            raise BoxError(f"core {core} can't be used: this machine does not have it")
        image, facts = self._engine_and_image()
        slot = slots.take() if os.geteuid() == 0 and not facts.own_users else None
        uid = slot.uid if slot else _NOBODY if facts.own_users else os.geteuid()
        others = 0 if slot else OTHERS_MAY_START + processes_of(uid)
        mine = janitor.owner()
        name = os.urandom(8).hex()
        try:
            orders = launcher_orders(
                limits, walls, processes=others, readable=[*image.readable, "/dev/urandom"]
            )
            folder = mine.folder / name
            ends = (
                Fifos(folder, uid, 0o666 if facts.own_users else 0o600)
                if self._fifos
                else Attached()
            )
        except (BoxError, OSError) as error:
            if slot:
                slot.release()
            raise BoxError(f"a box could not be prepared: {error}") from error
        mine.live.add(name)
        host = _host_options(limits, core, walls)
        if self._fifos:
            host["mounts"].append(_mount(str(folder), INSIDE))
        stub = OPEN_FIFOS + STUB if self._fifos else STUB
        options = {
            "image": image.id,
            "command": [image.python, *PYTHON_OPTIONS[:-1], stub, name],
            "entrypoint": [],
            "environment": dict(PYTHON_ENVIRONMENT),
            "user": f"{uid}:{slot.uid if slot else _NOBODY if facts.own_users else os.getegid()}",
            "working_dir": "/",
            "labels": mine.labels(name),
            "stdin_open": not self._fifos,
            **({"hostname": "bot", "network_disabled": True} if walls.own_network else {}),
        }
        return DockerBox(Plan(name, mine, options, host), slot, ends, orders)


def _host_options(limits: BoxLimits, core: int | None, walls: Walls) -> dict[str, Any]:
    """The container's walls, but for its user and its streams."""
    memory = f"{limits.memory_mb + belt.MORE_MEMORY_MB}m"
    return {
        "network_mode": "none" if walls.own_network else "host",
        "ipc_mode": "none",
        "read_only": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true", f"seccomp={_profile(walls)}"],
        "pids_limit": belt.most_processes(limits),
        "mem_limit": memory,
        "memswap_limit": memory,
        "cpuset_cpus": None if core is None else str(core),
        "log_config": {"Type": "none"},
        "restart_policy": {"Name": "no"},
        "mounts": [_mount(path, path) for path in walls.shown],
    }


def _profile(walls: Walls) -> str:
    arch = running_arch()
    if arch is None or not walls.outer_seccomp:  # launcher_orders refuses an unknown processor
        return "unconfined"
    return profile(ENGINE.letting_through(walls.let_through), arch, _BOT_PID)


def _mount(source: str, target: str) -> dict[str, Any]:
    """A bind as `--mount` makes it: a missing source is an error, and not made by the engine."""
    return {
        "Type": "bind",
        "Source": source,
        "Target": target,
        "ReadOnly": True,
        "BindOptions": {"Propagation": "rprivate"},
    }


_SHARE = (
    "Give worker and engine one folder by the same path, and name it in SANTASE_RUNTIME; "
    "an engine in a virtual machine can't do it."
)
