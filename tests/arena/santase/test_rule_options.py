"""Each option of R15 at work: the same deal under its values (fc132)."""

from pathlib import Path

import pytest
from santase_kit import deck_of, play_out, texts

from arena.commands.vector_check import check
from arena.commands.vector_records import DealRecord, read_record
from arena.santase import (
    Card,
    DealResult,
    DealState,
    IllegalMove,
    OptionValue,
    Suit,
    parse_cards,
    ruleset,
    start_deal,
)

# The eldest hand, seat 0, leads ace, ace and jack for 40 points; then comes a pair of spades.
FORTY = deck_of("AC AD JC KS QS 9C", "TC KD JD JS 9D QD", "9H")
FORTY_IN_SPADES = deck_of("AC AD JC KS QS 9C", "TC KD JD JS 9D QD", "9S")
FORTY_POINTS = "play:AC play:TC play:AD play:KD play:JC play:JD"
PAIR_BEATEN = deck_of("AC AD JC KS QS 9C", "TC KD JD AS 9D QD", "9H")

# Seat 0 takes the first five tricks with aces and tens and keeps the nine of trumps.
STRONG = deck_of("AC AD AS TC TD 9H", "9C JC 9D JD 9S JS", "AH", "KC QC KD QD KS QS TS TH JH QH KH")
FIVE_TRICKS = "play:AC play:9C play:AD play:9D play:AS play:9S play:TC play:JC play:TD play:JD"
# The other way round: the dealer, seat 1, holds the nine and only replies.
NINE_BEHIND = deck_of("AC AD AS TC TD JC", "9H 9C JD 9D 9S JS", "AH")

RECORDS = {
    record.name: record
    for line in (Path(__file__).parents[2] / "data" / "vectors.jsonl").read_bytes().splitlines()
    if isinstance(record := read_record(line), DealRecord)
}


def deal(deck: tuple[Card, ...], actions: str = "", **options: OptionValue) -> DealState:
    """Seat 1 deals and seat 0 leads; the state after some actions."""
    return play_out(start_deal(deck, 1, ruleset(**options)), actions)


def end(deck: tuple[Card, ...], actions: str, **options: OptionValue) -> DealResult:
    result = deal(deck, actions, **options).result
    assert result is not None
    return result


def recorded(name: str, **options: OptionValue) -> DealResult:
    """The result of a recorded deal's actions under other rules."""
    record = RECORDS[name]
    state = start_deal(parse_cards(record.deck), record.dealer, ruleset(**options))
    result = play_out(state, " ".join(step.action for step in record.steps)).result
    assert result is not None
    return result


CHANGED = [name for name in RECORDS if name.startswith("option_")]


@pytest.mark.parametrize("name", CHANGED)
def test_a_deal_that_an_option_changes_is_another_under_the_default_fc132(name: str) -> None:
    record = RECORDS[name]
    plain = DealRecord(
        record.name, record.deck, record.dealer, record.steps, record.result, rules={}
    )
    assert check(record) is None
    assert check(plain) is not None


# claim_mode (R9)


def test_claim_mode_auto_ends_the_deal_at_a_trick_that_makes_66_r9() -> None:
    actions = FORTY_POINTS + " meld:S play:KS play:JS"
    assert deal(FORTY, actions).result is None
    result = end(FORTY, actions, claim_mode="auto")
    assert (result.winner, result.points, result.reason) == (0, 3, "claim")


def test_claim_mode_auto_ends_the_deal_at_a_meld_that_makes_66_r9() -> None:
    result = end(FORTY_IN_SPADES, FORTY_POINTS + " meld:S", claim_mode="auto")
    assert (result.winner, result.totals, result.reason) == (0, (80, 0), "claim")


def test_claim_mode_auto_ends_the_deal_before_the_draw_r9() -> None:
    state = deal(FORTY, FORTY_POINTS + " meld:S play:KS play:JS", claim_mode="auto")
    assert state.talon == len(state.talon_cards) == 6
    assert [len(hand) for hand in state.hands] == [5, 5]


def test_claim_mode_auto_never_offers_a_claim_r9() -> None:
    assert "claim" in texts(deal(FORTY, FORTY_POINTS))
    assert "claim" not in texts(deal(FORTY, FORTY_POINTS, claim_mode="auto"))
    with pytest.raises(IllegalMove, match=r"R15"):
        deal(FORTY, FORTY_POINTS + " claim", claim_mode="auto")


# wrong_claim (R9.5)


@pytest.mark.parametrize(("value", "points"), [("value_min2", 3), ("two", 2), ("three", 3)])
def test_wrong_claim_against_a_player_without_a_trick_r9_5(value: str, points: int) -> None:
    result = end(FORTY, "play:AC play:TC claim", wrong_claim=value)
    assert (result.winner, result.points, result.reason) == (1, points, "wrong_claim")


@pytest.mark.parametrize(("value", "points"), [("value_min2", 2), ("two", 2), ("three", 3)])
def test_wrong_claim_against_a_player_with_a_trick_r9_5(value: str, points: int) -> None:
    result = end(FORTY, "play:AC play:TC play:9C play:KC claim", wrong_claim=value)
    assert (result.winner, result.points, result.reason) == (0, points, "wrong_claim")


