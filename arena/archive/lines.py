"""What stands in an archive, format version 1, as msgspec structs."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from arena.protocol import Limits
from arena.referee.replay_lines import Hex32

ARCHIVE_VERSION: Final = 1

HEADER = "archive.json"
KEYS = "keys.json"
RESULTS = "results.jsonl"
STANDINGS = "standings.jsonl"
SEAL = "seal.json"
SEALED = (HEADER, KEYS, RESULTS, STANDINGS)
"""The members under the seal, in their order; the seal follows, then the replays, each with one of
its own."""

Id = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
MatchName = Annotated[str, Meta(pattern="^m[1-9][0-9]{0,18}$", max_length=20)]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class TrialLine(_Line, frozen=True):
    """What a sequential test asks: is `first` better than the other version?"""

    first: Id
    elo0: float
    elo1: float
    alpha: float
    beta: float
    until: Count
    """Pairs from this number on are not counted: one before them is still to be played."""


class PeriodLine(_Line, frozen=True):
    """A day (UTC) of a ladder, and the commitment to its secret."""

    day: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$", max_length=10)]
    commitment: Hex32


class TournamentLine(_Line, frozen=True, omit_defaults=True):
    """The tournament and its terms."""

    id: Id
    name: str
    slug: str
    format: str
    status: str
    ruleset: dict[str, Any]
    limits: Limits
    pairs_per_pairing: Count
    trial: TrialLine | None = None
    """Of a sequential test; left out elsewhere."""


class VersionLine(_Line, frozen=True):
    """A version that has met somebody: the name and owner's number of its bot's upload."""

    id: Id
    bot: str
    number: Count
    sha256: Hex32


class ArchiveHeader(_Line, frozen=True, omit_defaults=True):
    """What the archive is about."""

    archive: Literal[1]
    game: Literal["santase"]
    platform: str
    made_at: str
    tournament: TournamentLine
    commitments: list[Hex32]
    """Every replay carries one of these."""
    secrets: list[Hex32]
    """Those that are published; each is the one that a commitment was made to."""
    anchor: Id | None
    """The version whose rating is 1500; without one the mean of all is."""
    results: Count
    """How many results and replays there are."""
    left_out: Count
    """Matches played whose mirror match was still to be played: their decks are secret yet."""
    struck: Count
    """Matches that the organisers have declared void: they are in no total."""
    versions: list[VersionLine]
    periods: list[PeriodLine] = []
    """Of a ladder, one for each of `commitments`; left out elsewhere."""


class ResultLine(_Line, frozen=True):
    """One match as it was booked; `low` has seat 0 in game 0, seat 1 in game 1."""

    match: MatchName
    low: Id
    high: Id
    pair: Count
    game: Annotated[int, Meta(ge=0, le=1)]
    winner: Annotated[int, Meta(ge=0, le=1)] | None
    score: tuple[Count, Count]
    reason: str
    faults: tuple[str, str]
    voids: Count


def replay_member(match: str) -> str:
    """The name of a match's replay in the archive."""
    return f"replays/{match}.jsonl.gz"
