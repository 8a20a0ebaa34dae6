"""The engine against a second one, written from the clauses in another way (`oracle`)."""

import json

import pytest
from hypothesis import given, settings
from oracle import Options, count
from santase_kit import (
    cards,
    decks,
    oracle_of,
    plain,
    play_out,
    random_deal,
    rule_sets,
    seats,
    seeds,
)

from arena.santase import (
    PACK,
    PRESETS,
    Card,
    DealState,
    RuleSet,
    apply,
    legal_moves,
    start_deal,
)


def lines(state: DealState, depth: int) -> int:
    """How many lines of so many actions there are; one that ends the deal earlier counts once."""
    if depth == 0 or state.result is not None:
        return 1
    return sum(lines(apply(state, move), depth - 1) for move in legal_moves(state))


@settings(max_examples=150)
@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_both_engines_agree_on_every_state_of_a_deal(
    deck: tuple[Card, ...], dealer: int, rules: RuleSet, seed: int
) -> None:
    for state in random_deal(deck, dealer, rules, seed, patient=seed % 2 == 0):
        deal = oracle_of(state)
        assert [str(move) for move in legal_moves(state)] == sorted(deal.legal())
        assert list(state.points) == deal.points()
        assert plain(state.talon_cards) == deal.talon
        assert [{str(card) for card in hand} for hand in state.hands] == deal.hands
        assert plain(state.tricks) == plain(deal.won)
        assert (state.result is None) == (deal.result is None)
        if state.result is None:
            assert state.turn == deal.turn
        else:
            assert json.loads(json.dumps(state.result._asdict())) == deal.result


ALPHA = cards("JD QC 9D JH 9C 9S TC AC AH KH JS 9H TS TD AS KD QH QS JC AD KC QD TH KS")
OMEGA = tuple(reversed(PACK))

DECKS = {"alpha": ALPHA, "omega": OMEGA, "pack": PACK}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("deck", DECKS)
def test_both_engines_count_the_same_lines(deck: str, preset: str) -> None:
    options: Options = dict(PRESETS[preset].options())
    texts = [str(card) for card in DECKS[deck]]
    assert lines(start_deal(DECKS[deck], 0, PRESETS[preset]), 4) == count(texts, 0, options, 4)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("first", ["close", "exchange", "play"])
def test_both_engines_count_the_same_lines_in_the_middle_of_a_deal(first: str, preset: str) -> None:
    rules = PRESETS[preset]
    for seed in range(200):
        states = list(random_deal(ALPHA, 1, rules, seed))
        state = next((state for state in states if starts(state, first)), None)
        if state is not None:
            break
    assert state is not None
    line = tuple(str(move) for _, move in state.log)
    texts = [str(card) for card in ALPHA]
    assert lines(state, 3) == count(texts, 1, dict(rules.options()), 3, line)


def starts(state: DealState, first: str) -> bool:
    """Whether the last move is of a kind, late enough in the deal to be of interest."""
    return len(state.log) > 4 and str(state.log[-1][1]).startswith(first)


@pytest.mark.parametrize(
    ("preset", "deck", "expected"),
    [
        ("santase-bg", "alpha", 64_699),
        ("santase-bg", "omega", 60_012),
        ("santase-bg", "pack", 60_876),
        ("nikolayit", "alpha", 60_974),
        ("nikolayit", "omega", 56_862),
        ("nikolayit", "pack", 57_510),
        ("pagat-66", "alpha", 65_199),
        ("pagat-66", "omega", 61_200),
        ("pagat-66", "pack", 61_848),
    ],
)
def test_the_lines_of_six_actions_are_as_many_as_both_engines_counted(
    preset: str, deck: str, expected: int
) -> None:
    assert lines(start_deal(DECKS[deck], 1, PRESETS[preset]), 6) == expected


FOUR_TRICKS_LEFT = {
    "santase-bg": (
        "play:JD play:JH play:TD play:JS play:KD play:QC play:9H play:JC "
        "play:AD play:QH play:9C play:TC play:9D play:QD play:9S play:KS",
        555,
    ),
    "nikolayit": (
        "play:AC play:JS exchange play:9H play:9D play:KD play:QC play:KH play:TC play:JH "
        "play:AS play:AH play:TD play:JC play:9C play:QD play:AD",
        53,
    ),
    "pagat-66": (
        "play:TC play:JH play:QC play:9C play:AH play:KH play:TD play:JC "
        "play:AD play:JS play:AS play:QS play:9H play:TH play:AC play:KC",
        120,
    ),
}


@pytest.mark.parametrize("preset", FOUR_TRICKS_LEFT)
def test_the_last_four_tricks_have_as_many_lines_as_both_engines_counted(preset: str) -> None:
    line, expected = FOUR_TRICKS_LEFT[preset]
    late = play_out(start_deal(ALPHA, 1, PRESETS[preset]), line)
    assert late.strict
    assert lines(late, 99) == expected
