"""Byte strings that a bot might send for a reply, and what the protocol's words make of them."""

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import isinf
from random import Random
from typing import Any

from pipe_kit import LIMITS, Script

from arena.santase import IllegalMove, UnknownMove, apply, parse_move, start_deal

NOTE_BYTES = 512
_WORDS = (
    *("play:QH", "play:9S", "meld:H", "exchange", "close", "claim", "play:XX", "PLAY:QH", ""),
    *("play:QH\n", "play:QH ", "null", "дай", "🂡", "\u0000", "a" * 600),
)
_VALUES = (
    *("1", "1.0", "-1", "true", "null", '"1"', "NaN", "Infinity", "1e400", "[]", "{}", "01"),
    *("9" * 30, "9" * 5_000, "[" * 3_000, '"\\ud800"', '"\\ud83c\\udca1"', '"\\u0000"', "1e0"),
)
_KEYS = ("id", "action", "note", "type", "ID", "extra", "", "id\\u0000")


def script(random: Random) -> Script:
    """Something that a bot does instead of, or as, a reply to request 1."""
    data = random.choice(_KINDS)(random)
    if random.random() < 0.05:  # noise on stderr before it, within what is allowed
        noise = random.randbytes(random.randrange(20_000))
        return Script([(2, noise), *_cut(data, random)], ends=b"\n" not in data)
    return Script(_cut(data, random), ends=b"\n" not in data or random.random() < 0.2)


def greeting(random: Random) -> Script:
    """Something that a bot says instead of, or as, its `ready`, in one write."""
    data = random.choice(_GREETINGS)
    if random.random() < 0.7:
        data = random.choice((_mutation, _object_of_labels, _cut_short, _followed))(data, random)
    return Script(greeting=data, ends=True)


def beyond(random: Random) -> Script:
    """Something that a bot says in one breath with a good reply."""
    data = random.choice(_KINDS)(random)[:3_000] or b" "
    return Script(beyond=random.choice((data, b" ", b"\n", b"\r", b"{", b"\x00")))


def expected(script: Script, legal: Callable[[str], bool]) -> tuple[int, str]:
    """Seat and name of the fault that the script must lead to, by PROTOCOL §§1, 3 and 5.

    A reply that is legal brings the other seat to its request, which ends there.
    """
    out = b"".join(data for fd, data in script.pieces if fd == 1)
    line, newline, _ = out.partition(b"\n")
    if len(line) + 1 > LIMITS.reply_bytes:
        return 1, "output"
    if not newline:
        return 1, "exit" if script.ends else "time"
    reply = _reply(line)
    if reply is None:
        return 1, "protocol"
    return (0, "exit") if legal(reply) else (1, "illegal")


def expected_of_greeting(script: Script) -> tuple[str, str]:
    """The name of the fault, and of its cause at the start, that an odd greeting must lead to.

    Whoever is well started ends when it is asked.
    """
    line, newline, beyond = script.greeting.partition(b"\n")
    if len(line) + 1 > LIMITS.reply_bytes:
        return "start", "output"
    if not newline:
        return "start", "exit"
    fields = _object(line.removeprefix(b"\xef\xbb\xbf"))
    if fields is None or not set(fields) <= {"type", "name", "version"}:
        return "start", "protocol"
    labels = (fields.get("name"), fields.get("version"))
    if fields.get("type") != "ready" or not all(isinstance(label, str | None) for label in labels):
        return "start", "protocol"
    return ("protocol" if beyond else "exit"), ""


