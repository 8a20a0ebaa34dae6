"""Rating: results in, ratings with honest errors out; and the luck of the cards."""

from arena.rating.bradley_terry import fit
from arena.rating.errors import (
    BadCount,
    BadHypotheses,
    NotConverged,
    RatingError,
    SelfMeeting,
    UnknownVersion,
)
from arena.rating.league import TALLY, Line, Result, Sums, rate, table_of, tally, versions_in
from arena.rating.luck import match_luck
from arena.rating.luck_adjusted import LEAST_PAIRS, LuckAdjusted, luck_adjusted
from arena.rating.pair_table import Meeting, PairTable
from arena.rating.pairs import PairStatistics, pair_statistics
from arena.rating.ratings import CENTRE, Difference, Ratings, Standing
from arena.rating.sequential import Decision, Hypotheses, Weighed, in_words, weigh
from arena.rating.trial import Trial, trial_of, trial_of_pairs

__all__ = [
    "CENTRE",
    "LEAST_PAIRS",
    "TALLY",
    "BadCount",
    "BadHypotheses",
    "Decision",
    "Difference",
    "Hypotheses",
    "Line",
    "LuckAdjusted",
    "Meeting",
    "NotConverged",
    "PairStatistics",
    "PairTable",
    "RatingError",
    "Ratings",
    "Result",
    "SelfMeeting",
    "Standing",
    "Sums",
    "Trial",
    "UnknownVersion",
    "Weighed",
    "fit",
    "in_words",
    "luck_adjusted",
    "match_luck",
    "pair_statistics",
    "rate",
    "table_of",
    "tally",
    "trial_of",
    "trial_of_pairs",
    "versions_in",
    "weigh",
]
