"""Bots as they are named on the command line."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from arena.commands.errors import UsageError
from arena.house import UnknownHouseBot, house_bot_files, house_folder, pack
from arena.referee import Entrant

MAX_SCRIPT_BYTES = 1 << 20


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
        path = path / "bot.py"
    try:
        with path.open("rb") as file:
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
    return LocalBot(argument, Entrant(path.name, digest, {"bot.py": source}), path.absolute())
