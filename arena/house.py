"""The house bots: the fixed points of the scale, as files that can be played or uploaded.

A house bot is its own `bot.py` and the one-file helper beside it. In a checkout they stand in
`sample_bots/`, in the installed kit in `arena/_house/`.
"""

import io
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

HELPER = "santase_bot.py"

_PLACES = (Path(__file__).parent / "_house", Path(__file__).parents[1] / "sample_bots")
_EPOCH = (1980, 1, 1, 0, 0, 0)


class UnknownHouseBot(LookupError):
    """No house bot has this name; the message names those there are."""


@cache
def house_folder() -> Path:
    """The folder of the house bots, a folder each, and of the helper."""
    return next(place for place in _PLACES if (place / HELPER).is_file())


@cache
def house_bots() -> tuple[str, ...]:
    """The names of the house bots, sorted."""
    return tuple(sorted(path.parent.name for path in house_folder().glob("*/bot.py")))


def house_bot_files(name: str) -> dict[str, bytes]:
    """The files of house bot `name`: its `bot.py` and the helper. Raises `UnknownHouseBot`."""
    if name not in house_bots():
        raise UnknownHouseBot(f"{name!r} is no house bot; there are {', '.join(house_bots())}.")
    folder = house_folder()
    return {
        "bot.py": (folder / name / "bot.py").read_bytes(),
        HELPER: (folder / HELPER).read_bytes(),
    }


def pack(files: Mapping[str, bytes]) -> bytes:
    """The files as a zip that is the same to the byte each time, so that its hash names them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), files[name])
    return buffer.getvalue()
