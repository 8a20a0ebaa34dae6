import msgspec

from arena.protocol import result_message
from arena.santase import DealResult, Reason


def test_a_result_is_written_as_in_the_protocol() -> None:
    result = DealResult(1, 2, Reason.CLAIM, (20, 67), (3, 5), None)
    assert msgspec.json.encode(result_message(result)) == (
        b'{"winner":1,"points":2,"reason":"claim","totals":[20,67],"tricks":[3,5],"bonus_to":null}'
    )
