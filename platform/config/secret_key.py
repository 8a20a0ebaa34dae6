"""The embedded stack's secret key: drawn at first start, kept in the state folder (0600)."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def of_folder(state: Path) -> str:
    """The key of this state folder, made where there is none; of two makers one wins."""
    return kept_secret(state / "secret.key", 48)


def kept_secret(path: Path, size: int) -> str:
    """The text in `path`, drawn from `size` random bytes where there is none (mode 0600)."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            _place(path, secrets.token_urlsafe(size))
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} cannot be made or read: {error.strerror}. Make the folder writable for this "
            "user, or name another with SANTASE_STATE."
        ) from error


def _place(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text + "\n")
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink(missing_ok=True)
