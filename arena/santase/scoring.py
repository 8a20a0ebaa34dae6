"""Who wins a deal, and how many game points (R9 to R11)."""

from typing import Final

from .cards import Seat
from .masks import TRICK
from .position import Closing, by_seat, counted
from .result import DealResult, Reason
from .rules import RuleSet

WINNING_POINTS: Final = 66
"""The deal points that win (R9.4)."""

SCHNEIDER: Final = 33
"""A loser with fewer deal points loses double (R11.2)."""


def claim_result(
    rules: RuleSet, closing: Closing | None, claimer: Seat, won: int, other_won: int
) -> DealResult:
    """The end of a deal by a claim, right or wrong; `won` is what the claimer has won."""
    opponent, tricks = 1 - claimer, other_won // TRICK
    points = counted(other_won)
    if counted(won) >= WINNING_POINTS:
        winner = claimer
        if closing is None or closing.seat == claimer:  # R9.4
            reason, value = Reason.CLAIM, _win_value(rules, closing, points, tricks)
        else:  # R10.6
            reason, value = Reason.CLAIM_AGAINST_CLOSER, _failed_close_value(rules, closing)
    else:
        winner = opponent
        if closing is None or closing.seat == opponent:  # R9.5
            reason, value = Reason.WRONG_CLAIM, _wrong_claim_value(rules, tricks)
        else:  # R9.6
            reason, value = Reason.FAILED_CLOSE, _failed_close_value(rules, closing)
    totals = by_seat(claimer, counted(won), points)
    return DealResult(winner, value, reason, totals, by_seat(claimer, won // TRICK, tricks), None)


def settled_result(
    rules: RuleSet, closing: Closing | None, last: Seat, won: int, other_won: int
) -> DealResult:
    """The end of a deal whose cards have run out; `won` is what the last trick's winner has won."""
    totals = by_seat(last, counted(won), counted(other_won))
    tricks = by_seat(last, won // TRICK, other_won // TRICK)
    bonus_to = None
    if closing is None and rules.last_trick_bonus:  # R10.1, R8.7
        bonus_to = last
        bonus = rules.last_trick_bonus
        totals = (totals[0], totals[1] + bonus) if last else (totals[0] + bonus, totals[1])
    winner = _settled_winner(rules, totals, last)
    if closing is not None and winner != closing.seat:  # R10.4
        winner, reason = 1 - closing.seat, Reason.FAILED_CLOSE
        value = _failed_close_value(rules, closing)
    elif winner is not None:  # R10.2
        reason = Reason.SETTLED
        value = _win_value(rules, closing, totals[1 - winner], tricks[1 - winner])
    elif rules.tie_end == "last_trick":  # R10.3
        winner, reason = last, Reason.TIE_LAST_TRICK
        value = _win_value(rules, closing, totals[1 - last], tricks[1 - last])
    else:
        reason, value = Reason.VOID, 0
    return DealResult(winner, value, reason, totals, tricks, bonus_to)


def _settled_winner(rules: RuleSet, totals: tuple[int, int], last: Seat) -> Seat | None:
    """Who has won a deal played out (R10.2).

    None where nobody has 66, or both have the same under no_claim_end=higher_total.
    """
    first = last  # who is asked first whether he has 66
    if rules.no_claim_end == "higher_total":
        if totals[0] == totals[1]:
            return None
        first = 0 if totals[0] > totals[1] else 1
    return next((seat for seat in (first, 1 - first) if totals[seat] >= WINNING_POINTS), None)


def _win_value(rules: RuleSet, closing: Closing | None, points: int, tricks: int) -> int:
    """The game points of a win; `points` and `tricks` are the loser's (R11)."""
    if closing is not None and rules.close_eval == "at_close":  # R11.4
        points, tricks = closing.opponent_points, closing.opponent_tricks
    if tricks == 0:  # R11.3
        return 3
    return 2 if points < SCHNEIDER else 1  # R11.2, R11.1


def _failed_close_value(rules: RuleSet, closing: Closing) -> int:
    """The game points of the closer's opponent (R10.5)."""
    if rules.failed_close == "three":
        return 3
    return 3 if closing.opponent_tricks == 0 else 2


def _wrong_claim_value(rules: RuleSet, winner_tricks: int) -> int:
    """The game points for the other's wrong claim (R9.5)."""
    match rules.wrong_claim:
        case "two":
            return 2
        case "three":
            return 3
        case "value_min2":
            return 3 if winner_tricks == 0 else 2
