import pytest
from django.contrib.staticfiles import finders

from arena.santase import PACK, Suit
from web.player.faces import back, face

GREEN, BLUE = "#0b7a3e", "#1456b8"


def source(address: str) -> str:
    path = finders.find(address.removeprefix("/static/"))
    assert path is not None, address
    with open(path, encoding="utf-8") as file:
        return file.read()


@pytest.mark.parametrize("card", PACK, ids=str)
def test_a_face_of_the_four_colour_deck_differs_in_the_colour_of_its_suit_alone(card):
    two, four = source(face(card, "two")), source(face(card, "four"))
    if card.suit is Suit.C:
        assert four.count(GREEN) == 2  # the rank in the corner, the sign of the suit
        assert four.replace(f' fill="{GREEN}"', "").replace(GREEN, "#000") == two
    elif card.suit is Suit.D:
        assert four.count(BLUE) == 2
        assert four.replace(BLUE, "red") == two
    else:
        assert four == two


def test_there_is_a_back():
    assert "<svg" in source(back())
