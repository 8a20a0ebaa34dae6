"""Rating: results in, ratings with honest errors out. Pure; numpy."""

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
from arena.rating.pair_table import Meeting, PairTable
from arena.rating.pairs import PairStatistics, pair_statistics
from arena.rating.ratings import CENTRE, Difference, Ratings, Standing
from arena.rating.sequential import Decision, Hypotheses, Weighed, in_words, weigh

__all__ = [
    "CENTRE",
    "TALLY",
    "BadCount",
    "BadHypotheses",
    "Decision",
    "Difference",
    "Hypotheses",
    "Line",
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
    "UnknownVersion",
    "Weighed",
    "fit",
    "in_words",
    "pair_statistics",
    "rate",
    "table_of",
    "tally",
    "versions_in",
    "weigh",
]
