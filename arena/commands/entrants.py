"""Bots as they are named on the command line."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.commands.errors import UsageError
from arena.house import UnknownHouseBot, house_bot_files, house_folder, pack
from arena.named_file import open_named_file
from arena.referee import Entrant

MAX_SCRIPT_BYTES = 1 << 20
MAX_FOLDER_FILES = 200
MAX_FOLDER_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class LocalBot:
    """A BOT argument resolved: the entrant, and how it is run without a sandbox."""

    argument: str
    entrant: Entrant
    script: Path
    """The program's own file, for `--trusted`, and the folder of further modules of it."""
    beside: tuple[Path, ...] = ()


def resolve(argument: str) -> LocalBot:
    """The bot that `argument` names: a path if it contains `/` or ends in `.py`, else a house bot.

    A path names a script, or a folder with `bot.py` and whatever files it needs.
    Raises `UsageError` with what is wrong and what to do.
    """
    if "/" in argument or argument.endswith(".py"):
        return _script(argument)
    try:
        files = house_bot_files(argument)
    except UnknownHouseBot as error:
        raise UsageError(
            f"{error} For a script of your own give its path, e.g. ./bot.py."
        ) from error
    digest = hashlib.sha256(pack(files)).hexdigest()
    folder = house_folder()
    script = folder / argument / "bot.py"
    return LocalBot(argument, Entrant(argument, digest, files), script, (folder,))


def _script(argument: str) -> LocalBot:
    path = Path(argument)
    if path.is_dir():
        return _folder(argument, path)
    try:
        with open_named_file(path) as file:
            source = file.read(MAX_SCRIPT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}. Check the path.") from error
    if len(source) > MAX_SCRIPT_BYTES:
        raise UsageError(
            f"{path}: larger than {MAX_SCRIPT_BYTES >> 20} MB, the limit for a script."
        )
    if not source.strip():
        raise UsageError(f"{path}: the file is empty; put your bot's program there.")
    digest = hashlib.sha256(source).hexdigest()
    entrant = Entrant(_as_text(path.name), digest, {"bot.py": source})
    return LocalBot(argument, entrant, path.absolute())


def _as_text(name: str) -> str:
    """A file's name for replays, which are UTF-8: a name of other bytes is shown with U+FFFD."""
    return os.fsencode(name).decode(errors="replace")


def _folder(argument: str, path: Path) -> LocalBot:
    """A bot of several files, as it would be packed for an upload; its hash is that of the zip."""
    files: dict[str, bytes] = {}
    left = MAX_FOLDER_BYTES
    for name, file in _files_of(path):
        if name != _as_text(name):
            raise UsageError(f"{path}: the name of {_as_text(name)} is no UTF-8; rename that file.")
        try:
            with open_named_file(file) as opened:
                files[name] = opened.read(left + 1)
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror}.") from error
        left -= len(files[name])
        if len(files) > MAX_FOLDER_FILES or left < 0:
            raise UsageError(
                f"{path}: more than {MAX_FOLDER_FILES} files or {MAX_FOLDER_BYTES // 10**6} MB; "
                "name a folder that holds the bot and nothing else."
            )
    if "bot.py" not in files:
        raise UsageError(f"{path}: there is no bot.py in this folder; that is the file that runs.")
    name = _as_text(path.absolute().name) or "bot"
    digest = hashlib.sha256(pack(files)).hexdigest()
    return LocalBot(argument, Entrant(name, digest, files), path.absolute() / "bot.py")


def _files_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """A bot's files by their names within the folder; hidden ones and caches are none."""
    for file in folder.rglob("*"):
        inner = file.relative_to(folder)
        clutter = any(part.startswith(".") or part == "__pycache__" for part in inner.parts)
        if not clutter and file.is_file():
            yield inner.as_posix(), file
