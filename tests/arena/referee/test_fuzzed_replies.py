"""Whatever bytes a bot sends, the referee names the right fault, keeps its memory and goes on."""

import gc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from odd_replies import expected, legal_at, script
from pipe_kit import PipeMatches, Script

from arena.referee.dealer import deck_for
from arena.santase import ruleset

LEGAL = legal_at(deck_for("0" * 64, 1, 0), ruleset())


@pytest.fixture
def matches() -> Iterator[PipeMatches]:
    playing = PipeMatches()
    yield playing
    playing.close()


def resident_kb() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def throw(matches: PipeMatches, strings: int) -> Counter[str]:
    """Plays so many scripts of one seed; how often each verdict came."""
    verdicts: Counter[str] = Counter()
    for number in range(strings):
        if number == strings // 10:
            gc.collect()
            before_kb = resident_kb()
        thrown = script(Random(number))
        record, _ = matches.play(thrown)
        (fault,) = record.faults
        assert (fault.seat, fault.name) == expected(thrown, LEGAL), (number, thrown, fault)
        assert record.winner == 1 - fault.seat
        verdicts["legal" if fault.seat == 0 else fault.name] += 1
    gc.collect()
    assert resident_kb() - before_kb < 5_000
    return verdicts


def test_ten_thousand_odd_replies_get_the_verdict_that_the_protocol_gives(
    matches: PipeMatches,
) -> None:
    verdicts = throw(matches, 10_000)
    assert set(verdicts) == {"legal", "illegal", "protocol", "output", "exit"}
    assert min(verdicts.values()) > 150


@pytest.mark.soak
def test_a_hundred_thousand_odd_replies_get_the_verdict_that_the_protocol_gives(
    matches: PipeMatches,
) -> None:
    assert sum(throw(matches, 100_000).values()) == 100_000


@pytest.mark.parametrize(
    ("silent", "name"),
    [
        (Script(()), "time"),
        (Script([(1, b'{"id":1,"action":')]), "time"),
        (Script((), closes=True), "time"),
        (Script([(1, b'{"id":1')], closes=True), "time"),
        (Script([(2, b"e" * 80_000)]), "output"),
        (Script([(2, b"e" * 80_000), (1, b"x" * 5_000)]), "output"),
    ],
)
def test_a_line_that_does_not_come_is_named_as_well(
    matches: PipeMatches, silent: Script, name: str
) -> None:
    record, _ = matches.play(silent)
    assert [(fault.seat, fault.name) for fault in record.faults] == [(1, name)]
