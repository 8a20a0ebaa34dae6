"""What a deal begins with, and from it what a hand may do."""

from .cards import Card, Seat
from .masks import (
    BEATING,
    CLAIM_BIT,
    CLOSE_BIT,
    EXCHANGE_BIT,
    HIGHER,
    KING_TO_MELD,
    MELD_BITS,
    NINE_TO_EXCHANGE,
    QUEEN_TO_MELD,
    SAME_SUIT,
    SUIT_CARDS,
)
from .rules import RuleSet
from .stages import STRICT


class Layout:
    """What a deal begins with, and the tables that follow from it. Only an exchange changes it."""

    __slots__ = (
        "auto_claim",
        "auto_meld",
        "beating",
        "dealer",
        "deck",
        "draws",
        "lead",
        "nine_shift",
        "reply",
        "rules",
        "trump",
        "trumps",
    )

    def __init__(
        self, deck: tuple[Card, ...], dealer: Seat, rules: RuleSet, draws: tuple[int, ...]
    ) -> None:
        self.deck = deck
        self.dealer = dealer
        self.rules = rules
        self.draws = draws  # the bits of the talon's cards as they will be drawn (R2.5)
        self.trump = trump = deck[12].suit  # R2.4
        self.trumps = SUIT_CARDS[trump]
        self.beating = BEATING[trump]
        self.nine_shift = NINE_TO_EXCHANGE[trump]
        self.lead, self.reply = rules.stages
        self.auto_claim = rules.claim_mode == "auto"
        self.auto_meld = rules.meld_compulsory


def lead_mask(layout: Layout, hand: int, stage: int) -> int:
    """The legal moves of a leader who has not melded in this turn (R3.7).

    Any card (R5.6), and of what the stage allows: claim, close, the exchange if he holds the nine
    of trumps (R7.5), and the melds of which he holds king and queen (R6.2).
    """
    return hand | layout.lead[stage] & (
        CLAIM_BIT
        | CLOSE_BIT
        | hand >> layout.nine_shift & EXCHANGE_BIT
        | hand >> KING_TO_MELD & hand >> QUEEN_TO_MELD & MELD_BITS
    )


def reply_mask(layout: Layout, hand: int, led: int, stage: int) -> int:
    """The legal moves of a replier to the card with code `led`."""
    if stage < STRICT:  # R4.1; R7.1 with exchange_turn=own_turn
        return hand | layout.reply[stage] & hand >> layout.nine_shift
    return (
        hand & HIGHER[led]  # R5.2
        or hand & SAME_SUIT[led]  # R5.3
        or hand & layout.trumps  # R5.4
        or hand  # R5.5
    )
