"""Rule sets: the options of R15, the presets, and what is refused."""

import copy
import pickle
from typing import Any

import pytest

from arena.santase import (
    CUSTOM,
    OPTIONS,
    PRESETS,
    RuleOptionError,
    RuleSet,
    UnknownRuleOption,
    ruleset,
    ruleset_from_dict,
)

# The table of R15: the default first.
TABLE: dict[str, tuple[object, ...]] = {
    "match_target": (11, 7),
    "claim_mode": ("explicit", "auto"),
    "wrong_claim": ("value_min2", "two", "three"),
    "meld_first_trick": (False, True),
    "meld_in_strict": (True, False),
    "meld_compulsory": (False, True),
    "exchange_min_talon": (4, 2),
    "exchange_turn": ("lead", "own_turn"),
    "close_min_talon": (4, 2),
    "close_first_trick": (False, True),
    "last_trick_bonus": (10, 0),
    "no_claim_end": ("last_trick_first", "higher_total"),
    "tie_end": ("last_trick", "void"),
    "failed_close": ("three", "two_or_three_at_close"),
    "close_eval": ("end", "at_close"),
    "next_dealer": ("winner", "alternate", "loser"),
}

DIFFERS: dict[str, dict[str, object]] = {
    "santase-bg": {},
    "nikolayit": {
        "claim_mode": "auto",
        "meld_compulsory": True,
        "no_claim_end": "higher_total",
        "tie_end": "void",
    },
    "pagat-66": {
        "match_target": 7,
        "wrong_claim": "two",
        "meld_first_trick": True,
        "meld_in_strict": False,
        "exchange_min_talon": 2,
        "close_min_talon": 2,
        "close_first_trick": True,
        "no_claim_end": "higher_total",
        "tie_end": "void",
        "failed_close": "two_or_three_at_close",
    },
    "seed2-tie": {"tie_end": "void"},
}


def test_the_options_are_those_of_r15_in_its_order() -> None:
    assert list(OPTIONS) == list(TABLE)
    assert {name: set(values) for name, values in OPTIONS.items()} == {
        name: set(values) for name, values in TABLE.items()
    }
    assert ruleset().options() == {name: values[0] for name, values in TABLE.items()}


@pytest.mark.parametrize("name", DIFFERS)
def test_a_preset_differs_from_the_default_as_the_table_says_r15(name: str) -> None:
    default = ruleset().options()
    given = PRESETS[name].options()
    assert {key: value for key, value in given.items() if value != default[key]} == DIFFERS[name]
    assert list(PRESETS) == list(DIFFERS)


def test_a_rule_set_is_shown_with_its_name_and_every_option() -> None:
    shown = ruleset("pagat-66").as_dict()
    assert list(shown) == ["name", *OPTIONS]
    assert shown["name"] == "pagat-66"
    assert shown["meld_in_strict"] is False


def test_a_changed_preset_does_not_keep_its_name() -> None:
    assert ruleset(tie_end="void") is PRESETS["seed2-tie"]
    assert ruleset("seed2-tie", tie_end="last_trick") is PRESETS["santase-bg"]
    assert ruleset("nikolayit", match_target=7).name == CUSTOM
    assert ruleset(match_target=11) is PRESETS["santase-bg"]


def test_a_shown_rule_set_is_read_back() -> None:
    for rules in (*PRESETS.values(), ruleset("nikolayit", match_target=7)):
        assert ruleset_from_dict(rules.as_dict()) == rules


def test_left_out_options_are_those_of_the_preset_named() -> None:
    assert ruleset_from_dict({}) == ruleset()
    assert ruleset_from_dict({"tie_end": "void"}).options() == ruleset("seed2-tie").options()
    assert ruleset_from_dict({"name": "nikolayit"}) == ruleset("nikolayit")
    assert ruleset_from_dict({"name": "nikolayit", "match_target": 7}).claim_mode == "auto"


def test_a_label_of_ones_own_needs_every_option() -> None:
    every = {**ruleset().options(), "match_target": 7}
    assert ruleset_from_dict({"name": "house", **every}).name == "house"
    with pytest.raises(RuleOptionError, match=r"'name' cannot be 'house'.*'santase-bg'"):
        ruleset_from_dict({"name": "house", "match_target": 7})


WRONG: list[tuple[str, Any]] = [
    ("match_target", 12),
    ("match_target", "11"),
    ("match_target", 11.0),
    ("last_trick_bonus", False),
    ("meld_first_trick", 1),
    ("meld_in_strict", None),
    ("claim_mode", "Auto"),
    ("next_dealer", ["winner"]),
]


@pytest.mark.parametrize(("option", "value"), WRONG)
def test_a_value_that_an_option_cannot_have_is_refused_by_name(option: str, value: Any) -> None:
    for make in (lambda: ruleset(**{option: value}), lambda: ruleset_from_dict({option: value})):
        with pytest.raises(RuleOptionError) as caught:
            make()
        assert (caught.value.option, caught.value.value) == (option, value)
        assert set(caught.value.allowed) == set(TABLE[option])
        assert repr(value) in str(caught.value)
        assert option in str(caught.value)


def test_an_option_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UnknownRuleOption, match=r"no rule option 'colour'.*match_target"):
        ruleset(colour="red")
    with pytest.raises(UnknownRuleOption):
        ruleset_from_dict({"tables": 3})


@pytest.mark.parametrize("name", ["", "x" * 65, 3, None])
def test_a_name_is_a_short_text(name: Any) -> None:
    with pytest.raises(RuleOptionError, match="name"):
        ruleset_from_dict({**ruleset().options(), "name": name})
    with pytest.raises(RuleOptionError, match="name"):
        RuleSet(name=name)


def test_rule_sets_can_be_copied_pickled_and_used_as_keys() -> None:
    rules = ruleset("pagat-66")
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules
    assert len({rules, ruleset("pagat-66"), ruleset()}) == 2
