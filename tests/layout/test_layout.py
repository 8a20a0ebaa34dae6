"""Guards of the structure: what must stay true of the tree, whoever changes it."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from house import ROOT, files, is_ignored, packages, pyproject

TOP_LEVEL = {
    ".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
    "SECURITY.md", "arena", "docker", "docker-compose.yml", "docs", "locale", "manage.py",
    "platform", "pyproject.toml", "requirements", "sample_bots", "tests",
}  # fmt: skip

MOST_LINES = 400

# The engine's package of Debian has the name of a registry: that one is known by its slash.
# Put together here, so that this file does not hold what it forbids.
FOREIGN = {
    "a folder that no clone has": "sha" + "red/",
    "a package registry": r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|docker\.io/|"
    r"ghcr\.io|quay\.io|crates\.io|proxy\.golang\.org)",
    "a path of one machine": r"(?<![\w.}/])/(?:wo" + r"rk|home/(?!<)\w+|Us" + r"ers/\w+)/",
}
NO_TEXT = {".mo", ".png", ".ico", ".woff2", ".zip", ".gz"}


def contract(name: str) -> dict[str, list[str]]:
    """The import-linter contract whose name begins so."""
    found = [
        each for each in pyproject()["tool"]["importlinter"]["contracts"]
        if each["name"].startswith(name)
    ]  # fmt: skip
    assert len(found) == 1, f"contracts named {name!r}: {len(found)}"
    return dict(found[0])


def test_platform_is_a_source_root_and_never_a_package() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists(), (
        "platform/__init__.py would hide the standard library's module platform: remove it "
        "(docs/adr/0001-platform-is-a-source-root.md)"
    )


def test_every_top_level_entry_is_one_of_the_design() -> None:
    there = {path.name for path in ROOT.iterdir() if not is_ignored(path.name)}
    assert there <= TOP_LEVEL


def test_no_name_on_the_import_path_hides_a_standard_module() -> None:
    ours = packages(ROOT) | packages(ROOT / "platform")
    assert not ours & set(sys.stdlib_module_names)


def test_the_contracts_name_every_room_of_the_platform() -> None:
    rooms = packages(ROOT / "platform")
    assert set(pyproject()["tool"]["importlinter"]["root_packages"]) == rooms | {"arena"}
    assert set(contract("The platform's rooms")["layers"]) == rooms | {"arena"}


def test_the_contracts_name_every_room_of_arena() -> None:
    layers = contract("The referee side is layered")["layers"]
    named = {name.strip() for layer in layers for name in layer.split("|")}
    assert named == packages(ROOT / "arena")


def test_every_module_that_a_contract_names_exists() -> None:
    for each in pyproject()["tool"]["importlinter"]["contracts"]:
        for name in each.get("source_modules", []):
            place = Path(*name.split("."))
            roots = (ROOT, ROOT / "platform")
            assert any(
                (root / place).is_dir() or (root / place).with_suffix(".py").is_file()
                for root in roots
            ), f"{each['name']}: there is no {name}"


def test_the_import_contracts_hold() -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "platform")])
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as l; l()",
         "--no-cache"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_source_file_is_longer_than_it_should_be() -> None:
    long = {
        str(path.relative_to(ROOT)): length
        for path in files(".py")
        if path.relative_to(ROOT).parts[0] in ("arena", "platform")
        and "migrations" not in path.parts
        and (length := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert not long


@pytest.mark.parametrize("what", FOREIGN)
def test_no_file_names(what: str) -> None:
    pattern = re.compile(FOREIGN[what])
    found = []
    for path in files():
        if path.suffix in NO_TEXT:
            continue
        text = path.read_text(encoding="utf-8", errors="ignore")
        found += [
            f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group()}"
            for hit in pattern.finditer(text)
        ]
    assert not found


def test_every_target_of_the_makefile_says_what_it_is_for() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z][a-z-]*):(?!=)(.*)$", text, re.MULTILINE)
    assert {"run", "test", "soak", "bench", "check", "help"} <= {name for name, _ in targets}
    assert [name for name, rest in targets if "## " not in rest] == []
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony is not None
    assert set(phony.group(1).split()) == {name for name, _ in targets}


def _test_modules() -> list[Path]:
    """Modules that pytest imports: not the bots that sandbox tests run."""
    return [
        path
        for path in files(".py")
        if path.relative_to(ROOT).parts[0] == "tests" and "cases" not in path.parts
    ]


def test_test_modules_have_unique_base_names() -> None:
    names = Counter(path.name for path in _test_modules() if path.name != "conftest.py")
    assert [name for name, count in names.items() if count > 1] == []


def test_there_is_no_package_among_the_tests() -> None:
    found = [str(path) for path in _test_modules() if path.name == "__init__.py"]
    assert found == []