def test_wrong_claim_against_the_closer_is_no_failed_close_r9_5() -> None:
    actions = "play:AC play:TC close play:9C play:KC claim"
    for options in ({}, {"close_eval": "at_close"}, {"failed_close": "two_or_three_at_close"}):
        result = end(FORTY, actions, **options)
        assert (result.winner, result.points, result.reason) == (0, 2, "wrong_claim")


# meld_first_trick (R6.3, R6.4)


def test_meld_first_trick_lets_the_opening_lead_meld_r6_3() -> None:
    assert "meld:S" not in texts(deal(FORTY))
    assert "meld:S" in texts(deal(FORTY, meld_first_trick=True))


def test_meld_first_trick_points_wait_until_the_melder_has_a_trick_r6_4() -> None:
    melded = deal(FORTY, "meld:S", meld_first_trick=True)
    assert melded.points == (0, 0)
    assert texts(melded) == ["play:KS", "play:QS"]  # R9.2: no claim without a trick
    assert deal(FORTY, "meld:S play:KS play:JS", meld_first_trick=True).points == (26, 0)
    beaten = deal(PAIR_BEATEN, "meld:S play:KS play:AS", meld_first_trick=True)
    assert beaten.points == (0, 15)
    assert beaten.melds == (((Suit.S, 20),), ())
    assert play_out(beaten, "play:9D play:AD").points == (31, 15)


# meld_in_strict (R6.7)


def test_meld_in_strict_no_forbids_melds_once_the_talon_is_closed_r6_7() -> None:
    actions = "play:AC play:TC close"
    assert "meld:S" in texts(deal(FORTY, actions))
    assert "meld:S" not in texts(deal(FORTY, actions, meld_in_strict=False))
    with pytest.raises(IllegalMove, match=r"R6\.7"):
        deal(FORTY, actions + " meld:S", meld_in_strict=False)


# meld_compulsory (R6.6)


def test_meld_compulsory_credits_the_lead_of_half_a_pair_r6_6() -> None:
    actions = FORTY_POINTS + " play:QS"
    assert deal(FORTY, actions).points == (40, 0)
    state = deal(FORTY, actions, meld_compulsory=True)
    assert state.points == (60, 0)
    assert state.melds == (((Suit.S, 20),), ())
    assert [str(move) for _, move in state.log][-1] == "play:QS"


def test_meld_compulsory_leaves_the_meld_legal_and_counts_it_once_r6_6() -> None:
    state = deal(FORTY, FORTY_POINTS + " meld:S play:QS", meld_compulsory=True)
    assert state.points == (60, 0)
    assert len(state.melds[0]) == 1


def test_meld_compulsory_credits_only_where_a_meld_is_allowed_r6_3_r6_7() -> None:
    assert deal(FORTY, "play:KS", meld_compulsory=True).melds == ((), ())
    strict = {"meld_compulsory": True, "meld_in_strict": False}
    assert deal(FORTY, "play:AC play:TC close play:KS", **strict).melds == ((), ())
    both = {"meld_compulsory": True, "meld_first_trick": True}
    assert len(deal(FORTY, "play:KS", **both).melds[0]) == 1


def test_meld_compulsory_with_auto_ends_the_deal_with_the_card_on_the_table_r9() -> None:
    options = {"meld_compulsory": True, "claim_mode": "auto"}
    state = deal(FORTY_IN_SPADES, FORTY_POINTS + " play:KS", **options)
    assert state.result is not None
    assert (state.result.winner, state.result.totals) == (0, (80, 0))
    assert str(state.led) == "KS"
    assert state.turn == 0


# exchange_min_talon (R7.3), close_min_talon (R8.3)


@pytest.mark.parametrize("value", [4, 2])
def test_exchange_min_talon_is_the_smallest_talon_for_an_exchange_r7_3(value: int) -> None:
    state = deal(STRONG, FIVE_TRICKS, exchange_min_talon=value)
    assert state.talon == 2
    assert ("exchange" in texts(state)) == (value == 2)


@pytest.mark.parametrize("value", [4, 2])
def test_close_min_talon_is_the_smallest_talon_for_closing_r8_3(value: int) -> None:
    state = deal(STRONG, FIVE_TRICKS, close_min_talon=value)
    assert ("close" in texts(state)) == (value == 2)


def test_a_nine_put_under_a_talon_of_two_is_drawn_by_the_loser_of_trick_6_r3_6() -> None:
    state = deal(STRONG, FIVE_TRICKS + " exchange play:KC play:QC", exchange_min_talon=2)
    assert [str(card) for card in state.hands[1]].count("9H") == 1


# exchange_turn (R7.1)


def test_exchange_turn_own_turn_lets_the_replier_exchange_r7_1() -> None:
    actions = "play:AC play:9C play:AD"
    assert "exchange" not in texts(deal(NINE_BEHIND, actions))
    state = deal(NINE_BEHIND, actions, exchange_turn="own_turn")
    assert "exchange" in texts(state)
    after = play_out(state, "exchange")
    assert (after.turn, str(after.led), str(after.face_up)) == (1, "AD", "9H")
    assert "exchange" not in texts(after)
    assert "play:AH" in texts(after)


