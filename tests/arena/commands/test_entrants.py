"""Bots as they are named on the command line: a script, a folder, a house bot."""

from pathlib import Path

import pytest

from arena.commands.entrants import resolve
from arena.commands.errors import UsageError


def test_a_folder_is_a_bot_of_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import helper\n")
    (tmp_path / "helper.py").write_text("")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "openings.json").write_text("{}")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "helper.pyc").write_bytes(b"\0")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("")
    bot = resolve(str(tmp_path))
    assert sorted(bot.entrant.files) == ["bot.py", "data/openings.json", "helper.py"]
    assert bot.entrant.name == tmp_path.name
    assert bot.script == tmp_path / "bot.py"


def test_a_script_is_a_bot_of_one_file_whatever_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("pass\n")
    (tmp_path / "other.py").write_text("pass\n")
    assert resolve(str(tmp_path / "mine.py")).entrant.files == {"bot.py": b"pass\n"}


def test_a_folder_without_bot_py_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("")
    with pytest.raises(UsageError, match=r"there is no bot\.py in this folder"):
        resolve(str(tmp_path))


def test_a_folder_that_holds_much_more_than_a_bot_is_refused(tmp_path: Path) -> None:
    for number in range(201):
        (tmp_path / f"file{number}").touch()
    with pytest.raises(UsageError, match="more than 200 files"):
        resolve(str(tmp_path))
