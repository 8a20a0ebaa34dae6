"""The store of uploads: each file once, under its hash, in `<state>/uploads`."""

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path

import structlog
from django.conf import settings
from django.utils.translation import gettext as _

from bots.errors import UploadLost, UploadNotStored

_log = structlog.get_logger(__name__)


def keep(sha256: str, data: bytes) -> None:
    """Stores a file under its hash; nothing to do where it lies there already.

    Raises `UploadNotStored`.
    """
    path = _path(sha256)
    draft = path.with_name(f".{secrets.token_hex(8)}")
    try:
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        _log.error("upload not stored", path=str(path), why=error.strerror)
        raise UploadNotStored(
            _(
                "The server cannot store the file at the moment. The file is not at fault: try "
                "again later; the operators find the reason in the log."
            )
        ) from error


def load(sha256: str) -> bytes:
    """The file with this hash. Raises `UploadLost` where it is missing or was changed."""
    try:
        data = _path(sha256).read_bytes()
    except OSError as error:
        raise UploadLost(f"the upload {sha256} cannot be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise UploadLost(f"the upload {sha256} is damaged on the disk: restore it from a backup")
    return data


def _path(sha256: str) -> Path:
    root: Path = settings.STATE / "uploads"
    return root / sha256[:2] / sha256
