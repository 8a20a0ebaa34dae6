"""The Python that bots run on: a trimmed copy of the running one, laid out as a root folder.

One copy serves every back-end, so that all run the same Python, and nothing else of the machine
need be visible: interpreter, standard library (no site-packages), and the shared libraries they
need. It stands outside any home when root makes it, because a dropped uid reaches neither a pyenv
nor a venv below a 0700 home.
"""

import compileall
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.errors import BoxError

_RECIPE = "3"
"""Changes when the way a copy is made does, so that older copies are left alone."""

_READ_S = 2_100_000_000
"""When all in a copy was read last, as it says: in 2036, so that reading it changes nothing."""

_LEFT_OUT = shutil.ignore_patterns(
    *("site-packages", "dist-packages", "test", "tests", "idlelib", "idle_test", "tkinter"),
    *("turtledemo", "turtle.py", "ensurepip", "lib2to3", "pydoc_data", "config-*", "venv"),
    *("_test*", "_tkinter*", "_curses*", "readline.*", "ossaudiodev.*", "nis.*", "spwd.*"),
    *("_xx*", "xxlimited*", "*.opt-1.pyc", "*.opt-2.pyc", "_dbm.*", "_gdbm.*", "_crypt.*", "*.a"),
)


@dataclass(frozen=True, slots=True)
class Runtime:
    """A copy: its root folder, and paths in it relative to the root."""

    root: Path
    python: str
    libraries: str
    folders: tuple[str, ...]
    """What stands in the root, all for the bot to read."""
    links: tuple[tuple[str, str], ...]
    """Names in the root that lead into a folder, as ("lib", "usr/lib")."""


def version() -> str:
    """The version of the Python that bots run on: that of this process."""
    return ".".join(map(str, sys.version_info[:3]))


class RunsThisPython:
    """The part of a `Sandbox` that says which Python bots run on: this process's version."""

    @property
    def image(self) -> str:
        """The Python that bots run on: "cpython-3.11.7"."""
        return f"{sys.implementation.name}-{version()}"

    @property
    def python(self) -> str:
        """Its version: "3.11.7"."""
        return version()


def base_folder() -> Path:
    """Where copies are kept: `SANTASE_RUNTIME`, else /var/lib/santase for root, else a cache."""
    named = os.environ.get("SANTASE_RUNTIME")
    if named:
        return Path(named).absolute()
    if os.geteuid() == 0:
        return Path("/var/lib/santase")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if cache.startswith("~"):
        raise BoxError("this user has no home for the bots' Python: set SANTASE_RUNTIME")
    return Path(cache, "santase")


def ready() -> Runtime:
    """The copy of the running Python, made on first use (some seconds); raises BoxError.

    Two processes may make it at once: the one that is done first wins.
    """
    base = base_folder() / "runtime"
    place = base / _digest()
    if not _is_whole(place):
        try:
            make_folder(base)
            _make(base, place)
        except (OSError, subprocess.SubprocessError) as error:
            raise BoxError(
                f"the Python runtime for bots could not be copied to {base}: {error}. "
                "Set SANTASE_RUNTIME to a folder that this user can write."
            ) from error
    manifest = json.loads((place / "manifest.json").read_text())
    _check_trust(place)
    entries = list(os.scandir(place))
    return Runtime(
        place,
        manifest["python"],
        manifest["libraries"],
        tuple(entry.name for entry in entries if entry.is_dir(follow_symlinks=False)),
        tuple((entry.name, os.readlink(entry)) for entry in entries if entry.is_symlink()),
    )


def _executable() -> Path:
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _standard_library(part: str = "stdlib") -> Path:
    base = {"installed_base": sys.base_prefix, "installed_platbase": sys.base_prefix}
    return Path(sysconfig.get_path(part, vars=base))


def _digest() -> str:
    """Changes when the interpreter, its library or the C library does."""
    executable = _executable()
    seen = [_RECIPE, sys.version, os.uname().machine]
    shared = Path(sys.base_prefix) / "lib" / str(sysconfig.get_config_var("INSTSONAME"))
    for path in (executable, _standard_library() / "os.py", shared, _loader_of(executable)):
        if path.exists():
            facts = path.stat()
            seen.append(f"{path.resolve()} {facts.st_size} {facts.st_mtime_ns}")
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()[:16]


def _loader_of(executable: Path) -> Path:
    """The dynamic loader that an ELF file names (PT_INTERP)."""
    with executable.open("rb") as file:
        head = file.read(64)
        if head[:5] != b"\x7fELF\x02":
            raise BoxError(f"{executable} is no 64-bit ELF program")
        at = int.from_bytes(head[32:40], "little")
        size = int.from_bytes(head[54:56], "little")
        for index in range(int.from_bytes(head[56:58], "little")):
            file.seek(at + index * size)
            entry = file.read(size)
            if int.from_bytes(entry[:4], "little") == 3:
                file.seek(int.from_bytes(entry[8:16], "little"))
                name = file.read(int.from_bytes(entry[32:40], "little")).rstrip(b"\0")
                return Path(os.fsdecode(name))
    raise BoxError(f"{executable} names no dynamic loader: a static Python can't be used")


