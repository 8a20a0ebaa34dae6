import ast
import gettext
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.utils.safestring import mark_safe
from django.utils.translation import override
from django.utils.translation.template import templatize
from web_table import Table

from arena.santase import MOVES, PACK, Reason, parse_card
from web.templatetags.web import likelihood, percent
from web.words import card_name, fault_sentence, move_sentence, result_sentence
from web.words.faults import FAULT_NAMES, fault_name

ROOT = Path(__file__).parents[3]
PLATFORM = ROOT / "platform"
LOCALE = ROOT / "locale" / "bg" / "LC_MESSAGES"
PLAYERS = (mark_safe("Ада"), mark_safe("Борис"))


def texts_of(po: str) -> dict[str, str]:
    """Every text of a .po file with its translation, keyed as gettext keys them."""
    found = {}
    for block in po.split("\n\n")[1:]:
        fields: dict[str, str] = {}
        for name, quoted in re.findall(r'^(msg\S+) ((?:".*"\n?)+)', block, re.M):
            fields[name] = "".join(ast.literal_eval(part) for part in quoted.strip().split("\n"))
        context = f"{fields['msgctxt']}\x04" if "msgctxt" in fields else ""
        if "msgid_plural" in fields:
            for number in (0, 1):
                found[(context + fields["msgid"], number)] = fields[f"msgstr[{number}]"]
        else:
            found[context + fields["msgid"]] = fields["msgstr"]
    return found


def test_every_text_has_its_bulgarian_and_the_compiled_file_is_that_of_the_source():
    source = texts_of((LOCALE / "django.po").read_text(encoding="utf-8"))
    assert len(source) > 200
    assert [text for text, bulgarian in source.items() if not bulgarian] == []
    with (LOCALE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # no other way
    assert {key: text for key, text in compiled.items() if key != ""} == source


def test_a_translation_names_the_same_values_as_its_text():
    source = texts_of((LOCALE / "django.po").read_text(encoding="utf-8"))
    values = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")
    for text, bulgarian in source.items():
        plain = text[0] if isinstance(text, tuple) else text
        assert sorted(values.findall(plain)) == sorted(values.findall(bulgarian)), text


@pytest.mark.parametrize(
    ("card", "english", "bulgarian"),
    [
        ("KH", "king of hearts", "поп купа"),
        ("TS", "ten of spades", "десетка пика"),
        ("JD", "jack of diamonds", "вале каро"),
        ("QC", "queen of clubs", "дама спатия"),
    ],
)
def test_cards_are_named_as_players_name_them(card, english, bulgarian):
    assert card_name(parse_card(card)) == english
    with override("bg"):
        assert card_name(parse_card(card)) == bulgarian


def test_every_move_reads_as_a_sentence_in_both_languages():
    for language, move in product(("en", "bg"), MOVES):
        with override(language):
            sentence = move_sentence(PLAYERS[0], move, leads=True, value=40, taken=PACK[5])
        assert sentence.startswith("Ада ")
        assert "{" not in sentence


def test_every_end_of_a_deal_names_its_clause():
    for language, reason, winner in product(("en", "bg"), Reason, (0, 1, None)):
        with override(language):
            sentence, clause = result_sentence(reason, PLAYERS, winner, 2)
        assert re.fullmatch(r"R\d+\.\d+", clause)
        assert "{" not in sentence


def test_every_fault_is_told_with_limit_use_and_how_the_process_ended():
    fault = {
        "seat": 1, "cause": "no JSON", "phase": "deal", "deal": 2, "request": 41, "limit": 9220,
        "used": 9310, "unit": "ms", "exit": None, "signal": "SIGSEGV", "action": None,
    }  # fmt: skip
    for language, name in product(("en", "bg"), FAULT_NAMES):
        with override(language):
            sentence = fault_sentence({**fault, "name": name})
            assert fault_name(name) != name
        assert "9310" in sentence
        assert "9220" in sentence
        assert "SIGSEGV" in sentence


def test_a_start_that_failed_says_what_failed():
    fault = {"name": "start", "cause": "time: no reply within the time", "phase": "start"}
    assert fault_sentence(fault) == "It used up its time."


def test_pages_in_bulgarian_speak_no_english(table: Table, client):
    """Whatever stands in the English page of a match does not stand in the Bulgarian one."""
    page = client.get(
        f"/matches/{table.match.pk}/", headers={"accept-language": "bg"}
    ).content.decode()
    for word in ("Replay", "Deals", "winner", "seat", "Rules", "takes", "leads", "claims"):
        assert not re.search(rf">[^<]*\b{word}\b[^<]*<", page), word


def test_every_text_of_code_and_templates_is_in_the_catalogue():
    known = set(texts_of((LOCALE / "django.po").read_text(encoding="utf-8")))
    known |= {text[0] for text in known if isinstance(text, tuple)}
    said = {text for path in PLATFORM.rglob("*.py") for text in texts_in_code(path.read_text())}
    for path in PLATFORM.rglob("templates/**/*.html"):
        said |= set(texts_in_template(path.read_text(encoding="utf-8")))
    assert len(said) > 200
    assert sorted(said - known) == []


def texts_in_code(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id.removesuffix("_lazy")
            given = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            if name in {"gettext", "ngettext", "_"} and given:
                yield given[0]
            elif name == "pgettext":
                yield f"{given[0]}\x04{given[1]}"


def texts_in_template(source: str) -> Iterator[str]:
    """By Django's own reading of templates for xgettext, where `%` stands doubled in blocks."""
    text = r"""u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    for found in re.finditer(
        rf"\b(?:_|n?gettext)\({text}|pgettext\({text}, {text}", templatize(source)
    ):
        plain, context, contextual = (part and ast.literal_eval(part) for part in found.groups())
        yield plain or f"{context}\x04{contextual}"


@pytest.mark.parametrize(
    ("value", "english", "bulgarian"),
    [
        (0.0, "< 0.1 %", "< 0,1 %"),
        (0.0009, "< 0.1 %", "< 0,1 %"),
        (0.5, "50.0 %", "50,0 %"),
        (0.999, "99.9 %", "99,9 %"),
        (0.9996, "> 99.9 %", "> 99,9 %"),
        (1.0, "> 99.9 %", "> 99,9 %"),
    ],
)
def test_a_likelihood_is_never_quite_0_or_100(value: float, english: str, bulgarian: str) -> None:
    for language, text in (("en", english), ("bg", bulgarian)):
        with override(language):
            assert likelihood(value).replace("\N{NARROW NO-BREAK SPACE}", " ") == text


def test_a_share_may_be_all_or_nothing() -> None:
    shares = [
        percent(value).replace("\N{NARROW NO-BREAK SPACE}", " ") for value in (0.0, 0.25, 1.0)
    ]
    assert shares == ["0.0 %", "25.0 %", "100.0 %"]
