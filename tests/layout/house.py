"""What the guard tests look at: the files of the project as a clone has them."""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def ignored_names() -> set[str]:
    """Names of folders and files that `.gitignore` leaves out, wherever they are."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    return {line.strip("/") for line in lines} | {".git"}


def is_ignored(name: str) -> bool:
    """Whether a folder or file of this name is none of ours."""
    return name in ignored_names() or name.endswith((".pyc", ".egg-info"))


def files(*suffixes: str) -> Iterator[Path]:
    """Our files with one of these suffixes; without any, all of them."""
    ignored = ignored_names()
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ignored and not is_ignored(name)]
        for name in names:
            if not is_ignored(name) and (not suffixes or name.endswith(suffixes)):
                yield Path(folder) / name


def pyproject() -> dict[str, Any]:
    """The one configuration file."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def packages(folder: Path) -> set[str]:
    """The packages and modules that stand in a folder."""
    found = {path.stem for path in folder.glob("*.py") if path.name != "__init__.py"}
    return found | {path.parent.name for path in folder.glob("*/__init__.py")}
