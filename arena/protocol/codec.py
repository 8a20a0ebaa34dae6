"""Lines out of messages, and a judgement of the lines that bots send.

What a bot sends is data: a line that is no valid message becomes a `Malformed` with the reason in
words; no exception leaves `decode_ready` and `decode_reply`, whatever the bytes.
"""

from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from arena.protocol.messages import Ready, Reply

NOTE_BYTES = 512
"""The longest `note` of a reply, in bytes of UTF-8."""

_BOM = b"\xef\xbb\xbf"
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()
_Answer = TypeVar("_Answer", Ready, Reply)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that is no valid reply: fault `protocol`, `cause` says why in words."""

    cause: str


def encode(message: msgspec.Struct) -> bytes:
    """The message as one line of UTF-8 JSON, newline included."""
    return _encoder.encode(message) + b"\n"


def decode_ready(line: bytes) -> Ready | Malformed:
    """The first line of a bot, without its newline; one BOM at its start is forgiven."""
    return _decode(line.removeprefix(_BOM), Ready)


def decode_reply(line: bytes, request_id: int) -> Reply | Malformed:
    """The answer to request `request_id`, without its newline; whether it is legal comes later."""
    reply = _decode(line, Reply)
    if isinstance(reply, Malformed):
        return reply
    if reply.id != request_id:
        return Malformed(f"the reply's id is {reply.id}, the request's was {request_id}")
    if reply.note is not None and len(reply.note.encode()) > NOTE_BYTES:
        return Malformed(f"the note is longer than {NOTE_BYTES} bytes")
    return reply


def _decode(line: bytes, kind: type[_Answer]) -> _Answer | Malformed:
    """Decodes in two steps: into plain values, where the last of duplicate keys counts, then into
    the struct, which refuses unknown keys and wrong types.
    """
    try:
        plain: Any = _decoder.decode(line)
    except msgspec.MsgspecError as error:
        return Malformed(f"not a JSON object: {error}")
    except (RecursionError, ValueError):  # nesting; a number of thousands of digits
        return Malformed("not a JSON object: nested too deeply or a number too long")
    if not isinstance(plain, dict):
        return Malformed("not a JSON object: the line holds another kind of value")
    if kind is Ready and "type" not in plain:  # msgspec takes a lone struct without its tag too
        return Malformed('not a valid ready: no "type"')
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        return Malformed(f"not a valid {kind.__name__.lower()}: {error}")
