"""What a server must name before it starts with `SANTASE_ENV=production`."""

from collections.abc import Mapping, Sequence

from django.core.exceptions import ImproperlyConfigured

_SANDBOXES = ("docker", "bubblewrap", "landlock")


def production_gaps(environment: Mapping[str, str]) -> list[str]:
    """What is missing or wrong, a line each, with what to set."""
    get = environment.get
    gaps = []
    if len(get("SECRET_KEY", "")) < 32:
        gaps.append("SECRET_KEY: a random text of at least 32 characters, kept secret")
    if not get("ALLOWED_HOSTS", "") or "*" in get("ALLOWED_HOSTS", ""):
        gaps.append("ALLOWED_HOSTS: the host names served, comma-separated, without *")
    if not get("DATABASE_URL", "").startswith(("postgres://", "postgresql://")):
        gaps.append("DATABASE_URL: the Postgres database, postgres://user:password@host/name")
    if not get("REDIS_URL", "").startswith(("redis://", "rediss://", "redis+socket://")):
        gaps.append("REDIS_URL: the Redis server, redis://host:6379/0")
    if get("SANDBOX", "") not in _SANDBOXES:
        gaps.append(f"SANDBOX: one of {', '.join(_SANDBOXES)}, by name")
    return gaps


def require_production(gaps: Sequence[str]) -> None:
    """Raises one ImproperlyConfigured that names every gap."""
    if gaps:
        raise ImproperlyConfigured(
            "SANTASE_ENV=production needs these environment variables:\n  "
            + "\n  ".join(gaps)
            + "\n(docs/reference/settings.md says more)"
        )
