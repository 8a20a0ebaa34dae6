"""How the two results of a mirrored pair depend on each other.

With win chance p, the number X of matches won in a pair has mean 2p and variance
2pq(1 + c), where q = 1 - p and c is the correlation of the two results. Decks dealt
the other way round make c negative: what luck gives to one in the first match it
gives to the other in the second. Between unequal bots luck decides less, and the
correlation fades; `fading` says how much of it is left.
"""

import numpy as np
from numpy.typing import NDArray

from arena.rating.pair_table import PairTable

Floats = NDArray[np.float64]

PRIOR_PAIRS = 30
"""The correlation is shrunk towards 0 as if this many pairs between equals had shown none."""

BOUND = 0.9
"""No correlation beyond ± this is believed: a pair is worth neither nothing nor everything."""


def fading(chance: Floats) -> Floats:
    """The correlation at a win chance, as a part of that between equals.

    For two normal variables of small correlation r, cut where they exceed a
    threshold with probability p, the correlation of the two outcomes is
    r φ(z)²/(pq); this power of 4pq is within 0.02 of that, relative to p = ½,
    everywhere.
    """
    result: Floats = (4 * chance * (1 - chance)) ** 0.63
    return result


def estimate(table: PairTable, chance: Floats, leverage: Floats, fading: Floats) -> float:
    """The correlation between equals that fits all pairs best, by moments.

    For each meeting: `chance` of the lower id to win a match, `leverage`, the part of a
    pair's variance that the fit has swallowed by following its result, and `fading`.
    """
    won, split, lost, _, _ = table.counts
    squares = 4 * (won * (1 - chance) ** 2 + split * (0.5 - chance) ** 2 + lost * chance**2)
    independent = 2 * table.pairs * chance * (1 - chance) * (1 - leverage)
    shown = float(np.sum(squares - independent))
    possible = float(independent @ fading) + PRIOR_PAIRS / 2
    return min(max(shown / possible, -BOUND), BOUND)
