"""The rule set: every named option of R15, and the presets."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_type_hints

from .cards import Suit
from .errors import RuleOptionError, UnknownRuleOption
from .tables import Tables, tables_for

OptionValue = bool | int | str

CUSTOM: Final = "custom"
"""The name of a rule set that is none of the presets."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One choice for every option of R15; the defaults are the rules of `santase-bg`."""

    name: str = "santase-bg"
    match_target: Literal[11, 7] = 11  # R12.1
    claim_mode: Literal["explicit", "auto"] = "explicit"  # R9
    wrong_claim: Literal["value_min2", "two", "three"] = "value_min2"  # R9.5
    meld_first_trick: bool = False  # R6.3, R6.4
    meld_in_strict: bool = True  # R6.7
    meld_compulsory: bool = False  # R6.6
    exchange_min_talon: Literal[4, 2] = 4  # R7.3
    exchange_turn: Literal["lead", "own_turn"] = "lead"  # R7.1
    close_min_talon: Literal[4, 2] = 4  # R8.3
    close_first_trick: bool = False  # R8.2
    last_trick_bonus: Literal[10, 0] = 10  # R10.1
    no_claim_end: Literal["last_trick_first", "higher_total"] = "last_trick_first"  # R10.2
    tie_end: Literal["last_trick", "void"] = "last_trick"  # R10.3
    failed_close: Literal["three", "two_or_three_at_close"] = "three"  # R10.5
    close_eval: Literal["end", "at_close"] = "end"  # R11.4
    next_dealer: Literal["winner", "alternate", "loser"] = "winner"  # R2.6
    tables: tuple[Tables, ...] = field(init=False, repr=False, compare=False)
    """What the options allow, by trump suit."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 0 < len(self.name) <= 64:
            raise RuleOptionError("name", self.name, ["a text of 1 to 64 characters"])
        for option, allowed in OPTIONS.items():
            value = getattr(self, option)
            # `True == 1` and `0 == False`: the type has to agree as well.
            if not any(type(value) is type(choice) and value == choice for choice in allowed):
                raise RuleOptionError(option, value, allowed)
        object.__setattr__(self, "tables", tuple(tables_for(self, trump) for trump in Suit))

    def options(self) -> dict[str, OptionValue]:
        """Every option with its value, in the order of R15."""
        return {option: getattr(self, option) for option in OPTIONS}

    def as_dict(self) -> dict[str, OptionValue]:
        """The rule set as `hello` and the replay's header show it: the name, then the options."""
        return {"name": self.name, **self.options()}


def _allowed_values() -> dict[str, tuple[OptionValue, ...]]:
    hints = get_type_hints(RuleSet)
    names = [item.name for item in fields(RuleSet) if item.name not in ("name", "tables")]
    return {name: get_args(hints[name]) or (False, True) for name in names}


OPTIONS: Final[Mapping[str, tuple[OptionValue, ...]]] = MappingProxyType(_allowed_values())
"""The options of R15 in its order, each with the values it can have."""

PRESETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            RuleSet(),
            RuleSet(
                name="nikolayit",
                claim_mode="auto",
                meld_compulsory=True,
                no_claim_end="higher_total",
                tie_end="void",
            ),
            RuleSet(
                name="pagat-66",
                match_target=7,
                wrong_claim="two",
                meld_first_trick=True,
                meld_in_strict=False,
                exchange_min_talon=2,
                close_min_talon=2,
                close_first_trick=True,
                no_claim_end="higher_total",
                tie_end="void",
                failed_close="two_or_three_at_close",
            ),
            RuleSet(name="seed2-tie", tie_end="void"),
        )
    }
)
"""The rule sets that have a name (the table under R15)."""


def ruleset(name: str = "santase-bg", **options: OptionValue) -> RuleSet:
    """A preset, or one with other options: its name is then the preset's it equals, or `custom`.

    Raises RuleOptionError.
    """
    if name not in PRESETS:
        raise RuleOptionError("name", name, tuple(PRESETS))
    return _named(_with_options(PRESETS[name], options)) if options else PRESETS[name]


def ruleset_from_dict(mapping: Mapping[str, object]) -> RuleSet:
    """The rule set of a `hello`, a replay's header or a vectors record.

    Options left out are those of the preset named, or of `santase-bg` where no name is given. A
    name that is no preset is a label, good where every option is given. Raises RuleOptionError.
    """
    options: dict[str, Any] = {key: value for key, value in mapping.items() if key != "name"}
    if "name" not in mapping:
        return ruleset(**options)
    name = mapping["name"]
    if not isinstance(name, str) or (name not in PRESETS and not OPTIONS.keys() <= options.keys()):
        raise RuleOptionError("name", name, tuple(PRESETS))
    return replace(_with_options(PRESETS.get(name, RuleSet()), options), name=name)


def _with_options(base: RuleSet, options: Mapping[str, Any]) -> RuleSet:
    for option, value in options.items():
        if option not in OPTIONS:
            raise UnknownRuleOption(option, value, tuple(OPTIONS))
    return replace(base, **options)


def _named(rules: RuleSet) -> RuleSet:
    """The same options under the name they deserve."""
    for preset in PRESETS.values():
        if preset.options() == rules.options():
            return preset
    return replace(rules, name=CUSTOM)
