"""Decks and seeds (PROTOCOL §6): the printed vectors, and what follows for mirrored pairs."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee import BadSeed
from arena.referee.dealer import (
    bot_seed,
    commitment_to,
    deck_for,
    draw_deck,
    local_pair_seed,
    new_secret,
    parse_seed,
    tournament_pair_seed,
)
from arena.santase import PACK, ruleset, start_deal

ZEROS = "0" * 64
DEALER_1 = "JD QC 9D JH 9C 9S TC AC AH KH JS 9H TS TD AS KD QH QS JC AD KC QD TH KS"
DEALER_0 = "JH 9C 9S JD QC 9D KH JS 9H TC AC AH TS TD AS KD QH QS JC AD KC QD TH KS"

hex_seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_the_decks_of_the_protocols_test_vector() -> None:
    assert " ".join(map(str, deck_for(ZEROS, 1, 1))) == DEALER_1
    assert " ".join(map(str, deck_for(ZEROS, 1, 0))) == DEALER_0


def test_the_hands_of_the_protocols_example_are_those_of_deal_2() -> None:
    state = start_deal(deck_for(ZEROS, 2, 0), 0, ruleset())
    assert " ".join(map(str, state.hands[1])) == "JC 9D QD TD KH KS"
    assert str(state.face_up) == "9H"


def test_the_bots_seeds_of_the_protocols_test_vector() -> None:
    assert (bot_seed(ZEROS, 0, 0), bot_seed(ZEROS, 0, 1)) == (1100543704, 52045562)


@given(seed=hex_seeds, deal=st.integers(1, 200))
def test_a_deck_is_the_pack_and_each_seat_keeps_its_packets_whoever_deals(
    seed: str, deal: int
) -> None:
    drawn = draw_deck(seed, deal)
    assert sorted(drawn) == list(PACK)
    hands = [start_deal(deck_for(seed, deal, dealer), dealer, ruleset()).hands for dealer in (0, 1)]
    assert hands[0] == hands[1]
    assert set(hands[0][0]) == {*drawn[0:3], *drawn[6:9]}
    assert deck_for(seed, deal, 0)[12:] == deck_for(seed, deal, 1)[12:] == drawn[12:]


def test_every_place_gets_every_card_about_as_often() -> None:
    deals = 2_400
    counts = [[0] * 24 for _ in range(24)]
    for number in range(1, deals + 1):
        for place, card in enumerate(draw_deck(ZEROS, number)):
            counts[place][card] += 1
    expected = deals / 24
    chi_squared = sum((n - expected) ** 2 / expected for row in counts for n in row)
    assert chi_squared < 23 * 23 + 5 * (2 * 23 * 23) ** 0.5  # five standard deviations


def test_seeds_of_pairs_are_hmacs_of_what_names_them() -> None:
    secret = "ab" * 32
    for message, seed in (
        ("play/3", local_pair_seed(secret, 3)),
        ("7/11/12/0", tournament_pair_seed(secret, 7, 11, 12, 0)),
        ("7/11/12/0", tournament_pair_seed(secret, 7, 12, 11, 0)),
    ):
        assert seed == hmac.digest(bytes.fromhex(secret), message.encode(), "sha256").hex()
    assert commitment_to(secret) == hashlib.sha256(bytes.fromhex(secret)).hexdigest()


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "g" * 64, "0x" + "0" * 62, "٠" * 64])
def test_a_seed_that_is_none_is_refused_with_what_a_seed_is(text: str) -> None:
    with pytest.raises(BadSeed, match="64 hex digits"):
        parse_seed(text)


def test_a_seed_may_be_written_in_capitals() -> None:
    assert parse_seed(" " + "AB" * 32 + "\n") == "ab" * 32


def test_fc126_no_two_of_a_thousand_pairs_made_in_one_second_have_a_deck_in_common() -> None:
    secrets = [new_secret() for _ in range(10)]
    decks = {
        draw_deck(tournament_pair_seed(secret, 1, 1, 2, pair), deal)
        for secret in secrets for pair in range(100) for deal in (1, 2)
    }  # fmt: skip
    assert len(decks) == 2_000
