"""The rules of Santase (Сантасе, Sixty-six): pure values, no input or output, clock or chance.

A deal is a chain of immutable states:

    state = start_deal(deck, dealer, ruleset())
    while state.result is None:
        state = apply(state, choose(legal_moves(state)))

and a match counts them: `start_match(rules).after(state)`. `view_for` gives what a seat may know.
"""

from .cards import PACK, Card, Seat, Suit
from .deal import DealState, start_deal
from .errors import (
    BadDeck,
    DealNotDue,
    IllegalMove,
    NotationError,
    RuleOptionError,
    SantaseError,
    UnknownCard,
    UnknownMove,
    UnknownRuleOption,
)
from .match import MatchState, start_match
from .moves import CLAIM, CLOSE, EXCHANGE, MOVES, Move, MoveKind, meld, play
from .notation import parse_card, parse_cards, parse_move
from .position import Position, start_position
from .result import DealResult, Reason
from .rules import CUSTOM, OPTIONS, PRESETS, OptionValue, RuleSet, ruleset, ruleset_from_dict
from .step import advance, legal_codes
from .turn import apply, legal_moves
from .view import View, view_for

__all__ = [
    "CLAIM",
    "CLOSE",
    "CUSTOM",
    "EXCHANGE",
    "MOVES",
    "OPTIONS",
    "PACK",
    "PRESETS",
    "BadDeck",
    "Card",
    "DealNotDue",
    "DealResult",
    "DealState",
    "IllegalMove",
    "MatchState",
    "Move",
    "MoveKind",
    "NotationError",
    "OptionValue",
    "Position",
    "Reason",
    "RuleOptionError",
    "RuleSet",
    "SantaseError",
    "Seat",
    "Suit",
    "UnknownCard",
    "UnknownMove",
    "UnknownRuleOption",
    "View",
    "advance",
    "apply",
    "legal_codes",
    "legal_moves",
    "meld",
    "parse_card",
    "parse_cards",
    "parse_move",
    "play",
    "ruleset",
    "ruleset_from_dict",
    "start_deal",
    "start_match",
    "start_position",
    "view_for",
]
