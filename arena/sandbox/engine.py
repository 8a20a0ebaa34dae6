"""The container engine, through the `docker` package, which is imported here alone and late.

What the engine cannot do is the host's fault: every error leaves here as `BoxError`, with what to
do about it.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.sandbox import runtime
from arena.sandbox.errors import BoxError

if TYPE_CHECKING:
    from docker import APIClient

LABEL = "santase."
"""How the names of our labels begin, on images and containers."""
REPOSITORY = "santase-bot"

CALL_S = 20.0
"""How long one answer of the engine is waited for; `stop` waits less."""

_NO_ENGINE = (
    "Start the engine (systemctl start docker), or name it in DOCKER_HOST (for a rootless one "
    "unix:///run/user/UID/docker.sock); this user must be allowed to use its socket. "
    "SANDBOX=bubblewrap and SANDBOX=landlock need no engine."
)
_NO_IMAGE = (
    "Make it with `make bot-image` (from the running Python, without a registry), or with "
    "`docker build` from docker/bot.Dockerfile."
)


class Missing(BoxError):
    """The engine does not have what was asked for."""


class Conflict(BoxError):
    """The name is taken."""


def default_image() -> str:
    """`SANTASE_BOT_IMAGE`, else the one that `make bot-image` makes for this Python."""
    return os.environ.get("SANTASE_BOT_IMAGE") or f"{REPOSITORY}:{runtime.version()}"


@dataclass(frozen=True, slots=True)
class Image:
    """What bots run on: where Python is in it, what of it they may read."""

    name: str
    id: str
    version: str
    python: str
    readable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """What the engine says of a container."""

    running: bool
    pid: int
    exit_code: int
    oom: bool
    error: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What kind of engine it is.

    `own_users`: it maps user ids (rootless, or userns-remap), so a container's are not ours.
    """

    version: str
    own_users: bool
    memory_limit: bool
    pids_limit: bool


