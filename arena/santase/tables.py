"""What the rules allow at each stage of a deal, worked out once for a rule set and a trump suit.

A *stage* is the number of tricks taken, plus 12 once the talon is closed. So stages 0 to 5 are
the open phase (the talon holds 12 − 2 × stage cards), from 6 on the phase is strict (R5.1): the
talon has been drawn out (6 to 11) or is closed (12 to 23).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .cards import Card, Suit
from .masks import (
    ALL_MELDS,
    GAIN,
    HIGHER,
    KINGS,
    KINGS_AND_QUEENS,
    MELDS_HELD,
    SAME_SUIT,
    SUIT_CARDS,
)
from .moves import CLAIM, CLOSE, EXCHANGE, play

if TYPE_CHECKING:
    from .rules import RuleSet

STRICT: Final = 6
"""The first strict stage (R5.1)."""

TWELFTH_TRICK: Final = 11
"""The stage in which the twelfth trick is played."""

CLOSED: Final = 12
"""What closing adds to the stage."""

_STAGES: Final = range(2 * CLOSED)


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Which moves a rule set allows under a trump suit; tuples of masks are by stage."""

    rules: "RuleSet"
    trump: Suit
    trumps: int
    """The trump cards."""
    nine: int
    """The nine of trumps (R7.5)."""
    gain: tuple[tuple[int, ...], ...]
    """By the codes of lead and reply: what the leader wins, below 0 the replier (`masks.GAIN`)."""
    free: tuple[int, ...]
    """What a leader may do whatever he holds: claim and close."""
    melds: tuple[int, ...]
    """The melds that a leader may make of the pairs he holds."""
    exchange: tuple[int, ...]
    """The exchange by a leader who holds the nine."""
    any_reply: int
    """In stages before this one a replier may play any card and do nothing else (R4.1)."""
    reply_exchange: tuple[int, ...]
    """The exchange by a replier who holds the nine."""
    auto_claim: bool
    auto_meld: bool

    def lead_mask(self, hand: int, stage: int) -> int:
        """The legal moves of a leader who has not melded in this turn (R3.7); any card (R5.6)."""
        mask = hand | self.free[stage]
        if hand & self.nine:  # R7.5
            mask |= self.exchange[stage]
        if held := MELDS_HELD[hand >> KINGS & KINGS_AND_QUEENS]:  # R6.2
            mask |= held & self.melds[stage]
        return mask

    def reply_mask(self, hand: int, led: int, stage: int) -> int:
        """The legal moves of a replier to the card with the code `led`."""
        if stage < STRICT:  # R4.1
            return hand | self.reply_exchange[stage] if hand & self.nine else hand
        return (
            hand & HIGHER[led]  # R5.2
            or hand & SAME_SUIT[led]  # R5.3
            or hand & self.trumps  # R5.4
            or hand  # R5.5
        )


def talon_at(stage: int) -> int:
    """How many cards the talon holds at a stage, if it has not been closed (R2.4, R3.5)."""
    return max(0, 12 - 2 * stage)


def tables_for(rules: "RuleSet", trump: Suit) -> Tables:
    """The tables of a rule set under a trump suit."""
    exchange = tuple(_exchange(rules, stage) for stage in _STAGES)
    in_reply = rules.exchange_turn == "own_turn"  # R7.1
    return Tables(
        rules=rules,
        trump=trump,
        trumps=SUIT_CARDS[trump],
        nine=play(Card(6 * trump)).bit,
        gain=GAIN[trump],
        free=tuple(_claim(rules, stage) | _close(rules, stage) for stage in _STAGES),
        melds=tuple(_melds(rules, stage) for stage in _STAGES),
        exchange=exchange,
        any_reply=0 if in_reply else STRICT,
        reply_exchange=exchange if in_reply else (0,) * len(_STAGES),
        auto_claim=rules.claim_mode == "auto",
        auto_meld=rules.meld_compulsory,
    )


def _claim(rules: "RuleSet", stage: int) -> int:
    """R9.2: on lead after a trick is to have taken it."""
    return CLAIM.bit if rules.claim_mode == "explicit" and stage % CLOSED > 0 else 0


def _close(rules: "RuleSet", stage: int) -> int:
    """R8.2 not before the first trick, R8.3 enough cards, R8.4 once a deal."""
    if stage >= STRICT or talon_at(stage) < rules.close_min_talon:
        return 0
    return CLOSE.bit if stage > 0 or rules.close_first_trick else 0


def _melds(rules: "RuleSet", stage: int) -> int:
    """R6.3 not before the first trick, R6.7 in every phase."""
    if stage % CLOSED == 0 and not rules.meld_first_trick:
        return 0
    return ALL_MELDS if stage < STRICT or rules.meld_in_strict else 0


def _exchange(rules: "RuleSet", stage: int) -> int:
    """R7.2 not before the first trick, R7.3 enough cards, R7.4 not once closed."""
    if stage == 0 or stage >= STRICT or talon_at(stage) < rules.exchange_min_talon:
        return 0
    return EXCHANGE.bit
