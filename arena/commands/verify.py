"""`santase verify`: proves replays offline."""

import json
import re
from pathlib import Path

from arena.commands.errors import DOES_NOT_HOLD, KEY_UNKNOWN, USAGE, UsageError
from arena.named_file import open_named_file
from arena.referee import (
    BadSeed,
    KeyringError,
    NotAReplay,
    Verification,
    read_replay_file,
    verify,
)
from arena.referee.dealer import parse_seed
from arena.referee.keys import public_keys
from arena.state import keys_dir

_SEVERITY = (DOES_NOT_HOLD, USAGE, KEY_UNKNOWN, 0)
_KEY_FILE_BYTES = 1 << 20
"""More of a file of keys is not read."""
_HEX_KEY = re.compile(r"[0-9a-fA-F]{64}")


def run(files: list[Path], key: str | None, secret: str | None, as_json: bool) -> int:
    """Verifies each file and prints a line for it; the exit code is that of the worst.

    Raises `UsageError` for a key or secret that is none.
    """
    known = _known_keys(key)
    try:
        secret = None if secret is None else parse_seed(secret)
    except BadSeed as error:
        raise UsageError(f"--secret: {error}") from error
    codes = [_verify_file(file, known, secret, as_json) for file in files]
    return next(code for code in _SEVERITY if code in codes)


def _verify_file(file: Path, known: set[str], secret: str | None, as_json: bool) -> int:
    try:
        found = verify(read_replay_file(file), known, secret)
    except NotAReplay as error:
        _report(file, Verification(False, None, str(error)), as_json)
        return USAGE
    _report(file, found, as_json)
    if not found.ok:
        return DOES_NOT_HOLD
    return 0 if found.key_known else KEY_UNKNOWN


def _report(file: Path, found: Verification, as_json: bool) -> None:
    if as_json:
        fields = {"file": str(file), "ok": found.ok, "line": found.line, "error": found.error}
        print(json.dumps(fields, ensure_ascii=False))
        return
    verdict = "holds" if found.ok else "refused"
    where = f" at line {found.line}" if found.line is not None else ""
    print(f"{file}: {verdict}{where}" + (f": {found.error}" if found.error else ""))


def _known_keys(key: str | None) -> set[str]:
    """The keys of `--key` (hex, or a file that holds some), else those of this installation."""
    if key is None:
        try:
            return {public.key for public in public_keys(keys_dir())}
        except KeyringError as error:
            raise UsageError(f"{error} Or give the key with --key.") from error
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
