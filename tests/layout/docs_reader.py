"""Reads the documentation: links, anchors, tables, blocks of commands."""

import re
from dataclasses import dataclass
from pathlib import Path

from house import ROOT, files

_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every page of ours in Markdown."""
    return sorted(files(".md"))


def text_of(page: str | Path) -> str:
    """The text of a page, named from the root of the project."""
    return (ROOT / page).read_text(encoding="utf-8")


def prose_of(page: Path) -> str:
    """A page without its blocks of code and its inline code."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text_of(page)))


def links_of(page: Path) -> list[str]:
    """The targets of a page's links."""
    return re.findall(r"\]\(([^)\s]+)\)", prose_of(page))


def anchors_of(page: Path) -> set[str]:
    """What can be linked to within a page: headings, as code forges name them, and anchors."""
    text = _FENCE.sub("", text_of(page))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = {_anchor(heading) for heading in headings}
    return named | set(re.findall(r'<a id="([^"]+)"></a>', text))


def _anchor(heading: str) -> str:
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain).lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: its language and its text."""

    language: str
    text: str


def blocks_of(page: str | Path) -> list[Block]:
    """The blocks of code of a page, in order."""
    return [Block(*found) for found in _FENCE.findall(text_of(page))]


def section_of(page: str | Path, heading: str) -> str:
    """The text below a heading, up to the next of its own or a higher level."""
    text = text_of(page)
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#{{1,6}} |\Z)", text, re.M | re.S)
    assert found is not None, f"{page} has no heading {heading!r}"
    level = len(found.group(1))
    whole = re.search(
        rf"^#{{{level}}} {re.escape(heading)}\n(.*?)(?=^#{{1,{level}}} |\Z)", text, re.M | re.S
    )
    assert whole is not None
    return whole.group(1)


def rows_of(text: str) -> list[list[str]]:
    """The cells of every table row in a text, heads and rules left out."""
    lines = [line.strip() for line in text.splitlines()]
    rules = {at for at, line in enumerate(lines) if re.fullmatch(r"\|(?: *:?-+:? *\|)+", line)}
    heads = {at - 1 for at in rules}
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for at, line in enumerate(lines)
        if line.startswith("|") and at not in rules | heads
    ]


def codes_in(cell: str) -> list[str]:
    """What stands in a cell as code."""
    return re.findall(r"`([^`]+)`", cell)
