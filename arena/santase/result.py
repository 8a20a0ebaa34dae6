"""How a deal ended."""

from enum import StrEnum
from typing import NamedTuple

from .cards import Seat


class Reason(StrEnum):
    """Why a deal ended as it did."""

    CLAIM = "claim"  # R9.4
    CLAIM_AGAINST_CLOSER = "claim_against_closer"  # R10.6
    WRONG_CLAIM = "wrong_claim"  # R9.5
    FAILED_CLOSE = "failed_close"  # R9.6, R10.4
    SETTLED = "settled"  # R10.2
    TIE_LAST_TRICK = "tie_last_trick"  # R10.3
    VOID = "void"  # R10.3, option tie_end


class DealResult(NamedTuple):
    """The end of a deal: who scores how many game points, and the deal points behind it.

    `winner` is None only for a void deal; `totals` are both players' deal points, bonus included;
    `bonus_to` is the seat that got the last-trick bonus (R10.1).
    """

    winner: Seat | None
    points: int
    reason: Reason
    totals: tuple[int, int]
    tricks: tuple[int, int]
    bonus_to: Seat | None
