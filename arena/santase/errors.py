"""Errors of the rules.

SantaseError
├── NotationError (ValueError)
│   ├── UnknownCard      a text that names no card
│   └── UnknownMove      a text that names no action (R14.1)
├── BadDeck (ValueError)         not the 24 cards of the pack, each once
├── RuleOptionError (ValueError) an option of R15 given a value it cannot have
│   └── UnknownRuleOption        no option of R15 has that name
├── IllegalMove                  a known action that the rules refuse now
└── DealNotDue                   a deal handed to a match it does not belong to
"""

from collections.abc import Sequence


class SantaseError(Exception):
    """Whatever goes wrong in this package."""


class NotationError(SantaseError, ValueError):
    """A text that is not in the notation of R1.5 or of the actions."""


class UnknownCard(NotationError):
    """A text that names no card."""

    def __init__(self, text: object) -> None:
        super().__init__(
            f"{text!r:.40} is no card: "
            "a card is a rank (9 J Q K T A) and a suit (C D H S), as in TH (R1.5)"
        )


class UnknownMove(NotationError):
    """A text that names no action (R14.1)."""

    def __init__(self, text: object) -> None:
        super().__init__(
            f"{text!r:.40} is no action: the actions are play:<card>, meld:<suit>, "
            "exchange, close and claim (R14.1)"
        )


class BadDeck(SantaseError, ValueError):
    """A deck that is not the 24 cards of the pack, each once (R1.1)."""


class RuleOptionError(SantaseError, ValueError):
    """An option of R15 given a value it cannot have."""

    def __init__(self, option: str, value: object, allowed: Sequence[object]) -> None:
        self.option = option
        self.value = value
        self.allowed = tuple(allowed)
        choices = ", ".join(repr(choice) for choice in allowed)
        super().__init__(f"rule option {option!r:.40} cannot be {value!r:.40}; allowed: {choices}")


class UnknownRuleOption(RuleOptionError):
    """No option of R15 has that name; `allowed` are the names there are."""

    def __init__(self, option: str, value: object, known: Sequence[str]) -> None:
        super().__init__(option, value, known)
        self.args = (f"there is no rule option {option!r:.40}; the options: {', '.join(known)}",)


class IllegalMove(SantaseError):
    """A known action that the rules refuse now; `clause` is the one that refuses it."""

    def __init__(self, move: object, clause: str, reason: str) -> None:
        self.move = move
        self.clause = clause
        self.reason = reason
        super().__init__(f"{move} is refused: {reason} ({clause})")


class DealNotDue(SantaseError):
    """A deal handed to a match it does not belong to, or that is not over."""
