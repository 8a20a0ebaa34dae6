"""Pairing: entries in, pairings out, one at a time and never as a list.

Pure: no clock, no randomness, no I/O. A `Schedule` has an end, and the caller only needs to
remember how many pairings he has taken; a `Ladder` has none, and the caller tells how often who has
played.
"""

from arena.pairing.errors import DuplicateEntry, PairingError, PairingRangeError
from arena.pairing.faults import FAULTS_IN_A_ROW, is_to_be_paused
from arena.pairing.gauntlet import Gauntlet
from arena.pairing.ladder import LONGEST_GAP_S, Contender, Ladder
from arena.pairing.round_robin import RoundRobin
from arena.pairing.schedule import Pairing, Schedule

__all__ = [
    "FAULTS_IN_A_ROW",
    "LONGEST_GAP_S",
    "Contender",
    "DuplicateEntry",
    "Gauntlet",
    "Ladder",
    "Pairing",
    "PairingError",
    "PairingRangeError",
    "RoundRobin",
    "Schedule",
    "is_to_be_paused",
]
