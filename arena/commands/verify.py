"""`santase verify`: proves replays offline."""

import json
from datetime import date
from pathlib import Path

from arena.commands.errors import DOES_NOT_HOLD, KEY_UNKNOWN, USAGE, UsageError
from arena.commands.known_keys import local_keys, named_keys
from arena.referee import (
    BadSeed,
    NotAReplay,
    Verification,
    read_replay_file,
    verify,
)
from arena.referee.dealer import parse_seed

_SEVERITY = (DOES_NOT_HOLD, USAGE, KEY_UNKNOWN, 0)


def run(
    files: list[Path], key: str | None, secret: str | None, day: str | None, as_json: bool
) -> int:
    """Verifies each file and prints a line for it; the exit code is that of the worst.

    Raises `UsageError` for a key, a secret or a day that is none.
    """
    known = local_keys() if key is None else named_keys(key)
    try:
        secret = None if secret is None else parse_seed(secret)
    except BadSeed as error:
        raise UsageError(f"--secret: {error}") from error
    of_day = _day(day, secret)
    codes = [_verify_file(file, known, secret, of_day, as_json) for file in files]
    return next(code for code in _SEVERITY if code in codes)


def _day(text: str | None, secret: str | None) -> date | None:
    if text is None:
        return None
    if secret is None:
        raise UsageError("--day says which day a ladder's secret is of: give --secret too.")
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--day {text!r} is no date: write it as 2026-02-28 (UTC).") from error


def _verify_file(
    file: Path, known: set[str], secret: str | None, day: date | None, as_json: bool
) -> int:
    try:
        found = verify(read_replay_file(file), known, secret, day)
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
