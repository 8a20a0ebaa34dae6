"""The models of matches, one file each."""

from matches.models.match import Match, MatchStatus, SeatLog
from matches.models.pairing import Pairing, PairingStatus
from matches.models.worker import WorkerState, WorkerStatus

__all__ = [
    "Match",
    "MatchStatus",
    "Pairing",
    "PairingStatus",
    "SeatLog",
    "WorkerState",
    "WorkerStatus",
]
