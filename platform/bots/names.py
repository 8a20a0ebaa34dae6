"""Names of bots: anything that people write, safe to show, and one of a kind."""

import unicodedata

from django.utils.translation import gettext as _

from bots.errors import BadName

NAME_LENGTH = 64
"""Characters, counted after normalisation."""

KEY_LENGTH = 4 * NAME_LENGTH
"""Characters of a name as it is compared, where one sign may become many (NFKC)."""

_MOST_MARKS = 4
"""Combining marks on one letter; no script's spelling needs more."""

_JOINER = "\u200d"
"""Joins emoji; allowed, as without it a family falls apart."""

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""


def clean_name(text: str) -> str:
    """The name as it is kept and shown: NFC, outer spaces cut, inner ones single.

    Raises `BadName` where it is empty, too long or holds invisible control characters.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise BadName(_("The name is empty: give the bot a name of 1 to 64 characters."))
    if len(name) > NAME_LENGTH:
        raise BadName(
            _("The name has %(count)d characters: shorten it to %(most)d.")
            % {"count": len(name), "most": NAME_LENGTH}
        )
    for place, char in enumerate(name, 1):
        if _is_hidden(char):
            raise BadName(
                _("Character %(place)d of the name (%(code)s) is invisible: leave it out.")
                % {"place": place, "code": f"U+{ord(char):04X}"}
            )
    if _most_marks(name) > _MOST_MARKS:
        raise BadName(
            _("The name stacks accents on one letter, over its neighbours: leave some out.")
        )
    if len(name_key(name)) > KEY_LENGTH:
        raise BadName(
            _("The name holds signs that stand for whole words: write it with ordinary letters.")
        )
    if not name_key(name):
        raise BadName(_("The name has no visible character: give the bot a name that can be read."))
    return name


def name_key(name: str) -> str:
    """What two names must not share: NFKC and case folding, joiners and variants left out."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(char for char in folded if not _is_ignorable(char)).strip()


def _is_hidden(char: str) -> bool:
    """Controls, direction overrides, blanks that pass for letters, private code points."""
    if unicodedata.category(char) in {"Cc", "Cs", "Co", "Zl", "Zp"} or char in _BLANKS:
        return True
    if unicodedata.category(char) == "Cf":
        return char != _JOINER and not _is_tag(char)
    return ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF  # no characters at all


def _most_marks(name: str) -> int:
    """The most combining marks in a row."""
    most = run = 0
    for char in name:
        run = run + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        most = max(most, run)
    return most


def _is_ignorable(char: str) -> bool:
    return char == _JOINER or _is_tag(char) or 0xFE00 <= ord(char) <= 0xFE0F


def _is_tag(char: str) -> bool:
    """Tag characters, which the flags of parts of a country are made of."""
    return 0xE0020 <= ord(char) <= 0xE007F
