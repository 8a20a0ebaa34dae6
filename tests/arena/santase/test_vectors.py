"""The records of vectors and refusals, each a test of its own."""

from pathlib import Path

import pytest

from arena.commands.vector_check import check
from arena.commands.vector_records import Record, read_record

DATA = Path(__file__).parents[2] / "data"


def records(file: str) -> list[Record]:
    return [read_record(line) for line in (DATA / file).read_bytes().splitlines()]


@pytest.mark.parametrize("record", records("vectors.jsonl"), ids=lambda record: record.name)
def test_a_recorded_deal_or_match_goes_by_the_rules(record: Record) -> None:
    assert check(record) is None


@pytest.mark.parametrize("record", records("illegal.jsonl"), ids=lambda record: record.name)
def test_a_recorded_action_is_refused(record: Record) -> None:
    assert check(record) is None