def _libraries_of(
    loader: Path, file: Path, environment: Mapping[str, str] | None = None
) -> dict[str, Path]:
    """The shared libraries a file needs: name to place, as the dynamic loader itself says."""
    said = subprocess.run(
        [loader, "--list", file],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        env=environment,
    ).stdout
    found = {}
    for line in said.splitlines():
        name, arrow, place = line.strip().partition(" => ")
        path = place.rpartition(" (")[0]
        if arrow and path.startswith("/"):
            found[name] = Path(path)
    return found


def _make(base: Path, place: Path) -> None:
    made = Path(tempfile.mkdtemp(prefix=".making-", dir=base))
    try:
        _fill(made)
        open_to_all(made)
        _settle_read_times(made)
        try:
            made.rename(place)
        except OSError:
            if not _is_whole(place):  # a broken one stands there: set it aside and go on
                place.rename(made.with_name(made.name + ".broken"))
                made.rename(place)
    finally:
        for leftover in (made, made.with_name(made.name + ".broken")):
            shutil.rmtree(leftover, ignore_errors=True)


def _fill(root: Path) -> None:
    executable, stdlib = _executable(), _standard_library()
    loader = _loader_of(executable)
    python = Path("usr/bin") / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    library = Path("usr") / stdlib.relative_to(Path(sys.base_prefix))
    shutil.copytree(stdlib, root / library, ignore=_LEFT_OUT, symlinks=False)
    dynamic = _standard_library("platstdlib") / "lib-dynload"
    if not dynamic.is_relative_to(stdlib) and dynamic.is_dir():  # lib64 beside lib
        shutil.copytree(
            dynamic, root / "usr" / dynamic.relative_to(sys.base_prefix), ignore=_LEFT_OUT
        )
    compileall.compile_dir(root / library, quiet=2)
    needed = _libraries_of(loader, executable)
    for module in (root / library).rglob("*.so"):
        needed |= {
            name: path for name, path in _libraries_of(loader, module).items() if name not in needed
        }
    # Where the loader looks without being told (by LD_LIBRARY_PATH): where the C library is.
    c_library = _libraries_of(loader, executable, {}).get("libc.so.6", Path("/usr/lib/libc.so"))
    shared_in = c_library.parent.resolve().relative_to("/")
    for target, source in [
        (python, executable),
        (loader.relative_to("/"), loader),
        *((shared_in / name, path) for name, path in needed.items()),
    ]:
        _copy_file(source, root / target)
    for name in ("lib", "lib64"):  # as on this machine, where they are links into /usr
        link = Path("/", name)
        if link.is_symlink() and not (root / name).exists():
            (root / name).symlink_to(os.readlink(link))
    (root / "manifest.json").write_text(
        json.dumps(
            {
                "python": str(python),
                "libraries": str(shared_in),
                "files": {
                    str(path.relative_to(root)): path.stat().st_size for path in _files(root)
                },
            }
        )
    )


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(stat.S_IMODE(source.stat().st_mode))


def _files(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink() and name != "manifest.json":
                yield path


def make_folder(path: Path) -> None:
    """Makes a folder, and those above it, that all may enter, whatever the umask is."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
        path.chmod(0o755)


def open_to_all(root: Path) -> None:
    """Lets everyone read what is below `root`, and no one but its owner write it."""
    for folder, _, names in os.walk(root):
        os.chmod(folder, 0o755)
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _settle_read_times(root: Path) -> None:
    """Dates the last reading of all below `root` ahead, whereupon the kernel leaves it (relatime).

    Else a bot could tell another what it has to say by the files that it reads.
    """
    for path in (root, *root.rglob("*")):
        os.utime(path, (_READ_S, path.lstat().st_mtime), follow_symlinks=False)


def _is_whole(place: Path) -> bool:
    """Whether a copy is there with all of its files (cleaners of caches and tmp take some)."""
    try:
        manifest = json.loads((place / "manifest.json").read_text())
        return all(
            (place / name).stat().st_size == size for name, size in manifest["files"].items()
        )
    except (OSError, ValueError, KeyError):
        return False


def _check_trust(place: Path) -> None:
    """What bots run on may be changed by root and this user only, all the way up."""
    trusted = {0, os.geteuid()}
    paths = [
        place,
        *place.parents,
        *(Path(folder, name) for folder, dirs, names in os.walk(place) for name in (*dirs, *names)),
    ]
    for path in paths:
        facts = path.lstat()
        shared = facts.st_mode & 0o022 and not facts.st_mode & stat.S_ISVTX
        if facts.st_uid not in trusted or (shared and not stat.S_ISLNK(facts.st_mode)):
            raise BoxError(
                f"{path} can be changed by others (owner {facts.st_uid}, "
                f"mode {stat.S_IMODE(facts.st_mode):o}): bots would run on it. "
                "Make it root's or this user's, mode 755, or set SANTASE_RUNTIME elsewhere."
            )
