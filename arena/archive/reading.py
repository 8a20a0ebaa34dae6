"""An archive opened: its members by name, and the lines that stand before the replays."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from arena.archive import lines, tar
from arena.archive.errors import NotAnArchive
from arena.named_file import open_named_file
from arena.rating import Line
from arena.referee.keys import PublicKey
from arena.referee.replay import MAX_BYTES
from arena.referee.replay_lines import SealLine

MAX_LINE = 4_096
"""Bytes of a line of results or standings; none of ours comes near."""

_MAX_PART = {lines.HEADER: 16 << 20, lines.KEYS: 1 << 20, lines.SEAL: 1 << 16}
"""Bytes of a member that is read as a whole."""

_MOST_UNREADABLE = 100
"""Lines of a member that cannot be read, after which nothing more is expected of it."""

_CHUNK = 1 << 20
_Kind = TypeVar("_Kind")

Report = Callable[[str, str], None]
"""Told of whatever is wrong: where, and what."""


class Archive:
    """The members of an archive. What is wrong with them is reported, and goes on no further."""

    def __init__(self, path: Path, report: Report) -> None:
        """Opens and indexes it. Raises `NotAnArchive`."""
        self._report = report
        self._file = _opened(path)
        self.members: dict[str, tar.Member] = {}
        try:
            for at, member in enumerate(tar.members(self._file)):
                if at == 0 and member.name != lines.HEADER:
                    break
                if member.name in self.members:
                    report(member.name, "is there twice")
                self.members.setdefault(member.name, member)
        except tar.Damaged as damage:
            if not self.members:
                self._file.close()
                raise NotAnArchive(f"{path}: no archive of a tournament: {damage}") from None
            report("the archive", str(damage))
        except OSError as error:
            self._file.close()
            raise NotAnArchive(f"{path}: cannot be read: {error.strerror}") from error
        if not self.members:
            self._file.close()
            raise NotAnArchive(
                f"{path}: no archive of a tournament: it does not begin with {lines.HEADER}"
            )

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def header(self) -> lines.ArchiveHeader:
        """What it is about. Raises `NotAnArchive`: without it nothing can be said."""
        data = self._part(lines.HEADER)
        try:
            return msgspec.json.decode(data, type=lines.ArchiveHeader)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise NotAnArchive(f"{lines.HEADER} cannot be read: {_why(error)}") from error

    def keys(self) -> set[str]:
        """The public keys that it holds."""
        keys = self._decoded(lines.KEYS, self._part(lines.KEYS), list[PublicKey])
        return {key.key for key in keys or ()}

    def seal(self) -> SealLine | None:
        """The seal, where it can be read."""
        return self._decoded(lines.SEAL, self._part(lines.SEAL), SealLine)

    def sealed_hash(self) -> bytes:
        """SHA-256 of the parts under the seal."""
        found = hashlib.sha256()
        for name in lines.SEALED:
            member = self.members.get(name)
            for chunk in () if member is None else self._chunks(member):
                found.update(chunk)
        return found.digest()

    def results(self) -> Iterator[lines.ResultLine]:
        """The booked matches."""
        return self._lines(lines.RESULTS, lines.ResultLine)

    def standings(self) -> Iterator[Line]:
        """The standings as they were."""
        return self._lines(lines.STANDINGS, Line)

    def replay(self, name: str) -> bytes | None:
        """The bytes of a replay, as they are stored; None, and reported, where there are none."""
        member = self.members.get(name)
        if member is None:
            self._report(name, "is missing")
            return None
        if member.size > MAX_BYTES:
            self._report(name, f"is larger than {MAX_BYTES >> 20} MB, so no replay")
            return None
        return b"".join(self._chunks(member))

    def _part(self, name: str) -> bytes:
        member = self.members.get(name)
        if member is None:
            self._report(name, "is missing")
            return b""
        if member.size > _MAX_PART[name]:
            self._report(name, f"is larger than {_MAX_PART[name]:,} bytes")
            return b""
        return b"".join(self._chunks(member))

    def _decoded(self, name: str, data: bytes, kind: type[_Kind]) -> _Kind | None:
        if not data:
            return None
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            self._report(name, f"cannot be read: {_why(error)}")
            return None

    def _chunks(self, member: tar.Member) -> Iterator[bytes]:
        left = member.size
        self._file.seek(member.offset)
        while left:
            chunk = self._file.read(min(left, _CHUNK))
            if not chunk:
                return  # reported when the members were looked through
            left -= len(chunk)
            yield chunk

    def _lines(self, name: str, kind: type[_Kind]) -> Iterator[_Kind]:
        """The lines of a member that can be read; what cannot is reported."""
        member = self.members.get(name)
        if member is None:
            self._report(name, "is missing")
            return
        at, end, number = member.offset, member.offset + member.size, 0
        unreadable = 0
        while at < end:
            if unreadable == _MOST_UNREADABLE:
                self._report(
                    f"{name}, line {number}", f"is unreadable line {unreadable}: the rest is left"
                )
                return
            self._file.seek(at)
            line = self._file.readline(min(MAX_LINE, end - at))
            at += len(line)
            number += 1
            if not line.endswith(b"\n"):
                self._report(f"{name}, line {number}", "is cut short or too long: the rest is left")
                return
            found = self._decoded(f"{name}, line {number}", line, kind)
            if found is None:
                unreadable += 1
            else:
                yield found


def _opened(path: Path) -> BinaryIO:
    try:
        file = open_named_file(path)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        file.close()
    except OSError as error:
        raise NotAnArchive(f"{path}: cannot be read: {error.strerror}") from error
    raise NotAnArchive(f"{path}: is no ordinary file: download the archive first")


def _why(error: Exception) -> str:
    return (
        str(error) if isinstance(error, msgspec.MsgspecError) else "nested too deeply or too long"
    )
