"""What comes out of a fit: standings with error bars, and any two compared."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.errors import UnknownVersion
from arena.rating.pair_table import PairTable
from arena.rating.pairs import Z_95, superiority

Floats = NDArray[np.float64]

CENTRE = 1500.0
"""The rating of the anchor, or the mean of all where there is none."""

_DECIMALS = 3
"""Figures in Elo are given to a thousandth.

The noise of linear algebra (1e-9) stays below, so that a recount on another machine
gives the same figures.
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """One version's line of the standings."""

    version: int
    rank: int
    """Place by rating, from 1; equal ratings stand in order of their ids."""
    best_rank: int
    """One more than the number of versions that are separably better."""
    worst_rank: int
    """The number of versions that are not separably worse, itself included."""
    rating: float
    """Elo, in the frame of the table (anchor or mean = 1500)."""
    error: float
    """Half-width of the 95 % interval of `rating`, in Elo; 0 for the anchor."""
    separable_from_next: bool
    """Whether the version one rank below is separably worse; True in the last place."""
    matches: int
    wins: int
    pairs_won: int
    """Mirrored pairs that ended 2–0."""
    pairs_split: int
    pairs_lost: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Two versions compared."""

    elo: float
    """The first one's rating less the second one's."""
    error: float
    """Half-width of the 95 % interval of `elo`."""
    los: float
    """Likelihood that the first one is the better, in 0..1."""
    separable: bool
    """Whether the 95 % interval leaves 0 out."""


class Ratings:
    """All versions of a table, rated; immutable."""

    def __init__(
        self,
        table: PairTable,
        strengths: Floats,
        covariance: Floats,
        pair_correlation: float,
        matches_saved: float,
        anchor: int | None,
    ) -> None:
        """Take strengths and their covariance in Elo, in any frame, in the table's order."""
        self._versions = table.versions
        self._strengths = strengths
        self._covariance = covariance
        self.pair_correlation = round(pair_correlation, 6)
        """Correlation of the two results of a pair between equals, as estimated."""
        self.matches_saved = round(matches_saved)
        """How many matches more the same certainty would have taken without mirrored pairs.

        Below 0 where the two results of a pair agree more often than chance would have it.
        """
        self.anchor = anchor
        self.standings = tuple(self._standings(table))
        """Best first."""

    @property
    def strengths(self) -> Floats:
        """In Elo, in the table's order, in a frame of their own: only differences mean anything."""
        return self._strengths

    @property
    def covariance(self) -> Floats:
        """Of the strengths, in Elo squared."""
        return self._covariance

    def compare(self, first: int, second: int) -> Difference:
        """Two versions compared; raise `UnknownVersion`."""
        one, other = self._place(first), self._place(second)
        elo = float(self._strengths[one] - self._strengths[other])
        of_both = self._covariance[[one, other]][:, [one, other]]
        deviation = float(max(of_both[0, 0] + of_both[1, 1] - 2 * of_both[0, 1], 0.0)) ** 0.5
        return Difference(
            elo=round(elo, _DECIMALS),
            error=round(Z_95 * deviation, _DECIMALS),
            los=round(superiority(elo, deviation), 6),
            separable=abs(elo) > Z_95 * deviation,
        )

    def _standings(self, table: PairTable) -> Iterator[Standing]:
        ratings, errors = self._in_frame()
        better = self._separably_better()
        order = np.lexsort((self._versions, -ratings))
        tally = table.tally().T
        above, below_it = better.sum(axis=0), better.sum(axis=1)
        for rank, place in enumerate(order, start=1):
            won, split, lost, single_won, single_lost = map(int, tally[place])
            below = order[rank] if rank < len(order) else None
            yield Standing(
                version=int(self._versions[place]),
                rank=rank,
                best_rank=1 + int(above[place]),
                worst_rank=len(order) - int(below_it[place]),
                rating=float(ratings[place]),
                error=float(errors[place]),
                separable_from_next=below is None or bool(better[place, below]),
                matches=2 * (won + split + lost) + single_won + single_lost,
                wins=2 * won + split + single_won,
                pairs_won=won,
                pairs_split=split,
                pairs_lost=lost,
            )

    def _in_frame(self) -> tuple[Floats, Floats]:
        """Ratings and error bars measured from the anchor, or from the mean of all."""
        size = len(self._versions)
        if self.anchor is None:
            origin = np.full(size, 1 / max(size, 1))
        else:
            origin = np.zeros(size)
            origin[self._place(self.anchor)] = 1.0
        towards = self._covariance @ origin
        variance = np.diagonal(self._covariance) - 2 * towards + origin @ towards
        ratings = CENTRE + self._strengths - origin @ self._strengths
        errors = Z_95 * np.sqrt(np.maximum(variance, 0.0))
        return ratings.round(_DECIMALS), errors.round(_DECIMALS)

    def _separably_better(self) -> NDArray[np.bool_]:
        """Whether the row's version is better than the column's beyond the 95 % interval."""
        own = np.diagonal(self._covariance)
        variance = own[:, None] + own[None, :] - 2 * self._covariance
        gap = self._strengths[:, None] - self._strengths[None, :]
        result: NDArray[np.bool_] = gap > Z_95 * np.sqrt(np.maximum(variance, 0.0))
        return result

    def _place(self, version: int) -> int:
        place = int(np.searchsorted(self._versions, version))
        if place == len(self._versions) or self._versions[place] != version:
            raise UnknownVersion(version)
        return place
