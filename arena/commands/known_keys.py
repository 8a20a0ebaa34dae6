"""Whose seals are known: the keys that `--key` names, or those of this installation."""

import re
from pathlib import Path

from arena.commands.errors import UsageError
from arena.named_file import open_named_file
from arena.referee import KeyringError
from arena.referee.keys import public_keys
from arena.state import keys_dir

_KEY_FILE_BYTES = 1 << 20
"""More of a file of keys is not read."""
_HEX_KEY = re.compile(r"[0-9a-fA-F]{64}")


def local_keys() -> set[str]:
    """The public keys of this installation. Raises `UsageError` where their list is damaged."""
    try:
        return {public.key for public in public_keys(keys_dir())}
    except KeyringError as error:
        raise UsageError(f"{error} Or give the key with --key.") from error


def named_keys(key: str) -> set[str]:
    """The keys of `--key`: one in hex, or all in a file that holds some. Raises `UsageError`."""
    if _HEX_KEY.fullmatch(key):
        return {key.lower()}
    try:
        with open_named_file(Path(key)) as file:
            text = file.read(_KEY_FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise UsageError(
            f"--key {key!r} is neither a key of 64 hex digits nor a file that can be read."
        ) from error
    keys = set(re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", text.lower()))
    if not keys:
        raise UsageError(f"--key {key}: the file holds no key of 64 hex digits.")
    return keys