def test_exchange_turn_own_turn_keeps_the_other_limits_r7_2_r7_4() -> None:
    own_turn = {"exchange_turn": "own_turn"}
    with pytest.raises(IllegalMove, match=r"R7\.2"):
        deal(NINE_BEHIND, "play:AC exchange", **own_turn)
    with pytest.raises(IllegalMove, match=r"R7\.4"):
        deal(NINE_BEHIND, "play:AC play:9C close play:AD exchange", **own_turn)
    with pytest.raises(IllegalMove, match=r"R7\.5"):
        deal(STRONG, "play:AC play:9C play:AD exchange", **own_turn)


# close_first_trick (R8.2)


def test_close_first_trick_lets_the_opening_lead_close_r8_2() -> None:
    assert "close" not in texts(deal(FORTY))
    state = deal(FORTY, "close", close_first_trick=True)
    assert (state.talon, state.closed_by) == (12, 0)
    assert "claim" not in texts(state)
    assert texts(play_out(state, "play:JC")) == ["play:TC"]  # strict from this lead (R8.5)
    assert texts(play_out(state, "play:AD")) == ["play:9D", "play:JD", "play:KD", "play:QD"]


# last_trick_bonus (R10.1), no_claim_end (R10.2), tie_end (R10.3)


def test_last_trick_bonus_0_gives_no_bonus_r10_1() -> None:
    assert sum(recorded("full_deal_12_tricks_no_melds_sum_130").totals) == 130
    without = recorded("full_deal_12_tricks_no_melds_sum_130", last_trick_bonus=0)
    assert (sum(without.totals), without.bonus_to) == (120, None)


def test_last_trick_bonus_0_leaves_deals_without_66_to_tie_end_r10_3() -> None:
    name = "full_deal_12_tricks_no_melds_sum_130"
    default, without = recorded(name), recorded(name, last_trick_bonus=0)
    assert default.totals == (59, 71)
    assert (without.totals, without.reason) == ((59, 61), "tie_last_trick")
    assert recorded(name, last_trick_bonus=0, no_claim_end="higher_total") == without
    assert recorded(name, last_trick_bonus=0, tie_end="void").reason == "void"


def test_no_claim_end_says_who_wins_where_both_have_66_r10_2() -> None:
    first, higher = (
        recorded("variant_higher_total", no_claim_end=value)
        for value in ("last_trick_first", "higher_total")
    )
    assert first.totals == higher.totals == (105, 85)
    assert (first.winner, higher.winner) == (1, 0)


def test_no_claim_end_higher_total_leaves_equal_totals_to_tie_end_r10_2() -> None:
    name = "settled_equal_over_66"
    assert recorded(name).reason == "settled"
    tied = recorded(name, no_claim_end="higher_total")
    assert (tied.winner, tied.points, tied.reason) == (0, 1, "tie_last_trick")
    void = recorded(name, no_claim_end="higher_total", tie_end="void")
    assert (void.winner, void.points, void.reason) == (None, 0, "void")


def test_tie_end_void_gives_nobody_a_point_r10_3() -> None:
    tie, void = (recorded("tie_65_65", tie_end=value) for value in ("last_trick", "void"))
    assert (tie.winner, tie.points, tie.reason) == (0, 1, "tie_last_trick")
    assert (void.winner, void.points, void.reason) == (None, 0, "void")
    assert void.bonus_to == 0


# failed_close (R10.5), close_eval (R11.4)


@pytest.mark.parametrize(("value", "points"), [("three", 3), ("two_or_three_at_close", 3)])
def test_failed_close_where_the_opponent_had_no_trick_r10_5(value: str, points: int) -> None:
    result = end(FORTY, "play:AC play:TC close claim", failed_close=value)
    assert (result.winner, result.points, result.reason) == (1, points, "failed_close")


@pytest.mark.parametrize(("value", "points"), [("three", 3), ("two_or_three_at_close", 2)])
def test_failed_close_where_the_opponent_had_a_trick_r10_5(value: str, points: int) -> None:
    result = end(FORTY, "play:9C play:TC play:JD play:AD close claim", failed_close=value)
    assert (result.winner, result.points, result.reason) == (1, points, "failed_close")


@pytest.mark.parametrize(("value", "points"), [("three", 3), ("two_or_three_at_close", 2)])
def test_failed_close_by_a_claim_of_the_closers_opponent_r10_6(value: str, points: int) -> None:
    result = recorded("closed_claim_by_opponent", failed_close=value)
    assert (result.winner, result.reason) == (1, "claim_against_closer")
    assert result.points == points


@pytest.mark.parametrize(("value", "points"), [("end", 1), ("at_close", 2)])
def test_close_eval_says_when_the_losers_points_count_r11_4(value: str, points: int) -> None:
    result = recorded("closed_success_opponent_passes_33_after_closing", close_eval=value)
    assert (result.winner, result.points, result.totals) == (0, points, (82, 39))
