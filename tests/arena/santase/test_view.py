"""What a seat may know (R13)."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st
from santase_kit import (
    cards,
    deck_of,
    decks,
    oracle_of,
    plain,
    plain_view,
    play_out,
    random_deal,
    rule_sets,
    seats,
    seeds,
)

from arena.santase import (
    PACK,
    Card,
    DealState,
    IllegalMove,
    RuleSet,
    View,
    apply,
    legal_moves,
    ruleset,
    start_deal,
    view_for,
)

RULES = ruleset()
FORTY = deck_of("AC AD JC KS QS 9C", "TC KD JD JS 9D QD", "9H")


def known(state: DealState, seat: int) -> list[str]:
    return [str(card) for card in view_for(state, seat, (0, 0)).opponent_known]


def test_the_view_of_the_protocols_example_is_as_printed_there() -> None:
    text = "JC 9D QD TD KH KS"
    state = start_deal(
        deck_of("KS TD QD JC 9D KH", "JS 9C QC JD JH TH", "9H", "KD QS"), 0, ruleset()
    )
    assert state.hands[1] == cards(text)
    after = play_out(state, "play:KS play:JS")
    assert plain_view(view_for(after, 1, (2, 0))) == {
        "hand": ["JC", "9D", "QD", "KD", "TD", "KH"],
        "opponent_hand": 6,
        "opponent_known": [],
        "trump": "H",
        "face_up": "9H",
        "talon": 10,
        "closed_by": None,
        "exchanged": None,
        "led": None,
        "points": [0, 6],
        "tricks": [[], [["KS", "JS"]]],
        "melds": [[], []],
        "dealer": 0,
        "score": [2, 0],
    }
    legal = " ".join(str(move) for move in legal_moves(after))
    assert legal == "claim close meld:D play:9D play:JC play:KD play:KH play:QD play:TD"


def test_a_card_led_is_no_longer_counted_in_the_hand() -> None:
    state = play_out(start_deal(FORTY, 1, RULES), "play:AC")
    view = view_for(state, 1, (0, 0))
    assert (view.opponent_hand, str(view.led)) == (5, "AC")
    assert view_for(state, 0, (0, 0)).opponent_hand == 6


def test_a_meld_shows_its_pair_until_it_is_played_r13_2() -> None:
    melded = play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC meld:S")
    assert known(melded, 1) == ["QS", "KS"]
    led = play_out(melded, "play:KS")
    assert known(led, 1) == ["QS"]
    assert known(play_out(led, "play:JS play:QS"), 1) == []
    assert known(melded, 0) == []


def test_a_silent_lead_of_half_a_pair_shows_nothing_r6_6() -> None:
    assert known(play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC play:KS"), 1) == []


def test_a_meld_credited_by_the_play_shows_the_other_half_r13_2() -> None:
    state = start_deal(FORTY, 1, ruleset(meld_compulsory=True))
    assert known(play_out(state, "play:AC play:TC play:KS"), 1) == ["QS"]


def test_the_card_taken_by_an_exchange_is_known_r13_2() -> None:
    deck = deck_of("AC AD JC KS QS 9H", "TC KD JD JS 9D QD", "AH")
    state = play_out(start_deal(deck, 1, RULES), "play:AC play:TC exchange")
    view = view_for(state, 1, (0, 0))
    assert [str(card) for card in view.opponent_known] == ["AH"]
    assert plain(view.exchanged) == [0, "AH"]
    assert str(view.face_up) == "9H"
    assert known(play_out(state, "play:AH"), 1) == []


def test_once_the_talon_is_drawn_out_the_opponents_hand_is_known_r13_2() -> None:
    states = list(random_deal(PACK, 0, ruleset("nikolayit"), 3))
    late = [state for state in states if state.talon == 0]
    assert late
    for state in late:
        for seat in (0, 1):
            view = view_for(state, seat, (0, 0))
            assert view.opponent_known == state.hands[1 - seat]
            assert view.face_up is None


def test_closing_does_not_show_the_opponents_hand_r13_2() -> None:
    state = play_out(start_deal(FORTY, 1, RULES), "play:AC play:TC close play:AD play:9D")
    for seat in (0, 1):
        assert known(state, seat) == []
        assert view_for(state, seat, (0, 0)).face_up == FORTY[12]


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds)
def test_a_view_is_what_the_seat_has_seen_r13_1(
    deck: tuple[Card, ...], dealer: int, rules: RuleSet, seed: int
) -> None:
    for state in random_deal(deck, dealer, rules, seed):
        deal = oracle_of(state)
        for seat in (0, 1):
            told = {key: plain(value) for key, value in deal.view(seat, [3, 4]).items()}
            assert plain_view(view_for(state, seat, (3, 4))) == told


@given(deck=decks, dealer=seats, rules=rule_sets, seed=seeds, seat=seats, stop=st.floats(0, 1))
def test_fc077_deals_that_differ_only_in_hidden_cards_give_equal_views_r13_3(
    deck: tuple[Card, ...], dealer: int, rules: RuleSet, seed: int, seat: int, stop: float
) -> None:
    states = list(random_deal(deck, dealer, rules, seed))
    state = states[int(stop * (len(states) - 1))]
    other = with_other_hidden_cards(state, seat, random.Random(seed))
    assume(other is not None)
    assert other is not None
    assert view_for(other, seat, (0, 0)) == view_for(state, seat, (0, 0))
    if state.turn == seat:
        assert legal_moves(other) == legal_moves(state)


def with_other_hidden_cards(state: DealState, seat: int, rng: random.Random) -> DealState | None:
    """The same deal as the seat has seen it, with other cards where it has seen none."""
    view = view_for(state, seat, (0, 0))
    hidden = {*state.hands[1 - seat], *state.talon_cards} - {*view.opponent_known, view.face_up}
    places = [place for place, card in enumerate(state.deck) if card in hidden]
    for _ in range(20):
        deck = list(state.deck)
        shuffled = rng.sample(places, len(places))
        for place, source in zip(places, shuffled, strict=True):
            deck[place] = state.deck[source]
        other = start_deal(deck, state.dealer, state.rules)
        try:
            for _, move in state.log:
                other = apply(other, move)
        except IllegalMove:
            continue  # what the opponent has done would give him away
        if other.melds != state.melds:
            continue  # a compulsory meld would tell one deal from the other
        if (other.hands, other.talon_cards) != (state.hands, state.talon_cards):
            return other
    return None


def test_a_view_has_the_fields_of_the_protocol_in_its_order() -> None:
    assert " ".join(View._fields) == (
        "hand opponent_hand opponent_known trump face_up talon closed_by exchanged led "
        "points tricks melds dealer score"
    )
