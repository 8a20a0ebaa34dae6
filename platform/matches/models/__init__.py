"""The models of matches, one file each."""

from matches.models.match import Match, MatchStatus, SeatLog
from matches.models.pairing import IDLE, Pairing, PairingStatus
from matches.models.ruling import Dispute, Ruling, RulingKind
from matches.models.worker import WorkerState, WorkerStatus

__all__ = [
    "IDLE",
    "Dispute",
    "Match",
    "MatchStatus",
    "Pairing",
    "PairingStatus",
    "Ruling",
    "RulingKind",
    "SeatLog",
    "WorkerState",
    "WorkerStatus",
]
