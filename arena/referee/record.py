"""What goes into a match and what comes out of it, as frozen values."""

from dataclasses import dataclass, field

from arena.protocol import Limits
from arena.referee.verdict import Fault
from arena.sandbox import BotFiles, ExitReport
from arena.santase import RuleSet


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot at a seat: its files, and who it is. `id` and `version` are null in local play.

    `sha256` is that of the uploaded file (locally of the script), in hex.
    """

    name: str
    sha256: str
    files: BotFiles
    id: int | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """All that decides a match but the bots' own choices. `entrants` are by seat.

    `seed` is 64 hex digits; `pair` counts from 0; `game` of the pair is 0 or 1; in game 1 the
    caller has exchanged the entrants' seats.
    """

    match: str
    seed: str
    entrants: tuple[Entrant, Entrant]
    rules: RuleSet
    limits: Limits = field(default_factory=Limits)
    pair: int = 0
    game: int = 0
    first_dealer: int = 0
    tournament: int | None = None
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What the owner of the bot at a seat may see besides the replay. Times in ms, memory in MB.

    `stderr` is what was kept, `stderr_total` the bytes written; `stderr_marks` are
    `(request id, bytes of stderr before it)`; `notes` are `(request id, note)`; `refused` is the
    line that was a fault.
    """

    cpu_ms: float
    stderr: bytes
    stderr_total: int
    stderr_marks: tuple[tuple[int, int], ...]
    notes: tuple[tuple[int, str], ...]
    refused: bytes | None
    exit: ExitReport


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match. `body` is the replay without its seal; `deals` counts one cut short."""

    winner: int | None
    score: tuple[int, int]
    reason: str
    faults: tuple[Fault, ...]
    deals: int
    wall_ms: float
    seats: tuple[SeatRecord, SeatRecord]
    body: bytes
