"""Names of bots: whatever people write, safe and one of a kind."""

import pytest

from bots.errors import BadName
from bots.names import KEY_LENGTH, NAME_LENGTH, clean_name, name_key


@pytest.mark.parametrize(
    "name",
    [
        "greedy",
        "Сантасе 66 🂡",
        "שלום",
        "<b>bold</b> & co",
        "👨‍👩‍👧",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "x" * 64,
        "'; DROP TABLE bots; --",
        "🫨",
    ],
)
def test_fc020_a_name_in_any_script_is_kept_as_it_is(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 65,
        "a\x00b",
        "a\x1b[31mb",
        "\u202ereversed",
        "a\u200bb",
        "\u3164",
        "\u2800",
        "\u200d",
        "\ud800",
        "\ue000",
        "\ufffe",
    ],
)
def test_a_name_that_cannot_be_read_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(name)
    assert len(refused.value.message) > 20


def test_outer_spaces_are_cut_and_inner_ones_single() -> None:
    assert clean_name("  a \n\t b  ") == "a b"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Greedy", "gREEDY"),
        ("Straße", "STRASSE"),
        ("é", "e\u0301"),
        ("ﬁn", "fin"),
        ("１", "1"),
        ("♥️", "♥"),
    ],
)
def test_names_that_look_the_same_share_a_key(one: str, other: str) -> None:
    assert name_key(clean_name(one)) == name_key(clean_name(other))


def test_a_name_whose_compared_form_explodes_is_refused_and_fits_the_column() -> None:
    with pytest.raises(BadName, match="whole words"):
        clean_name("\ufdfa" * NAME_LENGTH)
    assert len(name_key(clean_name("\u00df" * NAME_LENGTH))) <= KEY_LENGTH


def test_accents_stacked_over_the_neighbours_are_refused_and_spelling_is_not() -> None:
    with pytest.raises(BadName, match="stacks accents"):
        clean_name("a" + "\u0301" * 6)
    assert clean_name("Việt नमस्ते ไม้") == "Việt नमस्ते ไม้"
