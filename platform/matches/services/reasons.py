"""What people write: one place says how long it may be."""

import unicodedata

from matches.errors import BadReason
from matches.models.ruling import REASON_LENGTH

_SEEN = frozenset("LNPS")
"""Letters, numbers, punctuation, symbols: what can be read."""


def checked_reason(text: str) -> str:
    """The reason in one form, without control characters. Raises `BadReason`."""
    plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    kept = "".join(each for each in plain if each == "\n" or unicodedata.category(each) != "Cc")
    if not any(unicodedata.category(each)[0] in _SEEN for each in kept):
        raise BadReason("say why, in a sentence or two")
    if len(kept) > REASON_LENGTH:
        raise BadReason(f"the reason has {len(kept):,} characters; {REASON_LENGTH:,} are allowed")
    return kept
