"""`santase rules check`: what it finds, what it says of files that are none, its exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arena.cli import app

DATA = Path(__file__).parents[2] / "data"
VECTORS = DATA / "vectors.jsonl"
ILLEGAL = DATA / "illegal.jsonl"

Record = dict[str, Any]


def records(file: Path, kind: str | None) -> list[Record]:
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [record for record in found if record.get("kind") == kind]


def check(*files: Path | str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command."""
    done = CliRunner().invoke(app, ["rules", "check", *(str(file) for file in files)])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Writes records, or raw bytes, to a file."""

    def write_file(*lines: Record | bytes) -> Path:
        file = tmp_path / "records.jsonl"
        texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        file.write_bytes(b"\n".join(texts) + b"\n")
        return file

    return write_file


def test_the_given_files_hold() -> None:
    code, out, err = check(VECTORS, ILLEGAL)
    assert code == 0
    assert out.splitlines() == [
        f"{VECTORS}: all 114 records hold",
        f"{ILLEGAL}: all 30 records hold",
    ]
    assert err == ""


def changed(path: str, value: object, kind: str = "deal") -> Record:
    """The first record of a kind with one value changed; `path` is like steps.2.talon."""
    record = records(VECTORS, kind)[0]
    place: Any = record
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        place = place[step]
    place[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("steps.2.talon", 8, "step 3: talon: the record has 8, the rules 10"),
        ("steps.2.points", [0, 13], "step 3: points: the record has (0, 13), the rules (0, 14)"),
        ("steps.2.player", 0, "step 3: on turn: the record has 0, the rules 1"),
        ("steps.2.legal", ["claim"], "step 3: legal: the record has none too many, and lacks"),
        ("steps.0.action", "play:KS", "step 1: play:KS is refused: the card is not in"),
        ("steps.0.action", "play:7H", "step 1: 'play:7H' is no action"),
        ("result.points", 3, "result, points: the record has 3, the rules 1"),
        ("result.reason", "settled", "result, reason: the record has settled, the rules claim"),
        ("result.bonus_to", 1, "result, bonus_to: the record has 1, the rules None"),
        ("trump", "S", "trumps: the record has S, the rules H"),
        ("first_leader", 0, "the first leader: the record has 0, the rules 1"),
    ],
)
def test_a_difference_names_record_step_and_what_differs(
    write: Any, path: str, value: object, told: str
) -> None:
    file = write(changed(path, value))
    code, out, _ = check(file)
    assert code == 1
    assert f"{file}: line 1: ten_beats_king, {told}" in out
    assert f"{file}: 1 of 1 records differ" in out


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("deals.1.dealer", 0, "deal 2: the dealer: the record has 0, the rules 1"),
        ("deals.1.actions.0", [1, "play:QD"], "deal 2, step 1: play:QD is refused: seat 0 is on"),
        ("deals.1.result.points", 2, "deal 2: result, points: the record has 2, the rules 3"),
        ("deals.1.score_after", [2, 1], "deal 2: score: the record has (2, 1), the rules (3, 1)"),
        ("result.score", [11, 7], "winner and score: the record has (0, [11, 7]), the rules"),
        ("result.winner", 1, "winner and score"),
    ],
)
def test_a_difference_in_a_match_names_the_deal(
    write: Any, path: str, value: object, told: str
) -> None:
    code, out, _ = check(write(changed(path, value, kind="match")))
    assert code == 1
    assert f"match_ends_on_11, {told}" in out


def test_a_match_that_goes_on_after_its_end_differs(write: Any) -> None:
    record = records(VECTORS, "match")[0]
    record["deals"].append(record["deals"][-1])
    code, out, _ = check(write(record))
    assert code == 1
    assert "deal 12: seat 0 has won, but the record goes on" in out


def test_a_deal_that_goes_on_or_stops_early_differs(write: Any) -> None:
    longer, shorter = (records(VECTORS, "deal")[0] for _ in range(2))
    longer["steps"].append(longer["steps"][-1])
    shorter["steps"].pop()
    code, out, _ = check(write(longer, shorter))
    assert code == 1
    assert "the deal has ended (claim), but the record goes on" in out
    assert "line 2: ten_beats_king, the deal goes on, but the record ends" in out


def test_an_action_that_should_be_refused_but_is_legal_differs(write: Any) -> None:
    record = records(ILLEGAL, None)[1]
    record["action"] = "play:KS"
    code, out, _ = check(write(record))
    assert code == 1
    assert "play_opponents_card, play:KS by seat 1 is legal, not refused (R3.10)" in out


def test_a_prefix_that_is_refused_differs(write: Any) -> None:
    record = records(ILLEGAL, None)[1]
    record["prefix"][1] = [0, "play:9D"]
    code, out, _ = check(write(record))
    assert code == 1
    assert "play_opponents_card, step 2: play:9D is refused" in out


def without(key: str) -> Record:
    record = records(VECTORS, "deal")[0]
    del record[key]
    return record


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "line 1: not JSON in UTF-8"),
        (b'{"name": "\xff"}', "line 1: not JSON in UTF-8"),
        (b'{"deals":' * 100_000, "line 1: not JSON in UTF-8"),
        (b"[]", "line 1: not a record: Expected `object`, got `array`"),
        (b"{}", "line 1: not a record: Object missing required field `name`"),
        (changed("kind", "trick"), "line 1: not a record: Invalid enum value 'trick'"),
        (without("deck"), "line 1: not a record: Object missing required field `deck`"),
        (without("steps"), "line 1: not a record: Object missing required field `steps`"),
        (changed("dealer", 2), "line 1: not a record: Invalid enum value 2 - at `$.dealer`"),
        (changed("dealer", True), "Expected `int`, got `bool` - at `$.dealer`"),
        (changed("steps.3.talon", "10"), "Expected `int`, got `str` - at `$.steps[3].talon`"),
        (
            changed("steps.3.legal", "claim"),
            "Expected `array`, got `str` - at `$.steps[3].legal`",
        ),
        (changed("deck.5", "1H"), "line 1: ten_beats_king, not a record: '1H' is no card"),
        (changed("deck.5", "JC"), "JC more than once, no KH - at `$.deck`"),
        (changed("rules", {"tie": "x"}), "there is no rule option 'tie'"),
        (
            changed("rules", {"tie_end": "x"}),
            "'tie_end' cannot be 'x'; allowed: 'last_trick', 'void'",
        ),
        (b"  ", "holds no records"),
    ],
)
def test_a_file_that_holds_no_records_is_told_where_and_what_to_do(
    write: Any, line: Record | bytes, told: str
) -> None:
    file = write(line)
    code, out, err = check(file)
    assert code == 2
    assert f"{file}: " in err
    assert told in err
    assert "Give files of records: one JSON object a line" in err
    assert out == ""


@pytest.mark.parametrize("name", ["", "nowhere.jsonl"])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    code, _, err = check(f"{tmp_path}/{name}")
    assert code == 2
    assert "cannot be read" in err
    assert "Traceback" not in err


def test_an_empty_file_is_no_file_of_records(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    code, _, err = check(tmp_path / "empty.jsonl")
    assert code == 2
    assert "holds no records" in err


def test_the_worst_file_decides_the_exit_code(write: Any, tmp_path: Path) -> None:
    differs = write(changed("result.points", 3))
    assert check(VECTORS, differs)[0] == 1
    assert check(differs, VECTORS, tmp_path / "nowhere.jsonl")[0] == 2


def test_no_file_at_all_is_wrong_usage() -> None:
    assert check()[0] == 2


def test_blank_lines_a_bom_and_carriage_returns_are_forgiven(write: Any) -> None:
    line = json.dumps(records(ILLEGAL, None)[0]).encode()
    code, out, _ = check(write(b"\xef\xbb\xbf" + line + b"\r", b"", line))
    assert code == 0
    assert "all 2 records hold" in out


def test_json_gives_a_line_for_each_file(write: Any, tmp_path: Path) -> None:
    differs = write(changed("steps.2.talon", 8), changed("deals.1.dealer", 0, kind="match"))
    missing = tmp_path / "nowhere.jsonl"
    code, out, err = check("--json", ILLEGAL, differs, missing)
    assert code == 2
    assert err == ""
    held, differing, unread = (json.loads(line) for line in out.splitlines())
    assert held == {
        "file": str(ILLEGAL),
        "ok": True,
        "records": 30,
        "line": None,
        "error": None,
        "findings": [],
    }
    assert (differing["ok"], differing["line"], differing["records"]) == (False, 1, 2)
    assert [(f["line"], f["deal"], f["step"]) for f in differing["findings"]] == [
        (1, None, 3),
        (2, 2, None),
    ]
    assert differing["findings"][0]["record"] == "ten_beats_king"
    assert differing["findings"][0]["what"] == "talon: the record has 8, the rules 10"
    assert (unread["ok"], unread["records"]) == (False, 0)
    assert "cannot be read" in unread["error"]
