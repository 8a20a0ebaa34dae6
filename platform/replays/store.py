"""The store: replay files under `<state>/replays`, written once, never changed.

A name is drawn anew for every file, so an interrupted attempt leaves at most a file that nothing
refers to and never half of one that counts.
"""

import gzip
import os
import re
import secrets
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from django.conf import settings

from arena.referee import Keyring, PublicKey, seal
from arena.referee.replay import MAX_BYTES
from replays.errors import ReplayDamaged, ReplayMissing, ReplayNotStored

_NAME = re.compile(r"[0-9a-f]{2}/[A-Za-z0-9_]{1,40}-[0-9a-f]{16}\.jsonl\.gz", re.ASCII)
_LEVEL = 6


def keep(match_id: str, body: bytes) -> str:
    """Seals and stores the replay of a match; gives its name in the store.

    On return the file is on the disk, whole. Raises `ReplayNotStored`.
    """
    token = secrets.token_hex(8)
    name = f"{token[:2]}/{match_id}-{token}.jsonl.gz"
    path = _root() / name
    data = gzip.compress(seal(body, keyring()), _LEVEL, mtime=0)
    draft = path.with_suffix(".draft")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise ReplayNotStored(f"{path} cannot be written: {error.strerror}") from error
    return name


def load(name: str) -> bytes:
    """The replay's lines, inflated. Raises `ReplayMissing` or `ReplayDamaged`."""
    try:
        with gzip.open(path_of(name), "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise ReplayMissing(f"{name} is not in the store of replays") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ReplayDamaged(f"{name} cannot be read: {error}") from error
    if len(data) > MAX_BYTES:
        raise ReplayDamaged(f"{name} is larger than a replay can be")
    return data


def load_compressed(name: str) -> bytes:
    """The file as it is stored (gzip). Raises `ReplayMissing`."""
    try:
        return path_of(name).read_bytes()
    except OSError as error:
        raise ReplayMissing(f"{name} is not in the store of replays") from error


def names() -> set[str]:
    """All names in the store, those that nothing refers to included."""
    root = _root()
    return {str(path.relative_to(root)) for path in root.glob("*/*.jsonl.gz")}


def holds(name: str) -> bool:
    """Whether a replay of this name is in the store."""
    return bool(_NAME.fullmatch(name)) and path_of(name).is_file()


def path_of(name: str) -> Path:
    """Where a replay lies. Raises `ReplayMissing` for what is no name of the store's."""
    if not _NAME.fullmatch(name):
        raise ReplayMissing(f"{name!r} is no name of a replay in the store")
    return _root() / name


def keyring() -> Keyring:
    """The installation's signing keys."""
    return _keyring(settings.STATE / "keys")


def public_keys() -> list[PublicKey]:
    """All public keys with their dates, oldest first: what `/keys.json` shows."""
    return keyring().public_keys()


@cache
def _keyring(folder: Path) -> Keyring:
    return Keyring(folder)


def _root() -> Path:
    root: Path = settings.STATE / "replays"
    return root


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
