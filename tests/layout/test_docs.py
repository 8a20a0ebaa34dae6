"""The documentation says what the code does: links, commands, limits, rules, messages."""

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import typer
from docs_reader import (
    anchors_of,
    blocks_of,
    codes_in,
    links_of,
    pages,
    rows_of,
    section_of,
    text_of,
)
from house import ROOT, files

from arena.cli import app
from arena.commands import errors
from arena.commands.schemas import schema_files
from arena.protocol import Limits
from arena.referee.dealer import bot_seed, deck_for, local_pair_seed
from arena.referee.verdict import FaultName
from arena.santase import OPTIONS, PRESETS, Reason, RuleSet, start_deal

CLI = "docs/reference/cli.md"
RULES = "docs/reference/rules.md"
PROTOCOL = "docs/reference/protocol.md"
REPLAY = "docs/reference/replay.md"
ZEROS = "0" * 64

NOT_THERE = {"platform/__init__.py", "var/keys/keys.json"}
"""Files that pages speak of and that a clone does not have."""


@pytest.mark.parametrize("document", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(document: Path) -> None:
    broken = []
    for link in links_of(document):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = document if not name else (document.parent / name).resolve()
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("document", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_loads_or_cites_from_the_network(document: Path) -> None:
    outside = [link for link in links_of(document) if re.match(r"(?:https?:)?//", link)]
    assert not [link for link in outside if "localhost" not in link]


@pytest.mark.parametrize("document", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_source_file_that_a_page_names_exists(document: Path) -> None:
    named = re.findall(r"`([a-z_]+/[\w/.-]*\w\.(?:py|toml|md|json|jsonl))`", text_of(document))
    places = (ROOT, ROOT / "platform")
    missing = [name for name in named if not any((place / name).is_file() for place in places)]
    assert not [name for name in missing if name not in NOT_THERE]


def test_every_page_below_docs_can_be_reached_from_its_index() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "docs" / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        targets = [link.partition("#")[0] for link in links_of(page)]
        waiting += [
            found
            for name in targets
            if name and (found := (page.parent / name).resolve()).is_file()
        ]
    assert [page for page in pages() if ROOT / "docs" in page.parents and page not in seen] == []


# --- The command line ------------------------------------------------------------------------


@cache
def commands() -> dict[str, Any]:
    """Every `santase` command by its words: "play", "rules check" …"""
    found: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        below = getattr(command, "commands", None)
        if below is None:
            found[" ".join(words)] = command
            return
        for name, each in below.items():
            walk(each, (*words, name))

    walk(typer.main.get_command(app), ())
    return found


def options_of(command: Any) -> set[str]:
    return {name for each in command.params for name in each.opts if name.startswith("--")}


def test_the_reference_has_a_section_for_every_command_and_for_no_other() -> None:
    sections = re.findall(r"^## santase (.+)$", text_of(CLI), re.MULTILINE)
    assert sorted(sections) == sorted(commands())


@pytest.mark.parametrize("name", sorted(commands()))
def test_the_options_of_a_command_are_those_of_its_section(name: str) -> None:
    section = section_of(CLI, f"santase {name}")
    usage = next(block for block in re.findall(r"```text\n(.*?)```", section, re.DOTALL))
    assert set(re.findall(r"--[a-z0-9-]+", usage)) == options_of(commands()[name]) - {"--help"}


def test_the_defaults_of_play_are_those_of_its_table() -> None:
    table = {
        codes_in(row[0])[0]: row[1] for row in rows_of(section_of(CLI, "santase play"))
        if codes_in(row[0])[0].startswith("--")
    }  # fmt: skip
    defaults = {each.opts[0]: each.default for each in commands()["play"].params}
    for option in ("--pairs", "--jobs", "--rules", "--sandbox"):
        assert table[option].strip("`") == str(defaults[option])


def lines_of_commands(program: str) -> list[tuple[str, list[str]]]:
    """Every command line of a program in the blocks of all pages: page, and its words."""
    found = []
    for page in pages():
        for block in blocks_of(page):
            if block.language not in ("console", "text"):
                continue
            for line in block.text.splitlines():
                command, at, rest = line.removeprefix("$ ").partition(program + " ")
                if at and not command.strip(". /abcdefghijklmnopqrstuvwxyz0123456789"):
                    found.append((str(page.relative_to(ROOT)), shlex.split(rest)))
    return found


def test_every_santase_line_in_the_docs_names_a_command_and_options_that_exist() -> None:
    lines = lines_of_commands("santase")
    assert len(lines) > 10
    for page, words in lines:
        if words[0].startswith("--"):
            assert words == ["--version"], (page, words)
            continue
        name = " ".join(words[:2]) if words[0] == "rules" else words[0]
        assert name in commands(), (page, words)
        named = {word.strip("[]") for word in words if word.strip("[").startswith("--")}
        assert named <= options_of(commands()[name]), (page, words)


def test_every_manage_line_in_the_docs_is_understood_by_its_command() -> None:
    from django.core.management import get_commands, load_command_class

    lines = lines_of_commands("manage.py")
    assert {words[0] for _, words in lines} >= {"up", "tournament", "recount"}
    for _, (name, *arguments) in lines:
        known = get_commands()
        assert name in known
        place = known[name]
        command = load_command_class(place, name) if isinstance(place, str) else place
        command.create_parser("manage.py", name).parse_args(arguments)


def test_the_options_of_tournament_create_are_those_of_its_table() -> None:
    from tournaments.management.commands.tournament import Command

    table = section_of("docs/how-to/run-a-tournament.md", "Create it")
    named = {
        word for row in rows_of(table) for code in codes_in(row[0])
        for word in code.split() if word.startswith("--")
    }  # fmt: skip
    told = Command().create_parser("manage.py", "tournament")
    kinds = next(action.choices for action in told._actions if action.dest == "what")
    assert isinstance(kinds, dict)
    own = {text for action in kinds["create"]._actions for text in action.option_strings}
    general = {text for action in told._actions for text in action.option_strings}
    assert named == {text for text in own - general if text.startswith("--")}


def test_every_exit_code_is_documented() -> None:
    codes = {int(row[0]) for row in rows_of(section_of(CLI, "Exit codes"))}
    assert codes == {
        0, errors.DOES_NOT_HOLD, errors.USAGE, errors.KEY_UNKNOWN, errors.UNFIT, errors.UNDECIDED,
        errors.INTERRUPTED,
    }  # fmt: skip


# --- Protocol and replay ---------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(schema_files()))
def test_the_schemas_in_the_docs_are_those_of_the_code(name: str) -> None:
    assert text_of(f"docs/reference/{name}") == schema_files()[name], "run `make schemas`"


def test_the_limits_in_the_docs_are_the_defaults_of_the_code() -> None:
    rows = rows_of(text_of("docs/reference/limits.md"))
    documented = {codes_in(row[0])[0]: int(row[1]) for row in rows}
    assert documented == msgspec.to_builtins(Limits())


def transcript() -> list[tuple[str, dict[str, Any]]]:
    """The match shown in the protocol: direction and message of each line."""
    block = next(block for block in blocks_of(PROTOCOL) if block.text.startswith("->"))
    lines = [line for line in block.text.splitlines() if line != "…"]
    return [(line[:2], json.loads(line[3:])) for line in lines]


def schema(name: str, part: str | None = None) -> jsonschema.Draft202012Validator:
    whole = json.loads(schema_files()[name])
    if part is not None:
        whole = {"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]}
    return jsonschema.Draft202012Validator(whole)


def test_the_transcript_follows_the_schema() -> None:
    for direction, message in transcript():
        part = "to_bot" if direction == "->" else "from_bot"
        schema("protocol.schema.json", part).validate(message)


def test_the_transcript_is_what_its_seed_gives() -> None:
    messages = [message for _, message in transcript()]
    seed = local_pair_seed(ZEROS, 0)
    deal = start_deal(deck_for(seed, 1, 0), 0, RuleSet())
    hello, first_deal = messages[0], messages[2]
    assert hello["seed"] == bot_seed(seed, 0, 0)
    assert hello["limits"] == msgspec.to_builtins(Limits())
    assert hello["ruleset"] == RuleSet().as_dict()
    assert first_deal["hand"] == [str(card) for card in deal.hands[0]]
    assert first_deal["face_up"] == str(deal.face_up)


def test_the_decks_and_seeds_given_as_examples_are_right() -> None:
    block = next(block.text for block in blocks_of(PROTOCOL) if block.text.startswith("dealer 1"))
    for line in block.splitlines():
        _, dealer, *deck = line.split()
        assert deck == [str(card) for card in deck_for(ZEROS, 1, int(dealer))]
    text = section_of(PROTOCOL, "6. Decks and seeds")
    assert str(bot_seed(ZEROS, 0, 0)) in text
    assert str(bot_seed(ZEROS, 0, 1)) in text


def test_the_replay_lines_given_as_an_example_follow_the_schema() -> None:
    example = next(block.text for block in blocks_of(REPLAY) if block.text.startswith("{"))
    for line in example.splitlines():
        schema("replay.schema.json").validate(json.loads(line))


def test_every_fault_is_documented() -> None:
    rows = rows_of(section_of(PROTOCOL, "5. Faults"))
    documented = [codes_in(row[0])[0] for row in rows if codes_in(row[0])][: len(FaultName)]
    assert documented == [name.value for name in FaultName]


# --- Rules -----------------------------------------------------------------------------------


def test_every_clause_that_the_code_cites_stands_in_the_rules() -> None:
    cited = {
        clause for path in files(".py", ".html")
        if path.relative_to(ROOT).parts[0] in ("arena", "platform", "sample_bots")
        for clause in re.findall(r"\bR(\d+\.\d+)\b", path.read_text(encoding="utf-8"))
    }  # fmt: skip
    anchors = anchors_of(ROOT / RULES)
    assert {clause for clause in cited if "r" + clause.replace(".", "-") not in anchors} == set()


def test_no_clause_is_left_out_of_its_row() -> None:
    clauses = [
        tuple(map(int, found)) for found in re.findall(r"\*\*R(\d+)\.(\d+)\*\*", text_of(RULES))
    ]
    for group in range(1, 15):
        numbers = [clause for of, clause in clauses if of == group]
        assert numbers == list(range(1, len(numbers) + 1)), f"R{group}"


def test_the_table_of_options_is_that_of_the_code() -> None:
    section = section_of(RULES, "R15 Options").partition("### ")[0]
    documented = {codes_in(row[0])[0]: codes_in(row[1]) for row in rows_of(section)}
    assert list(documented) == list(OPTIONS)
    default = RuleSet().as_dict()
    for option, values in documented.items():
        assert sorted(values) == sorted(_shown(value) for value in OPTIONS[option]), option
        assert values[0] == _shown(default[option]), option


def test_the_table_of_presets_is_that_of_the_code() -> None:
    default = RuleSet().options()
    rows = {codes_in(row[0])[0]: codes_in(row[1]) for row in rows_of(section_of(RULES, "Presets"))}
    assert rows == {
        name: [
            f"{option}={_shown(value)}"
            for option, value in preset.options().items() if value != default[option]
        ]
        for name, preset in PRESETS.items()
    }  # fmt: skip


def test_every_reason_of_a_deals_end_is_documented() -> None:
    rows = rows_of(section_of(RULES, "How a deal can end"))
    assert [codes_in(row[0])[0] for row in rows] == [reason.value for reason in Reason]


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
