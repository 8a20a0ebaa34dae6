"""Making an archive: what stands before the replays."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.archive import lines, tar
from arena.rating import Line
from arena.referee.keys import Keyring, PublicKey
from arena.referee.replay_lines import SealLine


class Sealed:
    """The members under the seal, as they are written one after the other."""

    def __init__(self, modified: int) -> None:
        """`modified` is the time of all members, in seconds after 1970."""
        self._modified = modified
        self._hash = hashlib.sha256()

    def part(self, name: str, size: int, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The bytes of a member whose contents come in chunks, `size` in all."""
        yield tar.member(name, size, self._modified)
        for chunk in chunks:
            self._hash.update(chunk)
            yield chunk
        yield tar.padding(size)

    def seal(self, keyring: Keyring) -> bytes:
        """The member that seals all parts before it."""
        digest = self._hash.digest()
        line = SealLine(
            seal=True, sha256=digest.hex(), signature=keyring.sign(digest), key=keyring.key
        )
        return whole(lines.SEAL, msgspec.json.encode(line) + b"\n", self._modified)


def whole(name: str, data: bytes, modified: int) -> bytes:
    """A member with its contents."""
    return tar.member(name, len(data), modified) + data + tar.padding(len(data))


def header_bytes(header: lines.ArchiveHeader) -> bytes:
    """`archive.json`."""
    return msgspec.json.format(msgspec.json.encode(header)) + b"\n"


def keys_bytes(keys: Sequence[PublicKey]) -> bytes:
    """`keys.json`."""
    return msgspec.json.format(msgspec.json.encode(keys)) + b"\n"


def result_bytes(result: lines.ResultLine) -> bytes:
    """A line of `results.jsonl`."""
    return msgspec.json.encode(result) + b"\n"


def standings_bytes(standings: Iterable[Line]) -> bytes:
    """`standings.jsonl`."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in standings)
