"""The document of a match as it is sent, and what it depends on."""

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from django.utils.translation import get_language, override

from arena import __version__
from matches import queries
from matches.models import Match
from replays.positions import positions
from replays.reader import read_replay
from web.player.document import document
from web.player.frames import Film, Players
from web.player.reading import player_names

_KEPT: Final = 16
"""Documents that each process keeps; none is larger than half a megabyte."""


@dataclass(frozen=True, slots=True)
class Edition:
    """All that a match's document depends on, known without reading the replay.

    `replay` is its name in the store, where a file never changes.
    """

    replay: str
    players: Players
    language: str
    release: str

    @property
    def tag(self) -> str:
        """The document's ETag."""
        parts = (self.replay, *self.players, self.language, self.release)
        return f'"{sha256("|".join(parts).encode()).hexdigest()[:32]}"'


def edition(match: Match) -> Edition:
    """The edition in the reader's language. Raises `NoReplay` or `NotPublished`."""
    names = player_names(match)
    return Edition(queries.replay_name(match), names, get_language() or "en", __version__)


@lru_cache(_KEPT)
def document_of(wanted: Edition) -> bytes:
    """The document of an edition as JSON. Raises a `ReplayStoreError`."""
    replay = read_replay(wanted.replay)
    with override(wanted.language):
        made = document(Film(positions(replay), replay, wanted.players))
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
