"""Names under which replays are downloaded."""

import re
import unicodedata
from urllib.parse import quote

_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST = 40
"""Characters of a bot's name in a file name."""


def file_name(match_id: str, bots: tuple[str, str], *, compressed: bool) -> str:
    """A name with both bots and the match, safe on every file system; any script's letters stay."""
    parts = [*(_slug(bot) for bot in bots), match_id]
    return "-".join(["santase", *parts]) + (".jsonl.gz" if compressed else ".jsonl")


def content_disposition(name: str) -> str:
    """The header that offers a download under this name (RFC 6266, RFC 5987)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", plain)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _slug(text: str) -> str:
    slug = _UNSAFE.sub("_", unicodedata.normalize("NFC", text)).strip("._-")
    return slug[:_LONGEST] or "bot"
