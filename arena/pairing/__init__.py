"""Pairing: entries in, pairings out, one at a time and never as a list.

Pure: no clock, no randomness, no I/O. Which pairings have been played is the
caller's business; he only needs to remember how many he has taken.
"""

from arena.pairing.errors import DuplicateEntry, PairingError, PairingRangeError
from arena.pairing.round_robin import Pairing, RoundRobin

__all__ = ["DuplicateEntry", "Pairing", "PairingError", "PairingRangeError", "RoundRobin"]
