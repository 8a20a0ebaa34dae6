"""JSON Schemas of the protocol's messages, generated from the structs."""

from typing import Any

import msgspec

from arena.protocol.messages import Deal, DealEnd, Hello, MatchEnd, Ready, Reply, Request

_TO_BOT = Hello | Deal | Request | DealEnd | MatchEnd
_FROM_BOT = (Ready, Reply)


def protocol_schema() -> dict[str, Any]:
    """One schema document: `$defs` of every message, `to_bot` and `from_bot` among them.

    In messages to the bot keys may be added within a version, so their schemas allow more keys;
    the bot's own lines allow no other.
    """
    (to_bot, *from_bot), definitions = msgspec.json.schema_components(
        (_TO_BOT, *_FROM_BOT), ref_template="#/$defs/{name}"
    )
    for name, definition in definitions.items():
        if name not in {kind.__name__ for kind in _FROM_BOT}:
            definition.pop("additionalProperties", None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Santase bot protocol, version 1",
        "oneOf": [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}],
        "$defs": definitions | {"to_bot": to_bot, "from_bot": {"anyOf": from_bot}},
    }
