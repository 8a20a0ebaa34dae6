"""From booked matches to standings, the one way for the platform and for whoever recounts.

Matches are summed up for each two versions, the sums are rated, and each version gets its line.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.rating.bradley_terry import fit
from arena.rating.pair_table import Meeting, PairTable
from arena.rating.ratings import Ratings, Standing


class Result(NamedTuple):
    """A match that counts, as it was booked."""

    pair: int
    game: int
    """0 or 1; in game 0 the lower version has seat 0."""
    winner: int | None
    """The seat; None where both failed to start."""
    score0: int
    score1: int
    fault0: str
    """Name of seat 0's fault, or ""."""
    fault1: str
    voids: int
    """Starts that the host broke."""


TALLY = (
    "played", "unrated", "won", "split", "lost", "singles_won", "singles_lost",
    "points_low", "points_high", "faults_low", "faults_high", "voids",
)  # fmt: skip
"""What `tally` counts, as the lower version saw it.

`won`, `split` and `lost` are mirrored pairs; a rated match whose mirror match is missing or unrated
is a single; points are game points; faults are matches lost by a fault of one's own.
"""


def tally(results: Iterable[Result]) -> dict[str, int]:
    """Sums over the matches of two versions; the order leaves no trace."""
    sums = dict.fromkeys(TALLY, 0)
    wins: dict[int, list[bool]] = defaultdict(list)
    for pair, game, winner, score0, score1, fault0, fault1, voids in results:
        low, high = (score0, score1) if game == 0 else (score1, score0)
        fault_low, fault_high = (fault0, fault1) if game == 0 else (fault1, fault0)
        sums["played"] += 1
        sums["points_low"] += low
        sums["points_high"] += high
        sums["faults_low"] += bool(fault_low)
        sums["faults_high"] += bool(fault_high)
        sums["voids"] += voids
        if winner is None:
            sums["unrated"] += 1
        else:
            wins[pair].append(winner == game)
    for won in wins.values():
        kind = ("singles_lost", "singles_won") if len(won) == 1 else ("lost", "split", "won")
        sums[kind[sum(won)]] += 1
    return sums


Sums = Mapping[tuple[int, int], Mapping[str, int]]
"""For each two versions that have met, the lower first: what `tally` gives."""


@dataclass(frozen=True, slots=True)
class Line:
    """A version's line of the standings."""

    version: int
    rank: int
    rank_low: int
    """One more than the number of versions that are separably better."""
    rank_high: int
    """The number of versions that are not separably worse, itself included."""
    elo: float
    error: float
    """Half-width of the 95 % interval, in Elo."""
    separable: bool
    """Whether the version one rank below is separably worse; true in the last place."""
    pairs_won: int
    """Mirrored pairs that ended 2–0."""
    pairs_split: int
    pairs_lost: int
    matches: int
    """Rated matches."""
    wins: int
    losses: int
    unrated: int
    """Matches without a winner: both failed to start."""
    points_for: int
    """Game points won."""
    points_against: int
    faults: int
    """Matches in which it was at fault."""
    voids: int
    """Starts of its matches that the host broke."""


_OWN = ("unrated", "points_for", "points_against", "faults", "voids")


def table_of(sums: Sums) -> PairTable:
    """What the rating rests on."""
    return PairTable(
        Meeting(
            low, high,
            row["won"], row["split"], row["lost"], row["singles_won"], row["singles_lost"],
        )
        for (low, high), row in sums.items()
    )  # fmt: skip


def rate(sums: Sums, anchor: int | None) -> tuple[Ratings, list[Line]]:
    """The ratings, and the line of each version, best first. `anchor` is rated 1500."""
    ratings = fit(table_of(sums), anchor)
    totals = _totals(sums)
    return ratings, [_line(standing, totals[standing.version]) for standing in ratings.standings]


def versions_in(sums: Sums) -> Sequence[int]:
    """All versions that have met somebody, ascending."""
    return sorted({version for both in sums for version in both})


def _totals(sums: Sums) -> dict[int, dict[str, int]]:
    """What no rating rests on, for each version over all that it has met; in one pass."""
    totals: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_OWN, 0))
    for (low, high), row in sums.items():
        for version, side, other in ((low, "low", "high"), (high, "high", "low")):
            own = totals[version]
            own["unrated"] += row["unrated"]
            own["points_for"] += row[f"points_{side}"]
            own["points_against"] += row[f"points_{other}"]
            own["faults"] += row[f"faults_{side}"]
            own["voids"] += row["voids"]
    return totals


def _line(standing: Standing, own: dict[str, int]) -> Line:
    return Line(
        version=standing.version,
        rank=standing.rank,
        rank_low=standing.best_rank,
        rank_high=standing.worst_rank,
        elo=standing.rating,
        error=standing.error,
        separable=standing.separable_from_next,
        pairs_won=standing.pairs_won,
        pairs_split=standing.pairs_split,
        pairs_lost=standing.pairs_lost,
        matches=standing.matches,
        wins=standing.wins,
        losses=standing.matches - standing.wins,
        **own,
    )
