"""What the environment may say: values that cannot be read, and what production must name."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_SANDBOXES = ("docker", "bubblewrap", "landlock")
_BOOLEANS = ("1", "0", "true", "false", "yes", "no", "on", "off")
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_POSTGRES = ("postgres", "postgresql")
_REDIS = ("redis", "rediss", "redis+socket")
_DOCS = "\n(docs/reference/settings.md says more)"


def unreadable(environment: Mapping[str, str]) -> list[str]:
    """Variables whose values cannot be meant, a line each, with what to set."""
    return [
        f"{name}: {what}"
        for name, what, fits in _FORMS
        if environment.get(name) and not fits(environment[name])
    ]


def require_readable(unreadable: Sequence[str]) -> None:
    """Raises one ImproperlyConfigured that names every one."""
    if unreadable:
        raise ImproperlyConfigured(
            "these environment variables cannot be read:\n  " + "\n  ".join(unreadable) + _DOCS
        )


def production_gaps(environment: Mapping[str, str]) -> list[str]:
    """What is missing or wrong for a server, a line each, with what to set."""
    get = environment.get
    gaps = []
    if len(get("SECRET_KEY", "")) < 32:
        gaps.append("SECRET_KEY: a random text of at least 32 characters, kept secret")
    if not get("ALLOWED_HOSTS", "") or "*" in get("ALLOWED_HOSTS", ""):
        gaps.append("ALLOWED_HOSTS: the host names served, comma-separated, without *")
    if not get("DATABASE_URL", "").startswith(tuple(f"{kind}://" for kind in _POSTGRES)):
        gaps.append("DATABASE_URL: the Postgres database, postgres://user:password@host/name")
    if not get("REDIS_URL", "").startswith(tuple(f"{kind}://" for kind in _REDIS)):
        gaps.append("REDIS_URL: the Redis server, redis://host:6379/0")
    if get("SANDBOX", "") not in _SANDBOXES:
        gaps.append(f"SANDBOX: {_SANDBOX} by name, not auto")
    if get("DEBUG", "").lower() in _BOOLEANS[::2]:
        gaps.append("DEBUG: unset it, its pages show source and settings")
    return gaps


def require_production(gaps: Sequence[str]) -> None:
    """Raises one ImproperlyConfigured that names every gap."""
    if gaps:
        raise ImproperlyConfigured(
            "SANTASE_ENV=production needs these environment variables:\n  "
            + "\n  ".join(gaps)
            + _DOCS
        )


def _whole(least: int) -> Callable[[str], bool]:
    return lambda value: value.isascii() and value.isdigit() and least <= int(value) <= 1_000_000


def _one_of(words: Sequence[str]) -> Callable[[str], bool]:
    return lambda value: value in words


def _one_in_any_case(words: Sequence[str]) -> Callable[[str], bool]:
    return lambda value: value.upper() in {word.upper() for word in words}


def _url(*kinds: str) -> Callable[[str], bool]:
    def fits(value: str) -> bool:
        try:
            parts = urlsplit(value)
            return parts.scheme in kinds and (parts.port or 1) > 0
        except ValueError:
            return False

    return fits


_SANDBOX = " or ".join(_SANDBOXES)
_FORMS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("SANTASE_ENV", "embedded or production", _one_of(("embedded", "production"))),
    ("DATABASE_URL", "postgres://user:password@host:5432/name", _url(*_POSTGRES, "sqlite")),
    ("REDIS_URL", "redis://host:6379/0", _url(*_REDIS)),
    ("SANDBOX", f"auto, {_SANDBOX}", _one_of(("auto", *_SANDBOXES))),
    ("WORKER_SLOTS", "a whole number, 0 for one a core", _whole(0)),
    ("UPLOAD_MAX_PY_KB", "a whole number from 1", _whole(1)),
    ("UPLOAD_MAX_ZIP_KB", "a whole number from 1", _whole(1)),
    ("LOG_LEVEL", f"one of {', '.join(_LEVELS)}", _one_in_any_case(_LEVELS)),
    *(
        (name, f"one of {', '.join(_BOOLEANS)}", _one_in_any_case(_BOOLEANS))
        for name in ("DEBUG", "HTTPS", "BEHIND_PROXY", "LOG_JSON")
    ),
)
"""Name, what it must be, and whether a value is."""
