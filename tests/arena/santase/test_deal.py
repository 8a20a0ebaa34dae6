"""A deal, clause by clause where the vectors show only an outcome."""

import pytest
from santase_kit import cards, deck_of, play_out, texts

from arena.santase import (
    PACK,
    BadDeck,
    DealState,
    IllegalMove,
    Reason,
    apply,
    parse_move,
    ruleset,
    start_deal,
)

RULES = ruleset()

# The eldest hand leads ace, ace and jack for exactly 40 points, and holds king and queen of spades.
FORTY = deck_of("AC AD JC KS QS 9C", "TC KD JD JS 9D QD", "9H")
FORTY_POINTS = "play:AC play:TC play:AD play:KD play:JC play:JD"


def test_packets_of_three_begin_with_the_non_dealer_r2_3() -> None:
    state = start_deal(PACK, 0, RULES)
    assert state.hands == (cards("KC TC AC KD TD AD"), cards("9C JC QC 9D JD QD"))
    assert (state.turn, state.dealer) == (1, 0)


def test_card_13_is_turned_and_drawn_last_r2_4_r2_5() -> None:
    state = start_deal(PACK, 1, RULES)
    assert str(state.face_up) == "9H"
    assert str(state.trump) == "H"
    assert state.talon == 12
    assert state.talon_cards == (*PACK[13:], PACK[12])


def test_winner_draws_before_loser_and_leads_r3_4_r3_5() -> None:
    state = play_out(start_deal(FORTY, 1, RULES), "play:9C play:TC")
    assert state.turn == 1
    assert (FORTY[13] in state.hands[1], FORTY[14] in state.hands[0]) == (True, True)
    assert state.talon_cards == (*FORTY[15:], FORTY[12])


def test_leading_the_king_wins_and_leading_the_queen_does_not_fc129() -> None:
    melded = play_out(start_deal(FORTY, 1, RULES), FORTY_POINTS + " meld:S")
    assert melded.points == (60, 0)
    assert texts(melded) == ["claim", "play:KS", "play:QS"]
    with_king = play_out(melded, "play:KS play:JS claim")
    with_queen = play_out(melded, "play:QS play:JS claim")
    assert with_king.result is not None
    assert with_queen.result is not None
    assert (with_king.result.winner, with_king.result.totals) == (0, (66, 0))
    assert (with_queen.result.winner, with_queen.result.totals) == (1, (65, 0))


def test_the_meld_counts_at_once_and_leads_its_pair_r6_4_r6_5() -> None:
    before = play_out(start_deal(FORTY, 1, RULES), FORTY_POINTS)
    assert before.points == (40, 0)
    with pytest.raises(IllegalMove, match=r"R6\.5"):
        play_out(before, "meld:S play:9C")
    with pytest.raises(IllegalMove, match=r"R6\.8"):
        play_out(before, "meld:S close")


def test_exchange_gives_the_turned_card_for_the_nine_r7_6() -> None:
    deck = deck_of("AC AD JC KS QS 9H", "TC KD JD JS 9D QD", "AH")
    state = play_out(start_deal(deck, 1, RULES), "play:AC play:TC exchange")
    assert str(state.face_up) == "9H"
    assert state.exchanged == (0, deck[12])
    assert deck[12] in state.hands[0]
    assert [str(card) for card in state.talon_cards][-1] == "9H"
    assert "exchange" not in texts(state)


def test_closing_keeps_the_talon_and_makes_the_next_lead_strict_r8_5() -> None:
    state = play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC close play:AD")
    assert (state.talon, state.closed_by, str(state.face_up)) == (10, 0, "9H")
    assert all(text[-1] == "D" for text in texts(state))
    after = play_out(state, "play:9D")
    assert [len(hand) for hand in after.hands] == [5, 5]


def test_nothing_is_legal_after_the_end_r3_9() -> None:
    state = play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC claim")
    assert state.result is not None
    assert state.result.reason is Reason.WRONG_CLAIM
    assert texts(state) == []
    with pytest.raises(IllegalMove, match=r"R3\.9"):
        apply(state, parse_move("play:AD"))


def test_totals_of_the_end_hold_the_bonus_r10_1() -> None:
    state = start_deal(PACK, 0, RULES)
    while state.result is None:
        state = apply(state, parse_move(texts(state)[-1]))
    assert state.result.bonus_to is not None
    assert sum(state.result.totals) == 130
    assert state.points == state.result.totals


def test_a_wrong_claim_before_the_other_has_a_trick_costs_three() -> None:
    result = play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC claim").result
    assert result == (1, 3, "wrong_claim", (21, 0), (1, 0), None)


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (PACK[:23], "this one has 23, no AS"),
        ((*PACK[:23], PACK[0]), "9C more than once, no AS"),
        ((*PACK, PACK[0]), "this one has 25"),
        ((), "this one has 0"),
        (tuple(str(card) for card in PACK), "type Card"),
        ((*PACK[:23], 24), "no AS"),
        ((*PACK[:23], -1), "type Card"),
    ],
)
def test_a_deck_that_is_not_the_pack_is_refused_r1_1(
    deck: tuple[object, ...], message: str
) -> None:
    with pytest.raises(BadDeck, match=message):
        start_deal(deck, 0, RULES)  # type: ignore[arg-type]  # what is under test


def test_a_dealer_is_a_seat() -> None:
    with pytest.raises(ValueError, match="dealer must be 0 or 1"):
        start_deal(PACK, 2, RULES)


def test_states_are_equal_by_deck_dealer_rules_and_actions() -> None:
    one, other = start_deal(FORTY, 1, RULES), start_deal(list(FORTY), 1, RULES)
    assert play_out(one, "play:AC play:TC") == play_out(other, "play:AC play:TC")
    assert len({one, other, play_out(one, "play:AC"), start_deal(FORTY, 0, RULES)}) == 3
    assert one != "a state"


def test_a_state_says_how_it_came_about() -> None:
    state = play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC close")
    assert [f"{seat}/{move}" for seat, move in state.log] == ["0/play:AC", "1/play:TC", "0/close"]
    assert "0/play:AC 1/play:TC 0/close" in repr(state)
    assert state.tricks == ((tuple(cards("AC TC")),), ())


@pytest.mark.parametrize("name", ["turn", "points", "hands", "trump", "result", "anything"])
def test_a_state_cannot_be_changed(name: str) -> None:
    state: DealState = start_deal(FORTY, 1, RULES)
    with pytest.raises(AttributeError):
        setattr(state, name, 1)
