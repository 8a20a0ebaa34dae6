"""What holds for every deal, under every choice of options."""

from itertools import pairwise

import pytest
from hypothesis import given
from santase_kit import decks, random_deal, rule_sets, seats, seeds

from arena.santase import (
    MOVES,
    Card,
    DealState,
    IllegalMove,
    MoveKind,
    Reason,
    RuleSet,
    advance,
    apply,
    legal_codes,
    legal_moves,
    start_deal,
    start_position,
)

Deck = tuple[Card, ...]


def every_card(state: DealState) -> list[Card]:
    """The cards of hands, talon, tricks and table."""
    on_table = [] if state.led is None else [state.led]
    in_tricks = [card for taken in state.tricks for trick in taken for card in trick]
    return [*state.hands[0], *state.hands[1], *state.talon_cards, *in_tricks, *on_table]


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_the_24_cards_are_always_accounted_for(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    for state in random_deal(deck, dealer, rules, seed):
        assert sorted(every_card(state)) == sorted(deck)


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_points_are_tricks_and_melds_and_0_without_a_trick_r6_4_r9_3(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    for state in random_deal(deck, dealer, rules, seed):
        for seat in (0, 1):
            in_tricks = sum(card.points for trick in state.tricks[seat] for card in trick)
            melds = sum(points for _, points in state.melds[seat])
            bonus_to = None if state.result is None else state.result.bonus_to
            bonus = rules.last_trick_bonus if bonus_to == seat else 0
            counted = in_tricks + melds + bonus if state.tricks[seat] else 0
            assert state.points[seat] == counted
            assert state.trick_counts[seat] == len(state.tricks[seat])


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_both_hands_are_equal_when_a_trick_is_led_r3_5(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    for state in random_deal(deck, dealer, rules, seed):
        if state.led is None and state.result is None:
            mine, others = (len(hand) for hand in state.hands)
            assert mine == others
            assert mine == 6 or state.strict


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_a_deal_is_at_most_29_actions_and_a_claim_r12_5(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    final = list(random_deal(deck, dealer, rules, seed))[-1]
    kinds = [move.kind for _, move in final.log]
    assert kinds.count(MoveKind.PLAY) <= 24
    assert kinds.count(MoveKind.MELD) <= 4
    assert kinds.count(MoveKind.EXCHANGE) <= 1
    assert kinds.count(MoveKind.CLOSE) <= 1
    assert kinds.count(MoveKind.CLAIM) <= 1
    if MoveKind.CLOSE in kinds:
        assert kinds.count(MoveKind.PLAY) <= 22


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_every_deal_ends_with_0_to_3_points_r12_4(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    result = list(random_deal(deck, dealer, rules, seed))[-1].result
    assert result is not None
    if result.winner is None:
        assert (result.points, result.reason, rules.tie_end) == (0, Reason.VOID, "void")
    else:
        assert 1 <= result.points <= 3


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_legal_is_complete_every_other_move_is_refused_r14_1(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    for state in random_deal(deck, dealer, rules, seed):
        legal = legal_moves(state)
        assert [str(move) for move in legal] == sorted(str(move) for move in legal)
        assert bool(legal) == (state.result is None)
        for move in MOVES:
            if move in legal:
                assert apply(state, move).log[-1] == (state.turn, move)
            else:
                with pytest.raises(IllegalMove, match=rf"{move} is refused: .+ \(R\d+(\.\d+)?\)"):
                    apply(state, move)


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_a_move_leaves_the_state_before_as_it_was(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    before: list[tuple[DealState, object]] = []
    for state in random_deal(deck, dealer, rules, seed):
        before.append((state, (state.hands, state.points, state.log, state.talon_cards)))
    for state, seen in before:
        assert (state.hands, state.points, state.log, state.talon_cards) == seen


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_the_log_played_again_gives_the_same_end(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    final = list(random_deal(deck, dealer, rules, seed))[-1]
    again = start_deal(final.deck, final.dealer, final.rules)
    for seat, move in final.log:
        assert again.turn == seat
        again = apply(again, move)
    assert again == final
    assert again.result == final.result


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_codes_and_positions_say_the_same_as_moves_and_states(
    deck: Deck, dealer: int, rules: RuleSet, seed: int
) -> None:
    position = start_position(deck, dealer, rules)
    states = list(random_deal(deck, dealer, rules, seed))
    for state, after in pairwise(states):
        assert legal_codes(position) == tuple(move.code for move in legal_moves(state))
        position = advance(position, after.log[-1][1].code)
        assert DealState.of(position) == after
