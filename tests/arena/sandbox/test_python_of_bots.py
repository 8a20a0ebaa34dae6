"""Bots run on the same Python in every back-end, and it is the one that they are told of."""

import json

import pytest
from sandbox_harness import KINDS, converse, replied, sandbox

from arena.sandbox import BoxLimits

BOT = b"""
import json, platform, sys
import decimal, hashlib, sqlite3, ssl, zlib
input()
print(json.dumps([platform.python_version(), sys.version, sys.implementation.name,
                  sqlite3.sqlite_version, ssl.OPENSSL_VERSION, zlib.ZLIB_RUNTIME_VERSION]))
"""


def asked(kind: str) -> list[str]:
    """What a bot in this back-end says of its Python."""
    box = sandbox(kind).start(BoxLimits(), None)
    try:
        out, err, _ = converse(box, {"bot.py": BOT}, b"{}\n", 30.0, replied)
    finally:
        box.stop("asked")
    assert out, err.decode()
    said: list[str] = json.loads(out)
    return said


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_bot_runs_on_the_python_that_hello_names(kind: str) -> None:
    version, *_ = asked(kind)
    assert version == sandbox(kind).python


@pytest.mark.parametrize("kind", ["docker", "landlock"])
def test_the_python_is_the_same_in_every_back_end_to_the_build_and_its_libraries(kind: str) -> None:
    assert asked(kind) == asked("bubblewrap")
