"""Matches: who deals, when it is over, and the cut of a match of void deals (R2.6, R2.7, R12)."""

import random

import pytest
from hypothesis import given
from santase_kit import deck_of, play_out, random_deal, rule_sets, seats, seeds

from arena.santase import (
    PACK,
    PRESETS,
    DealNotDue,
    DealState,
    MatchState,
    OptionValue,
    ruleset,
    start_deal,
    start_match,
)

FORTY = deck_of("AC AD JC KS QS 9C", "TC KD JD JS 9D QD", "9H")
THREE_FOR_THE_DEALER = "play:AC play:TC claim"
TWO_FOR_THE_ELDEST = "play:AC play:TC play:9C play:KC claim"


def after(match: MatchState, actions: str) -> MatchState:
    """The match after a deal of `FORTY` played like that."""
    return match.after(play_out(start_deal(FORTY, match.dealer, match.rules), actions))


def void_deal(match: MatchState) -> DealState:
    """The end of a deal without a winner, under tie_end=void."""
    for seed in range(10_000):
        rng = random.Random(seed)
        deck = tuple(rng.sample(PACK, len(PACK)))
        final = list(random_deal(deck, match.dealer, match.rules, seed))[-1]
        if final.result is not None and final.result.winner is None:
            return final
    raise AssertionError("no void deal found")


def test_a_match_begins_level_with_its_first_dealer_r2_1() -> None:
    match = start_match(ruleset(), first_dealer=1)
    assert (match.score, match.dealer, match.deal, match.winner) == ((0, 0), 1, 1, None)


def test_the_winner_of_a_deal_deals_the_next_r2_6() -> None:
    match = after(start_match(ruleset()), THREE_FOR_THE_DEALER)
    assert (match.score, match.dealer, match.deal) == ((3, 0), 0, 2)
    match = after(match, TWO_FOR_THE_ELDEST)
    assert (match.score, match.dealer, match.deal) == ((3, 2), 1, 3)


@pytest.mark.parametrize(
    ("value", "by_dealer", "by_eldest"), [("winner", 0, 1), ("loser", 1, 0), ("alternate", 1, 1)]
)
def test_next_dealer_says_who_deals_the_next_r2_6(
    value: OptionValue, by_dealer: int, by_eldest: int
) -> None:
    match = start_match(ruleset(next_dealer=value))
    assert after(match, THREE_FOR_THE_DEALER).dealer == by_dealer
    assert after(match, TWO_FOR_THE_ELDEST).dealer == by_eldest


@pytest.mark.parametrize("value", ["winner", "loser", "alternate"])
def test_the_same_player_deals_after_a_deal_without_winner_r2_7(value: OptionValue) -> None:
    for dealer in (0, 1):
        match = start_match(ruleset(tie_end="void", next_dealer=value), dealer)
        now = match.after(void_deal(match))
        assert (now.dealer, now.score, now.deal) == (dealer, (0, 0), 2)


@pytest.mark.parametrize(("target", "deals"), [(11, 4), (7, 3)])
def test_the_first_with_the_target_wins_r12_1(target: int, deals: int) -> None:
    match = start_match(ruleset(match_target=target))
    for _ in range(deals):
        assert match.winner is None
        match = after(match, THREE_FOR_THE_DEALER)
    assert (match.winner, match.score, match.deal) == (0, (3 * deals, 0), deals)


def test_a_match_of_void_deals_is_cut_after_100_r15() -> None:
    match = start_match(ruleset(tie_end="void"))
    void = void_deal(match)
    for _ in range(99):
        match = match.after(void)
    assert (match.deal, match.winner) == (100, None)
    level = match.after(void)
    assert level.winner == void.turn  # who won the last trick played
    ahead = after(match, TWO_FOR_THE_ELDEST)
    assert (ahead.winner, ahead.score) == (1, (0, 2))


def test_a_match_that_is_level_when_cut_goes_to_the_last_trick_r15() -> None:
    match = start_match(ruleset(tie_end="void"))
    void = void_deal(match)
    one_each = after(after(match, TWO_FOR_THE_ELDEST), TWO_FOR_THE_ELDEST)
    assert (one_each.score, one_each.dealer) == ((2, 2), 0)
    for _ in range(98):
        one_each = one_each.after(void)
    assert one_each.winner == void.turn
    assert void.result is not None
    assert void.turn == void.result.bonus_to


def test_a_deal_that_is_not_due_is_refused() -> None:
    match = start_match(ruleset())
    with pytest.raises(DealNotDue, match="has not ended"):
        after(match, "play:AC")
    with pytest.raises(DealNotDue, match="seat 0 deals"):
        match.after(play_out(start_deal(FORTY, 1, ruleset()), THREE_FOR_THE_DEALER))
    other = ruleset(wrong_claim="two")
    with pytest.raises(DealNotDue, match="santase-bg"):
        match.after(play_out(start_deal(FORTY, 0, other), THREE_FOR_THE_DEALER))
    over = start_match(PRESETS["pagat-66"])
    while over.winner is None:
        over = after(over, TWO_FOR_THE_ELDEST)
    with pytest.raises(DealNotDue, match="the match is over"):
        after(over, TWO_FOR_THE_ELDEST)


def test_the_first_dealer_is_a_seat() -> None:
    with pytest.raises(ValueError, match="first_dealer must be 0 or 1"):
        start_match(ruleset(), 2)


@given(rules=rule_sets, first_dealer=seats, seed=seeds)
def test_a_match_ends_in_time_and_only_one_player_scores_a_deal_r12_2_r12_4(
    rules: object, first_dealer: int, seed: int
) -> None:
    match = start_match(rules, first_dealer)  # type: ignore[arg-type]  # hypothesis
    rng = random.Random(seed)
    deals = 0
    while match.winner is None:
        deck = tuple(rng.sample(PACK, len(PACK)))
        final = list(random_deal(deck, match.dealer, match.rules, rng.getrandbits(32)))[-1]
        before, match = match, match.after(final)
        gained = [now - then for now, then in zip(match.score, before.score, strict=True)]
        assert sorted(gained)[0] == 0
        assert 0 <= sum(gained) <= 3
        deals += 1
    target = match.rules.match_target
    assert deals >= -(-target // 3)
    if match.rules.tie_end == "last_trick":  # every deal has a winner
        assert deals <= 2 * target - 1
    assert max(match.score) >= target or deals == 100
    assert match.score[match.winner] == max(match.score)
