import msgspec
import pytest

from arena.protocol import Limits


@pytest.mark.parametrize(
    "fields",
    [
        {"move_ms": 0},
        {"bank_ms": -1},
        {"wall_factor": 0},
        {"start_ms": None},
        {"memory_mb": 1},
        {"move_ms": "100"},
        {"speed": 3},
    ],
)
def test_fc031_limits_that_make_no_sense_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(fields, Limits)


def test_fc032_limits_come_from_one_place_with_the_documented_defaults() -> None:
    assert msgspec.to_builtins(Limits()) == {
        "start_ms": 10_000,
        "move_ms": 100,
        "bank_ms": 10_000,
        "wall_factor": 3,
        "memory_mb": 256,
        "threads": 16,
        "reply_bytes": 4_096,
        "stderr_kb": 64,
        "stderr_total_kb": 65_536,
    }