class Engine:
    """One connection to the engine; not for several threads at once, nor over a fork."""

    def __init__(self, timeout_s: float = CALL_S) -> None:
        """Connects. Raises BoxError where the package or the engine is missing."""
        try:
            import docker
            from docker.utils import kwargs_from_env
        except ImportError as error:
            raise BoxError(
                "the docker package is not installed: pip install 'santase-arena[docker]'"
            ) from error
        with _as_box_errors("the container engine does not answer"):
            host = os.environ.get("DOCKER_HOST", "")
            self._client: APIClient = docker.APIClient(
                version=_versions.get(host, "auto"),
                timeout=timeout_s,  # type: ignore[arg-type]  # fractions are taken too
                **kwargs_from_env(),
            )
            _versions[host] = self._client.api_version

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.close()

    def facts(self) -> Facts:
        """What kind of engine it is. Raises BoxError."""
        with _as_box_errors("the container engine does not answer"):
            info = self._client.info()
        options = [str(option) for option in info.get("SecurityOptions") or ()]
        return Facts(
            version=str(info.get("ServerVersion", "unknown")),
            own_users=any(word in option for option in options for word in ("rootless", "userns")),
            memory_limit=bool(info.get("MemoryLimit")),
            pids_limit=bool(info.get("PidsLimit")),
        )

    def image(self, name: str) -> Image:
        """The image of that name, as its labels describe it. Raises BoxError."""
        try:
            with _as_box_errors(f"the image {name} could not be looked up"):
                found = self._client.inspect_image(name)  # type: ignore[no-untyped-call]  # so in its stubs
        except Missing as error:
            raise Missing(f"there is no image {name} for bots. {_NO_IMAGE}") from error
        labels = (found.get("Config") or {}).get("Labels") or {}
        try:
            version = labels[f"{LABEL}version"]
            image = Image(
                name,
                found["Id"],
                version,
                labels[f"{LABEL}python"],
                tuple(json.loads(labels[f"{LABEL}readable"])),
            )
        except (KeyError, ValueError) as error:
            raise BoxError(
                f"{name} is no image for bots: a label is missing. {_NO_IMAGE}"
            ) from error
        if version.split(".")[:2] != runtime.version().split(".")[:2]:
            raise BoxError(
                f"{name} holds Python {version}, and this worker runs {runtime.version()}: "
                f"both must be of one minor version. {_NO_IMAGE}"
            )
        return image

    def import_image(self, rootfs: Any, tag: str, changes: Sequence[str]) -> str:
        """Makes the image `REPOSITORY:tag` of a tar file; gives its id. Raises BoxError."""
        with _as_box_errors("the image could not be made"):
            said = json.loads(
                self._client.import_image(
                    src=rootfs, repository=REPOSITORY, tag=tag, changes=list(changes)
                ).splitlines()[-1]
            )
        if "status" not in said:
            raise BoxError(f"the image could not be made: {said.get('error', said)}")
        return str(said["status"])

    def tag(self, image: str, tag: str) -> None:
        """Gives an image one more tag. Raises BoxError."""
        with _as_box_errors("the image could not be tagged"):
            self._client.tag(image, REPOSITORY, tag)

    def create(self, name: str, options: Mapping[str, Any], host: Mapping[str, Any]) -> str:
        """A container that is not started; gives its id. Raises BoxError, Missing or Conflict."""
        try:
            with _as_box_errors("a container could not be made"):
                config = self._client.create_host_config(**host)
                made = self._client.create_container(name=name, host_config=config, **options)
        except Missing as error:
            raise Missing(f"the image for bots is gone. {_NO_IMAGE}") from error
        return str(made["Id"])

    def start(self, container: str) -> None:
        """Starts it. Raises BoxError."""
        with _as_box_errors("a container could not be started"):
            self._client.start(container)

    def attach(self, container: str) -> Any:
        """A socket to its streams, stdout and stderr in frames. Raises BoxError."""
        with _as_box_errors("a container could not be attached to"):
            streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            return self._client.attach_socket(container, params=streams)

    def state(self, container: str) -> State:
        """How it is. Raises BoxError."""
        with _as_box_errors("the engine does not tell of a container"):
            state = self._client.inspect_container(container)["State"]
        return State(
            state["Running"],
            state["Pid"],
            state["ExitCode"],
            state["OOMKilled"],
            state.get("Error") or "",
        )

    def wait(self, container: str) -> State:
        """How it is once it has ended. Raises BoxError, also where that takes too long."""
        with _as_box_errors("the engine does not tell of a container's end"):
            self._client.wait(container)
        return self.state(container)

    def was_told_to_kill(self, container: str, since_s: float) -> bool:
        """Whether anyone has told the engine to, since then (Unix time). Raises BoxError."""
        with _as_box_errors("the engine does not tell of a container's end"):
            told = self._client.events(  # type: ignore[call-overload]  # takes fractions too
                since=f"{since_s:.9f}",
                until=f"{time.time():.9f}",  # the past: nothing is waited for
                filters={"container": container, "event": "kill"},
                decode=True,
            )
            return any(told)

    def kill(self, container: str) -> None:
        """Kills it; harmless when it is gone or has ended. Raises BoxError."""
        with contextlib.suppress(Missing, Conflict), _as_box_errors("a container was not killed"):
            self._client.kill(container)

    def remove(self, container: str) -> None:
        """Kills and removes it; harmless when it is gone or going. Raises BoxError."""
        with contextlib.suppress(Missing, Conflict), _as_box_errors("a container was not removed"):
            self._client.remove_container(container, force=True, v=True)

    def boxes(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Every container with our label, running or not: id and labels. Raises BoxError."""
        with _as_box_errors("the engine does not list its containers"):
            found = self._client.containers(all=True, filters={"label": f"{LABEL}owner"})
        for container in found:
            yield str(container["Id"]), container.get("Labels") or {}


_versions: dict[str, str] = {}
"""The API version that each engine was found to speak, so that it is asked once."""


@contextlib.contextmanager
def _as_box_errors(what: str) -> Iterator[None]:
    import docker.errors
    import requests

    try:
        yield
    except docker.errors.APIError as error:
        match error.status_code:
            case 404:
                kind: type[BoxError] = Missing
            case 409:
                kind = Conflict
            case _:
                kind = BoxError
        raise kind(f"{what}: {error.explanation}") from error
    except (docker.errors.DockerException, requests.RequestException, OSError) as error:
        raise BoxError(f"{what}: {_last(error)}. {_NO_ENGINE}") from error


def _last(error: BaseException) -> str:
    """The first cause, which is the one that says something."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return getattr(error, "strerror", None) or str(error)
