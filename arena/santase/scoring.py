"""Who wins a deal, and how many game points (R9 to R11)."""

from typing import Final

from .cards import Seat
from .deal import DealState
from .result import DealResult, Reason

WINNING_POINTS: Final = 66
"""The deal points that win (R9.4)."""

SCHNEIDER: Final = 33
"""The deal points that save a loser half (R11.1)."""


def claim_result(state: DealState) -> DealResult:
    """The end of a deal by the claim of the player on turn, right or wrong (R9.4 – R9.6, R10.6)."""
    claimer = state.turn
    opponent = 1 - claimer
    closer = state.closed_by
    if state.points[claimer] >= WINNING_POINTS:
        if closer == opponent:  # R10.6
            return _result(state, claimer, _failed_close_points(state), Reason.CLAIM_AGAINST_CLOSER)
        return _result(state, claimer, _win_points(state, state.points, opponent), Reason.CLAIM)
    if closer == claimer:  # R9.6
        return _result(state, opponent, _failed_close_points(state), Reason.FAILED_CLOSE)
    return _result(state, opponent, _wrong_claim_points(state, opponent), Reason.WRONG_CLAIM)


def settled_result(state: DealState) -> DealResult:
    """The end of a deal whose cards have run out; its last trick went to the player on turn."""
    last, closer, rules = state.turn, state.closed_by, state.rules
    totals, bonus_to = state.points, None
    if closer is None and rules.last_trick_bonus:  # R10.1, R8.7
        bonus_to = last
        totals = _plus(totals, last, rules.last_trick_bonus)
    winner = _settled_winner(state, totals)
    if closer is not None and winner != closer:  # R10.4
        return _result(state, 1 - closer, _failed_close_points(state), Reason.FAILED_CLOSE)
    if winner is not None:
        points, reason = _win_points(state, totals, 1 - winner), Reason.SETTLED
    elif rules.tie_end == "last_trick":  # R10.3
        winner = last
        points, reason = _win_points(state, totals, 1 - winner), Reason.TIE_LAST_TRICK
    else:
        points, reason = 0, Reason.VOID
    return DealResult(winner, points, reason, totals, state.trick_counts, bonus_to)


def _settled_winner(state: DealState, totals: tuple[int, int]) -> Seat | None:
    """Who has won a deal played out (R10.2).

    None where nobody has 66, or both have the same under no_claim_end=higher_total.
    """
    last = state.turn
    order = (last, 1 - last)
    if state.rules.no_claim_end == "higher_total":
        if totals[0] == totals[1]:
            return None
        order = (0, 1) if totals[0] > totals[1] else (1, 0)
    return next((seat for seat in order if totals[seat] >= WINNING_POINTS), None)


def _win_points(state: DealState, totals: tuple[int, int], loser: Seat) -> int:
    """The game points of a win by claim or by the settling of R10 (R11)."""
    points, tricks = totals[loser], state.trick_counts[loser]
    closing = state.closing
    if closing is not None and state.rules.close_eval == "at_close":  # R11.4
        points, tricks = closing.opponent_points, closing.opponent_tricks
    if tricks == 0:  # R11.3
        return 3
    return 2 if points < SCHNEIDER else 1  # R11.2, R11.1


def _failed_close_points(state: DealState) -> int:
    """The game points of the closer's opponent (R10.5)."""
    closing = state.closing
    assert closing is not None
    if state.rules.failed_close == "three":
        return 3
    return 3 if closing.opponent_tricks == 0 else 2


def _wrong_claim_points(state: DealState, winner: Seat) -> int:
    """The game points of the opponent of a wrong claim (R9.5)."""
    match state.rules.wrong_claim:
        case "two":
            return 2
        case "three":
            return 3
        case "value_min2":
            return 3 if state.trick_counts[winner] == 0 else 2


def _plus(totals: tuple[int, int], seat: Seat, points: int) -> tuple[int, int]:
    return (totals[0] + points, totals[1]) if seat == 0 else (totals[0], totals[1] + points)


def _result(state: DealState, winner: Seat, points: int, reason: Reason) -> DealResult:
    return DealResult(winner, points, reason, state.points, state.trick_counts, None)
