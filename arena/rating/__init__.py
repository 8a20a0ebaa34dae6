"""Rating: results in, ratings with honest errors out. Pure; numpy."""

from arena.rating.bradley_terry import fit
from arena.rating.errors import BadCount, NotConverged, RatingError, SelfMeeting, UnknownVersion
from arena.rating.pair_table import Meeting, PairTable
from arena.rating.pairs import PairStatistics, pair_statistics
from arena.rating.ratings import CENTRE, Difference, Ratings, Standing

__all__ = [
    "CENTRE",
    "BadCount",
    "Difference",
    "Meeting",
    "NotConverged",
    "PairStatistics",
    "PairTable",
    "RatingError",
    "Ratings",
    "SelfMeeting",
    "Standing",
    "UnknownVersion",
    "fit",
    "pair_statistics",
]
