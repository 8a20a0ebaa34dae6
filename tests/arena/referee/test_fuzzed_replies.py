"""Whatever bytes a bot sends, the referee names the right fault, keeps its memory and goes on."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from odd_replies import beyond, expected, expected_of_greeting, greeting, legal_at, script
from pipe_kit import LIMITS, PLAYS_WELL, PipeMatches, Script
from referee_kit import resident_kb

from arena.referee.dealer import deck_for
from arena.santase import ruleset

LEGAL = legal_at(deck_for("0" * 64, 1, 0), ruleset())


@pytest.fixture
def matches() -> Iterator[PipeMatches]:
    playing = PipeMatches()
    yield playing
    playing.close()


@pytest.fixture
def patient() -> Iterator[PipeMatches]:
    """For bots that always say something: a busy machine is to be no reason for a verdict."""
    playing = PipeMatches(msgspec.structs.replace(LIMITS, move_ms=5_000, bank_ms=5_000))
    yield playing
    playing.close()


def throw(matches: PipeMatches, strings: int) -> Counter[str]:
    """Plays so many scripts of one seed; how often each verdict came."""
    verdicts: Counter[str] = Counter()
    for number in range(strings):
        if number == strings // 10:
            before_kb = resident_kb()
        thrown = script(Random(number))
        record, _ = matches.play(thrown)
        (fault,) = record.faults
        assert (fault.seat, fault.name) == expected(thrown, LEGAL), (number, thrown, fault)
        assert record.winner == 1 - fault.seat
        verdicts["legal" if fault.seat == 0 else fault.name] += 1
    assert resident_kb() - before_kb < 5_000
    return verdicts


def test_ten_thousand_odd_replies_get_the_verdict_that_the_protocol_gives(
    patient: PipeMatches,
) -> None:
    verdicts = throw(patient, 10_000)
    assert set(verdicts) == {"legal", "illegal", "protocol", "output", "exit"}
    assert min(verdicts.values()) > 150


@pytest.mark.soak
def test_a_hundred_thousand_odd_replies_get_the_verdict_that_the_protocol_gives(
    patient: PipeMatches,
) -> None:
    assert sum(throw(patient, 100_000).values()) == 100_000


SAMPLE = pytest.param(1_000, id="a thousand")
MANY = pytest.param(20_000, marks=pytest.mark.soak, id="twenty thousand")


@pytest.mark.parametrize("strings", [SAMPLE, MANY])
def test_an_odd_greeting_is_a_failed_start_with_the_cause_that_the_protocol_gives(
    matches: PipeMatches, strings: int
) -> None:
    verdicts: Counter[tuple[str, str]] = Counter()
    for number in range(strings):
        thrown = greeting(Random(number))
        record, _ = matches.play(thrown)
        (fault,) = [fault for fault in record.faults if fault.seat == 1]
        name, cause = expected_of_greeting(thrown)
        assert fault.name == name, (number, thrown, fault)
        assert str(fault.cause).startswith(cause), (number, thrown, fault)
        verdicts[name, cause] += 1
    assert len(verdicts) == 5
    assert min(verdicts.values()) > strings / 100


@pytest.mark.parametrize("strings", [SAMPLE, MANY])
def test_whatever_comes_in_one_breath_with_a_reply_is_a_fault_at_the_next_request(
    matches: PipeMatches, strings: int
) -> None:
    for number in range(strings):
        thrown = beyond(Random(number))
        record, first = matches.play(thrown, PLAYS_WELL)
        assert first is not None
        (fault,) = record.faults
        assert (fault.seat, fault.name) == (1, "protocol"), (number, thrown, fault)
        assert fault.request is not None
        assert fault.request > first["id"]
        assert record.seats[1].refused


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
