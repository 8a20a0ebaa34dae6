"""Cards, moves and their texts (R1, R14.1)."""

import copy
import pickle
from typing import Any

import pytest
from santase_kit import cards

from arena.santase import (
    MOVES,
    PACK,
    Card,
    MoveKind,
    NotationError,
    Suit,
    UnknownCard,
    UnknownMove,
    meld,
    parse_card,
    parse_cards,
    parse_move,
    play,
)


def test_the_pack_is_24_cards_in_pack_order_worth_120_points_r1_1_r1_4() -> None:
    assert [str(card) for card in PACK] == [rank + suit for suit in "CDHS" for rank in "9JQKTA"]
    assert sum(card.points for card in PACK) == 120


def test_cards_have_the_values_of_r1_2() -> None:
    values = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
    assert all(card.points == values[str(card)[0]] for card in PACK)


def test_a_card_says_its_text_and_suit_wherever_it_is_printed() -> None:
    card = parse_card("TH")
    assert (str(card), f"{card}", f"{card:>3}", repr(card)) == ("TH", "TH", " TH", "<TH>")
    assert card.suit is Suit.H
    assert f"{card.suit}" == str(card.suit) == "H"


def test_every_text_gives_its_card_and_its_move_back() -> None:
    assert parse_cards(str(card) for card in PACK) == PACK
    assert tuple(parse_move(str(move)) for move in MOVES) == MOVES


NO_CARDS: list[Any] = ["", "10H", "th", "TH\n", " TH", "7H", "HT", "TH TS", "T\u041d", None, 3]
NO_ACTIONS: list[Any] = ["", "pass", "play", "play:", "play:7H", "PLAY:QH", "play:QH\n", "claim "]
NO_ACTIONS += ["meld:X", "meld:QH", "close:", "exchange:9H", "claim:66", None, 7, ["claim"]]


@pytest.mark.parametrize("text", NO_CARDS)
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UnknownCard, match="is no card"):
        parse_card(text)


@pytest.mark.parametrize("text", NO_ACTIONS)
def test_a_text_that_is_no_action_is_refused_r14_1(text: str) -> None:
    with pytest.raises(UnknownMove, match=r"R14\.1"):
        parse_move(text)


def test_a_long_bad_text_is_cut_in_the_message() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move("play:" + "x" * 10_000)
    assert len(str(caught.value)) < 200


def test_there_are_31_moves_and_the_masks_can_tell_them_apart() -> None:
    assert len({str(move) for move in MOVES}) == len(MOVES) == 31
    assert [move.bit for move in MOVES] == [1 << code for code in range(31)]
    assert [move.code for move in MOVES] == list(range(31))


def test_play_and_meld_give_the_moves_of_a_card_and_a_suit() -> None:
    assert [str(play(card)) for card in cards("9C AS")] == ["play:9C", "play:AS"]
    assert [str(meld(suit)) for suit in Suit] == ["meld:C", "meld:D", "meld:H", "meld:S"]
    assert play(Card.HQ).kind is MoveKind.PLAY
    assert meld(Suit.H).kind is MoveKind.MELD


def test_copied_and_pickled_moves_are_the_same_moves() -> None:
    assert all(copy.deepcopy(move) is move for move in MOVES)
    assert all(pickle.loads(pickle.dumps(move)) is move for move in MOVES)
