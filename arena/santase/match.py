"""A match: deals until somebody has the game points (R12)."""

from dataclasses import dataclass, replace

from .cards import Seat
from .deal import DealState
from .errors import DealNotDue
from .rules import RuleSet

DEALS_BEFORE_CUT = 100
"""With tie_end=void a match is cut after so many deals (below the presets of R15)."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match between two deals.

    `deal` is the number, from 1, of the deal that is due, and `dealer` who deals it; once there
    is a `winner`, they are those of the last deal.
    """

    rules: RuleSet
    score: tuple[int, int]
    dealer: Seat
    deal: int
    winner: Seat | None

    def after(self, final: DealState) -> "MatchState":
        """The match after the deal that was due; `final` is its end. Raises DealNotDue."""
        self._check(final)
        result = final.result
        assert result is not None
        score = list(self.score)
        if result.winner is not None:
            score[result.winner] += result.points
        now = replace(self, score=(score[0], score[1]))
        winner = now._target_reached()  # R12.1
        if winner is None and self._cut():
            winner = now._winner_when_cut(final)
        if winner is not None:
            return replace(now, winner=winner)
        return replace(now, deal=self.deal + 1, dealer=self._next_dealer(result.winner))

    def _check(self, final: DealState) -> None:
        if self.winner is not None:
            raise DealNotDue("the match is over: no deal is due")
        if final.result is None:
            raise DealNotDue(f"deal {self.deal} has not ended")
        if final.dealer != self.dealer or final.rules != self.rules:
            raise DealNotDue(
                f"not the deal that is due: seat {self.dealer} deals, under {self.rules.name}"
            )

    def _target_reached(self) -> Seat | None:
        target = self.rules.match_target
        return next((seat for seat in (0, 1) if self.score[seat] >= target), None)

    def _cut(self) -> bool:
        return self.rules.tie_end == "void" and self.deal >= DEALS_BEFORE_CUT

    def _winner_when_cut(self, final: DealState) -> Seat:
        """The higher score; if level, the winner of the last trick played."""
        if self.score[0] == self.score[1]:
            return final.turn
        return 0 if self.score[0] > self.score[1] else 1

    def _next_dealer(self, winner: Seat | None) -> Seat:
        """Who deals next: R2.6, and after a deal without winner the same player (R2.7)."""
        if winner is None:
            return self.dealer
        match self.rules.next_dealer:
            case "winner":
                return winner
            case "loser":
                return 1 - winner
            case "alternate":
                return 1 - self.dealer


def start_match(rules: RuleSet, first_dealer: Seat = 0) -> MatchState:
    """A match before its first deal (R2.1)."""
    if first_dealer not in (0, 1):
        raise ValueError(f"first_dealer must be 0 or 1, not {first_dealer!r}")
    return MatchState(rules, score=(0, 0), dealer=first_dealer, deal=1, winner=None)