def _object(line: bytes) -> dict[str, Any] | None:
    """A JSON object, read by Python's own json, strictly; None for anything else."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    def finite(number: str) -> float:
        if isinf(float(number)):
            raise ValueError(number)
        return float(number)

    def last_of_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, value in pairs:  # a lone surrogate is none of UTF-8's characters anywhere
            f"{key}{value}".encode()
        return dict(pairs)

    try:
        value = json.loads(
            line.decode(),
            parse_constant=refuse,
            parse_float=finite,
            object_pairs_hook=last_of_each,
        )
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _reply(line: bytes) -> str | None:
    """The action of a valid reply to request 1."""
    fields = _object(line)
    if fields is None or not set(fields) <= {"id", "action", "note"}:
        return None
    number, action, note = (fields.get(key) for key in ("id", "action", "note"))
    if type(number) is not int or number != 1 or not isinstance(action, str):
        return None
    if note is not None and (not isinstance(note, str) or len(note.encode()) > NOTE_BYTES):
        return None
    return action


def legal_at(deck: list[Any], rules: Any) -> Callable[[str], bool]:
    """Whether an action is legal for the leader of this deck, as the rules alone say."""
    deal = start_deal(deck, 0, rules)

    def legal(action: str) -> bool:
        try:
            apply(deal, parse_move(action))
        except (UnknownMove, IllegalMove):
            return False
        return True

    return legal


def _cut(data: bytes, random: Random) -> list[tuple[int, bytes]]:
    """The bytes in up to five pieces, each a write of its own."""
    places = sorted(random.randrange(len(data) + 1) for _ in range(random.randrange(5)))
    edges = [0, *places, len(data)]
    return [(1, data[a:b]) for a, b in pairwise(edges)]


def _valid(random: Random) -> bytes:
    fields: Mapping[str, Any] = {"id": 1, "action": random.choice(_WORDS)}
    if random.random() < 0.3:
        fields = {**fields, "note": random.choice(_WORDS)}
    return json.dumps(fields, ensure_ascii=random.random() < 0.5).encode() + b"\n"


def _spaced(random: Random) -> bytes:
    """White space and a carriage return, which are free."""
    space = "".join(random.choice(" \t\r") for _ in range(random.randrange(6)))
    return (
        _valid(random)
        .replace(b":", b":" + space.encode(), 1)
        .replace(b"\n", random.choice((b"\r\n", b" \n", b"\r\r\n", b"\n")))
    )


def _mutated(random: Random) -> bytes:
    return _mutation(_valid(random), random)


def _mutation(line: bytes, random: Random) -> bytes:
    data = bytearray(line)
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(data))
        match random.randrange(4):
            case 0:
                data[place] ^= 1 << random.randrange(8)
            case 1:
                del data[place : place + random.randrange(1, 6)]
            case 2:
                data[place:place] = random.randbytes(random.randrange(1, 6))
            case _:
                data[place:place] = data[: random.randrange(len(data) + 1)]
        if not data:
            break
    return bytes(data) or b"\n"


def _built(random: Random) -> bytes:
    """An object of odd keys and values, some of them twice."""
    fields = ['"id":1', f'"action":"{random.choice(_WORDS[:8])}"']
    fields += [
        f'"{random.choice(_KEYS)}":{random.choice(_VALUES)}' for _ in range(random.randrange(4))
    ]
    random.shuffle(fields)
    mark = random.choice(("", "", "", "\ufeff"))
    return f"{mark}{{{','.join(fields)}}}\n".encode()


def _noise(random: Random) -> bytes:
    return random.randbytes(random.randrange(300)) + random.choice((b"\n", b""))


def _several(random: Random) -> bytes:
    return b"".join(_valid(random) for _ in range(random.randrange(2, 4)))


def _partial(random: Random) -> bytes:
    data = _valid(random)
    return data[: random.randrange(len(data))]


def _giant(random: Random) -> bytes:
    size = random.choice((4_080, 4_095, 4_096, 4_097, 8_192, 70_000, 300_000))
    head = b'{"id":1,"action":"claim","note":"'
    tail = random.choice((b'"}\n', b"\n", b""))
    return head + b"x" * (size - len(head) - len(tail)) + tail


_KINDS = (
    *(_valid, _spaced, _mutated, _mutated, _mutated, _built, _built, _noise, _several),
    *(_partial, _giant),
)

_GREETINGS = (
    *(b'{"type":"ready"}\n', b'\xef\xbb\xbf{"type":"ready"}\r\n', b' {"type" : "ready"} \n'),
    b'{"type":"ready","name":"\xd0\x91\xd0\xbe\xd1\x82","version":"2"}\n',
    *(b"ready\n", b"\n", b"OK\n", b"x" * 5_000, b'{"type":"ready"}', b"\xff\xfe\n"),
    b'\xef\xbb\xbf\xef\xbb\xbf{"type":"ready"}\n',
)


def _object_of_labels(line: bytes, random: Random) -> bytes:
    keys = ("type", "name", "version", "hand", "Type")
    fields = ['"type":"ready"'] * random.randrange(3)
    fields += [f'"{random.choice(keys)}":{random.choice(_VALUES)}' for _ in range(2)]
    random.shuffle(fields)
    return f"{{{','.join(fields)}}}\n".encode()


def _cut_short(line: bytes, random: Random) -> bytes:
    return line[: random.randrange(len(line))] or b"\n"


def _followed(line: bytes, random: Random) -> bytes:
    return (line + random.choice((b" ", b"\n", b'{"id":1,"action":"claim"}\n', line)))[:4_000]
