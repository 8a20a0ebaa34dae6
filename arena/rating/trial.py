"""A sequential test under way: pairs come in, in their order, until it is decided."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from arena.rating.league import Result
from arena.rating.sequential import Decision, Hypotheses, llr_of_many, weigh

_NEAR = 1e-6
"""So near to a bound a ratio that was computed along with many is weighed by itself; the two ways
of computing it differ by far less.
"""


class Trial:
    """Whoever asks the same of the same pairs in the same order gets the same answer: what comes
    after the decision counts no more.
    """

    def __init__(self, asked: Hypotheses) -> None:
        """`asked` is the question."""
        self.asked = asked
        self.scores: list[int] = [0, 0, 0]
        """Pairs counted in which A won 0, 1 and 2 matches."""
        self.weighed = weigh(0, 0, 0, asked)
        """What they say."""

    def add(self, won: int) -> None:
        """Takes in the next pair, in which A won so many matches, unless it is decided."""
        if self.weighed.decision is Decision.OPEN:
            self.scores[won] += 1
            self.weighed = weigh(self.scores[0], self.scores[1], self.scores[2], self.asked)

    def add_all(self, won: Sequence[int]) -> None:
        """Takes in pairs in their order, as `add` does one by one, at the price of a few."""
        if not won or self.weighed.decision is not Decision.OPEN:
            return
        steps = np.eye(3, dtype=np.int64)[np.asarray(won)]
        counts = np.asarray(self.scores) + steps.cumsum(axis=0)
        llr = llr_of_many(counts, self.asked)
        far = (llr >= self.asked.upper - _NEAR) | (llr <= self.asked.lower + _NEAR)
        for at in (*np.flatnonzero(far).tolist(), len(won) - 1):
            lost, split, won_both = self.scores = counts[at].tolist()
            self.weighed = weigh(lost, split, won_both, self.asked)
            if self.weighed.decision is not Decision.OPEN:
                return


def trial_of(
    results: Iterable[Result], asked: Hypotheses, *, first_is_lower: bool, until: int
) -> Trial:
    """The test as the pairs below number `until` leave it; `first_is_lower`: A has the lower id.

    A pair of which a match is missing, void or without a winner is passed over.
    """
    won = list(_pairs(result for result in results if result.pair < until))
    return trial_of_pairs(won, asked, first_is_lower=first_is_lower)


def trial_of_pairs(
    won_by_lower: Sequence[int], asked: Hypotheses, *, first_is_lower: bool
) -> Trial:
    """The test after these whole pairs, in their order: how many matches of each the lower version
    won.
    """
    trial = Trial(asked)
    trial.add_all(won_by_lower if first_is_lower else [2 - won for won in won_by_lower])
    return trial


def _pairs(results: Iterable[Result]) -> Iterator[int]:
    """How many matches of each whole pair the lower version won, in the order of the pairs."""
    won: dict[int, list[bool]] = defaultdict(list)
    for result in results:
        if result.winner is not None:
            won[result.pair].append(result.winner == result.game)
    for pair in sorted(won):
        if len(won[pair]) == 2:
            yield sum(won[pair])
