"""The file around it: a plain tar (POSIX ustar) of regular files, written and read strictly.

Reading knows nothing of links, long names, sparse files or extended headers, so a file made to do
harm finds nothing to do it with, and no memory is taken on its word.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

BLOCK = 512
END = b"\0" * (2 * BLOCK)
MAX_MEMBERS = 4_000_000
"""More are not read: a tournament has fewer matches."""
_LONGEST_NAME = 100
_RECORD = 10_240
"""Bytes to which other programs fill up their archives."""
_LARGEST = 8 << 30
"""A size has eleven octal digits."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the archive: where its bytes begin, and how many they are."""

    name: str
    offset: int
    size: int


class Damaged(Exception):
    """What stands here is no member: the byte, and why."""


def member(name: str, size: int, modified: int) -> bytes:
    """The header of a file of `size` bytes, modified so many seconds after 1970."""
    raw = name.encode("ascii")
    if not (0 < len(raw) <= _LONGEST_NAME and 0 <= size < _LARGEST):
        raise ValueError(f"{name}, {size} bytes: not for an archive")
    fields = (
        raw.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2
        + b"%011o\0" % size + b"%011o\0" % modified + b" " * 8 + b"0" + b"\0" * 100
        + b"ustar\x0000" + b"\0" * 80 + b"\0" * 167
    )  # fmt: skip
    return fields[:148] + b"%06o\0 " % sum(fields) + fields[156:] + b"\0" * (BLOCK - len(fields))


def padding(size: int) -> bytes:
    """What fills up the last block of a file."""
    return b"\0" * (-size % BLOCK)


def members(file: BinaryIO) -> Iterator[Member]:
    """The files of an archive in their order. Raises `Damaged` or `OSError`."""
    length = os.fstat(file.fileno()).st_size
    at = 0
    for _ in range(MAX_MEMBERS):
        file.seek(at)
        block = file.read(BLOCK)
        if block == b"\0" * BLOCK:
            rest = file.read(_RECORD + 1)
            if len(rest) < BLOCK or len(rest) > _RECORD or rest.strip(b"\0"):
                raise Damaged(f"byte {at}: something else than the end")
            return
        if len(block) < BLOCK:
            raise Damaged(f"byte {at}: the file is cut short")
        found = _member(block, at)
        at = found.offset + found.size + len(padding(found.size))
        if at > length:
            raise Damaged(f"{found.name}: the file is cut short within it")
        yield found
    raise Damaged(f"more than {MAX_MEMBERS:,} files")


def _member(block: bytes, at: int) -> Member:
    name = block[:_LONGEST_NAME].rstrip(b"\0")
    try:
        size, checksum = _octal(block[124:136]), _octal(block[148:156])
        text = name.decode("ascii")
    except ValueError:
        raise Damaged(f"byte {at}: no header of a file") from None
    if checksum != sum(block[:148]) + 8 * ord(" ") + sum(block[156:]):
        raise Damaged(f"byte {at}: the header of a file is damaged")
    if block[156:157] not in (b"0", b"\0") or block[345:500].strip(b"\0") or not text.isprintable():
        raise Damaged(f"byte {at}: {text!r} is no plain file with a short name")
    return Member(text, at + BLOCK, size)


def _octal(field: bytes) -> int:
    digits = field.strip(b" \0")
    if not digits.isdigit():  # no sign, no underscore, no size in base 256
        raise ValueError(field)
    return int(digits, 8)
