"""What the stage of a deal allows, worked out once for each rule set.

A *stage* is the number of tricks taken, plus 12 once the talon is closed. So stages 0 to 5 are
the open phase (the talon holds 12 − 2 × stage cards), from 6 on the phase is strict (R5.1),
either because the talon has been drawn out (6 to 11) or because it is closed (12 to 23).
"""

from typing import Final, NamedTuple

from .masks import CLAIM_BIT, CLOSE_BIT, EXCHANGE_BIT, MELD_BITS

STRICT: Final = 6
"""The first strict stage (R5.1)."""

LAST_OPEN: Final = 11
"""The stage in which the twelfth trick is played."""

CLOSED: Final = 12
"""What closing adds to the stage."""


class StageTables(NamedTuple):
    """By stage: what a leader, and a replier, may do besides playing a card, if his cards allow."""

    lead: tuple[int, ...]
    reply: tuple[int, ...]


def talon_at(stage: int) -> int:
    """How many cards the talon holds in an open stage (R2.4, R3.5)."""
    return max(0, 12 - 2 * stage)


def stage_tables(
    *,
    claim: bool,
    meld_first_trick: bool,
    meld_in_strict: bool,
    exchange_min_talon: int,
    exchange_in_reply: bool,
    close_min_talon: int,
    close_first_trick: bool,
) -> StageTables:
    """The tables for a choice of options."""

    def exchange(stage: int) -> int:
        # R7.2: not before the first trick. R7.3: enough cards. R7.4: not once closed.
        allowed = 0 < stage < STRICT and talon_at(stage) >= exchange_min_talon
        return EXCHANGE_BIT if allowed else 0

    def lead(stage: int) -> int:
        tricks = stage % CLOSED
        mask = exchange(stage)
        if claim and tricks > 0:  # R9.2: on lead after a trick means having taken it
            mask |= CLAIM_BIT
        if (tricks > 0 or meld_first_trick) and (stage < STRICT or meld_in_strict):  # R6.3, R6.7
            mask |= MELD_BITS
        if (tricks > 0 or close_first_trick) and stage < STRICT:  # R8.2, R8.4
            mask |= CLOSE_BIT if talon_at(stage) >= close_min_talon else 0  # R8.3
        return mask

    stages = range(CLOSED + 12)
    return StageTables(
        lead=tuple(lead(stage) for stage in stages),
        reply=tuple(exchange(stage) if exchange_in_reply else 0 for stage in stages),  # R7.1
    )
