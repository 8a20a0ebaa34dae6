"""The seal of a replay, and its proof: every claim of a file checked again from its own contents.

`verify` needs no network and no database. It recomputes decks and bots' seeds from the seed, plays
every action by the rules, recomputes results, score and winner, and checks hash and signature.
"""

import hashlib
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import msgspec

from arena.named_file import open_named_file
from arena.referee.errors import NotAReplay
from arena.referee.keys import Keyring, signature_holds
from arena.referee.replay_check import Refused, check_lines
from arena.referee.replay_lines import SealLine

MAX_BYTES = 16 << 20
"""A replay is far smaller; a larger file, or one that inflates beyond this, is none."""

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found. `line` (from 1) is the first that fails; `key_known` whose seal it is.

    `ok` says that everything holds; with an unknown key it is true and `error` says so.
    """

    ok: bool
    line: int | None = None
    error: str | None = None
    key_known: bool = True


def seal(body: bytes, keyring: Keyring) -> bytes:
    """The whole replay: `body` (its lines, newlines included) and the seal line."""
    digest = hashlib.sha256(body).digest()
    line = SealLine(seal=True, sha256=digest.hex(), signature=keyring.sign(digest), key=keyring.key)
    return body + msgspec.json.encode(line) + b"\n"


def read_replay_file(path: Path) -> bytes:
    """The bytes of a replay file, inflated where it is gzip-compressed. Raises `NotAReplay`."""
    try:
        with open_named_file(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise NotAReplay(f"{path}: cannot be read: {error.strerror}") from error
    return inflated(data, str(path))


def inflated(data: bytes, name: str) -> bytes:
    """A replay's bytes, inflated where they are gzip-compressed. Raises `NotAReplay`.

    However much they would inflate to, no more than `MAX_BYTES` and one are made of them.
    """
    if data.startswith(_GZIP):
        inflater = zlib.decompressobj(wbits=31)
        try:
            data = inflater.decompress(data, MAX_BYTES + 1)
        except zlib.error as error:
            raise NotAReplay(f"{name}: damaged gzip file: {error}") from error
        if len(data) <= MAX_BYTES and (not inflater.eof or inflater.unused_data):
            raise NotAReplay(f"{name}: damaged gzip file: cut short, or with more behind it")
    if len(data) > MAX_BYTES:
        raise NotAReplay(f"{name}: larger than {MAX_BYTES >> 20} MB, so no replay")
    return data


def verify(
    data: bytes, known_keys: Collection[str], secret: str | None = None, day: date | None = None
) -> Verification:
    """Checks a replay; `secret` (64 hex digits) also proves its commitment and its seed.

    `day` says that the secret is a ladder's, and of which day. Raises `NotAReplay` where neither
    the first nor the last line is that of a replay.
    """
    lines = data.split(b"\n")
    if not _looks_like_a_replay(lines):
        raise NotAReplay(
            "not a replay: the first line is no header "
            '(a replay is JSON lines that begin with {"replay":1,…})'
        )
    try:
        check_lines(lines, secret, day)
        key = _check_seal(data, lines)
    except Refused as refused:
        return Verification(False, refused.line, refused.why)
    if key not in known_keys:
        return Verification(True, None, f"the key {key} is not known here", False)
    return Verification(True)


def _looks_like_a_replay(lines: list[bytes]) -> bool:
    return b'"replay"' in lines[0][:64] or any(b'"seal"' in line[:64] for line in lines[-2:])


def _check_seal(data: bytes, lines: list[bytes]) -> str:
    number = len(lines) - 1  # what follows the last newline is empty: checked before
    try:
        line = msgspec.json.decode(lines[number - 1], type=SealLine)
    except msgspec.MsgspecError as error:
        raise Refused(number, f"no valid seal: {error}") from error
    body = data[: len(data) - len(lines[number - 1]) - 1]
    digest = hashlib.sha256(body).digest()
    if digest.hex() != line.sha256:
        raise Refused(number, "the hash does not fit the lines before the seal: a byte was changed")
    if not signature_holds(line.key, line.signature, digest):
        raise Refused(number, "the signature does not fit the hash and the key")
    return line.key
