"""What the tests of the rules share: decks, rule sets, deals played at random."""

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from oracle import Options, Oracle

from arena.santase import (
    OPTIONS,
    PACK,
    PRESETS,
    Card,
    DealState,
    RuleSet,
    Suit,
    View,
    apply,
    legal_moves,
    parse_cards,
    parse_move,
    ruleset,
    start_deal,
)

decks = st.permutations(PACK).map(tuple)
seats = st.integers(0, 1)
seeds = st.integers(0, 2**32)
rule_sets = st.one_of(
    st.sampled_from(list(PRESETS.values())),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()}).map(
        lambda options: ruleset(**options)
    ),
)


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text like "9C JC"."""
    return parse_cards(text.split())


def deck_of(eldest: str, dealer: str, turned: str, talon: str = "") -> tuple[Card, ...]:
    """A deck from the two hands, the turned card and the first cards of the talon; the rest of the
    pack follows in pack order."""
    one, other, top = cards(eldest), cards(dealer), cards(turned)
    first = cards(talon)
    rest = [card for card in PACK if card not in {*one, *other, *top, *first}]
    return (*one[:3], *other[:3], *one[3:], *other[3:], *top, *first, *rest)


def play_out(state: DealState, actions: str) -> DealState:
    """The state after the actions of a text like "play:AC play:9C close"."""
    for action in actions.split():
        state = apply(state, parse_move(action))
    return state


def texts(state: DealState) -> list[str]:
    """The legal moves as texts."""
    return [str(move) for move in legal_moves(state)]


def random_deal(
    deck: tuple[Card, ...], dealer: int, rules: RuleSet, seed: int, *, patient: bool = True
) -> Iterator[DealState]:
    """Every state of a deal played at random; patient players seldom claim or close."""
    rng = random.Random(seed)
    state = start_deal(deck, dealer, rules)
    yield state
    while moves := legal_moves(state):
        move = rng.choice(moves)
        if patient and str(move) in ("claim", "close") and rng.random() < 0.9:
            move = moves[-1]
        state = apply(state, move)
        yield state


def oracle_of(state: DealState) -> Oracle:
    """The oracle led through the same actions."""
    options: Options = dict(state.rules.options())
    deal = Oracle([str(card) for card in state.deck], state.dealer, options)
    for seat, move in state.log:
        assert deal.turn == seat
        deal.do(str(move))
    return deal


def plain(value: Any) -> Any:
    """A view's value with cards and suits as texts and every sequence a list."""
    if isinstance(value, Card | Suit):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def plain_view(view: View) -> dict[str, Any]:
    """A view as the protocol writes it."""
    return {name: plain(getattr(view, name)) for name in View._fields}
