"""Signing keys: one Ed25519 key signs new replays, every key there ever was stays listed.

The folder holds `signing.key` (the private key's 32 bytes as hex, mode 0600) and `keys.json`, the
public keys with their dates. Rotation adds a key and closes the one before; replays sealed with an
older key stay valid.
"""

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from arena.referee.errors import KeyringError


class PublicKey(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """A key replays are sealed with: hex, in use from and until when (UTC, null: still in use)."""

    key: str
    since: str
    until: str | None = None


class Keyring:
    """The signing keys of one installation, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        """Opens the keyring of `folder`, made with a first key where there is none.

        Two processes may do so at once: one makes the key, both use it. Raises `KeyringError`.
        """
        self._private_path = folder / "signing.key"
        self._public_path = folder / "keys.json"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._private_path.exists():
                self._place(Ed25519PrivateKey.generate(), replace=False)
            self._private = self._read_private()
            if self.key not in {public.key for public in self.public_keys()}:
                self._list_current()
        except OSError as error:
            raise KeyringError(
                f"cannot make or read the signing key in {folder}: {error.strerror}. "
                "Make the folder writable, or name another with SANTASE_STATE."
            ) from error

    @property
    def key(self) -> str:
        """The public half of the key in use, as hex."""
        return self._private.public_key().public_bytes_raw().hex()

    def sign(self, digest: bytes) -> str:
        """The Ed25519 signature of `digest`, as hex."""
        return self._private.sign(digest).hex()

    def public_keys(self) -> list[PublicKey]:
        """All keys, oldest first."""
        return public_keys(self._public_path.parent)

    def rotate(self) -> str:
        """A new key signs from now on; gives its public half. The old ones stay listed."""
        self._place(Ed25519PrivateKey.generate(), replace=True)
        self._private = self._read_private()
        self._list_current()
        return self.key

    def _list_current(self) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        closed = [
            public if public.until else PublicKey(public.key, public.since, now)
            for public in self.public_keys()
        ]
        data = msgspec.json.format(msgspec.json.encode([*closed, PublicKey(self.key, now)]))
        _write_whole(self._public_path, data + b"\n", replace=True)

    def _place(self, private: Ed25519PrivateKey, *, replace: bool) -> None:
        data = private.private_bytes_raw().hex().encode() + b"\n"
        _write_whole(self._private_path, data, replace=replace)

    def _read_private(self) -> Ed25519PrivateKey:
        try:
            return Ed25519PrivateKey.from_private_bytes(
                bytes.fromhex(self._private_path.read_text(encoding="ascii").strip())
            )
        except ValueError as error:
            raise KeyringError(
                f"{self._private_path} is no signing key; restore it from a backup, or move it "
                "away and a new one is made (old replays keep their old key)"
            ) from error


def public_keys(folder: Path) -> list[PublicKey]:
    """The keys that the keyring in `folder` lists, oldest first; none where there is no keyring.

    Raises `KeyringError` where the list is damaged.
    """
    path = folder / "keys.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[PublicKey])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError) as error:
        raise KeyringError(f"{path} cannot be read: {error}") from error


def _write_whole(path: Path, data: bytes, *, replace: bool) -> None:
    """Writes a file of mode 0600 in one step; without `replace` the first writer wins."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            Path(name).replace(path)
            return
        try:
            os.link(name, path)
        except FileExistsError:
            return
    finally:
        Path(name).unlink(missing_ok=True)


def signature_holds(key: str, signature: str, digest: bytes) -> bool:
    """Whether `signature` (hex) of `digest` was made with the public `key` (hex)."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), digest
        )
    except (InvalidSignature, ValueError):
        return False
    return True
