import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol import Malformed, Ready, Reply, decode_ready, decode_reply


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":41,"action":"meld:D"}',
        b'{"id":41,"action":"meld:D"}\r',
        b'  { "id" : 41 ,\t"action" : "meld:D" } ',
        b'{"action":"meld:D","id":41}',
        b'{"id":41,"action":"meld:D","note":"why \\u0414"}',
        b'{"id":41,"action":"meld:D","note":null}',
    ],
)
def test_a_reply_is_read_however_its_json_is_written(line: bytes) -> None:
    reply = decode_reply(line, 41)
    assert isinstance(reply, Reply)
    assert (reply.id, reply.action) == (41, "meld:D")


def test_of_duplicate_keys_the_last_counts() -> None:
    line = b'{"id":1,"id":41,"action":7,"action":"close","note":{},"note":"x"}'
    assert decode_reply(line, 41) == Reply(41, "close", "x")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b'"ready"',
        b"41",
        b"debug: my hand is bad",
        b'{"id":41}',
        b'{"action":"close"}',
        b'{"id":41,"action":"close","extra":1}',
        b'{"id":41,"action":null}',
        b'{"id":41,"action":5}',
        b'{"id":41,"action":["close"]}',
        b'{"id":true,"action":"close"}',
        b'{"id":"41","action":"close"}',
        b'{"id":41.5,"action":"close"}',
        b'{"id":NaN,"action":"close"}',
        b'{"id":Infinity,"action":"close"}',
        b'{"id":1e999,"action":"close"}',
        b'{"id":41,"action":"close","note":NaN}',
        b'{"id":41,"action":"\\ud800"}',
        b'{"id":41,"action":"close","note":"\\udfff"}',
        b'{"id":41,"action":"close\xff"}',
        b'\xff\xfe{"id":41,"action":"close"}',
        b'\xef\xbb\xbf{"id":41,"action":"close"}',
        b'{"id":41,"action":"close"}\x00',
        b'{"id":41,"action":"close"}{"id":42,"action":"close"}',
        b'{"id":41,"action":"close"',
        b"\x1b[31m{}\x1b[0m",
        b"[" * 4000,
        b'{"id":' + b"9" * 4000 + b',"action":"close"}',
        b'{"id":42,"action":"close"}',
        b'{"id":-41,"action":"close"}',
    ],
)
def test_fc017_a_line_that_is_no_valid_reply_is_malformed_and_says_why(line: bytes) -> None:
    judged = decode_reply(line, 41)
    assert isinstance(judged, Malformed)
    assert judged.cause


@pytest.mark.parametrize(("size", "good"), [(511, True), (512, True), (513, False)])
def test_a_note_holds_at_most_512_bytes_of_utf_8(size: int, good: bool) -> None:
    note = "Д" * (size // 2) + "x" * (size % 2)
    assert len(note.encode()) == size
    line = json.dumps({"id": 1, "action": "close", "note": note}).encode()
    assert isinstance(decode_reply(line, 1), Reply) is good


@given(st.binary(max_size=300))
def test_no_bytes_make_the_decoders_raise(line: bytes) -> None:
    assert isinstance(decode_reply(line, 1), Malformed | Reply)
    assert isinstance(decode_ready(line), Malformed | Ready)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json_value_is_judged_without_an_exception(value: object) -> None:
    line = json.dumps(value).encode()
    assert isinstance(decode_reply(line, 1), Malformed | Reply)


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"ready"}',
        b'\xef\xbb\xbf{"type":"ready"}\r',
        b'{"type":"ready","name":"\xd0\x91\xd0\xbe\xd1\x82","version":"2"}',
    ],
)
def test_ready_may_begin_with_a_bom_and_carry_labels(line: bytes) -> None:
    assert isinstance(decode_ready(line), Ready)


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b'{"type":"hello"}',
        b'{"type":"ready","hand":[]}',
        b'{"type":"ready","name":7}',
        b"OK",
    ],
)
def test_fc002_only_a_valid_ready_is_ready(line: bytes) -> None:
    assert isinstance(decode_ready(line), Malformed)
