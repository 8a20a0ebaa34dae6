"""The bot protocol, version 1: messages as typed structs, one JSON object a line.

`messages` says what is sent, `codec` turns it into lines and judges the lines that bots send,
`schema` writes the JSON Schemas that the docs show.
"""

from arena.protocol.codec import Malformed, decode_ready, decode_reply, encode
from arena.protocol.messages import (
    PROTOCOL_VERSION,
    Clock,
    Deal,
    DealEnd,
    Hello,
    Limits,
    MatchEnd,
    Ready,
    Reply,
    Request,
    Runtime,
    ViewMessage,
    result_message,
    view_message,
)

__all__ = [
    "PROTOCOL_VERSION",
    "Clock",
    "Deal",
    "DealEnd",
    "Hello",
    "Limits",
    "Malformed",
    "MatchEnd",
    "Ready",
    "Reply",
    "Request",
    "Runtime",
    "ViewMessage",
    "decode_ready",
    "decode_reply",
    "encode",
    "result_message",
    "view_message",
]
