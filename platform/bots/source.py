"""Whether Python sources can be compiled here: the syntax alone, nothing is run (FC058).

The compiler itself works in a process apart: a megabyte of nested or endless source takes hundreds
of megabytes and seconds of it, or breaks it.
"""

import json
import platform
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from django.utils.translation import gettext as _

from bots.errors import UploadRefused

MOST_MB = 1_000
"""Memory of the compiler; a megabyte of numbers takes a third of it."""
MOST_CPU_S = 20
_MOST_WALL_S = 120.0
"""On a machine so busy that the compiler hardly gets a turn."""

_CHILD = Path(__file__).with_name("compile_child.py")
_at_once = threading.BoundedSemaphore(2)
"""Compilers of one web server, whose memory adds up."""


def check_sources(sources: Mapping[str, bytes]) -> None:
    """Raises `UploadRefused` with file, line and what to do where one is no valid Python."""
    for name, data in sources.items():
        _check_text(name, data)
    _check_syntax(sources)


def _check_text(name: str, data: bytes) -> None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UploadRefused(
            _(
                "%(name)s, line %(line)d: the byte %(byte)s (byte %(place)d of the file) is not "
                "UTF-8: save the file as UTF-8."
            )
            % {
                "name": name,
                "line": line,
                "byte": f"0x{data[error.start]:02X}",
                "place": error.start + 1,
            }
        ) from error
    if not text.strip():
        raise UploadRefused(
            _("%(name)s is empty: upload the file with the bot's source.") % {"name": name}
        )
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UploadRefused(
            _("%(name)s, line %(line)d: a NUL byte: upload Python source as plain text.")
            % {"name": name, "line": line}
        )


def _check_syntax(sources: Mapping[str, bytes]) -> None:
    answer = _compile_apart(sources)
    if answer is None:
        raise UploadRefused(_too_much(" ".join(sources)[:80]))
    found = json.loads(answer)
    if found is None:
        return
    if found["line"] is None:
        raise UploadRefused(_too_much(found["name"]))
    raise UploadRefused(
        _(
            "%(name)s, line %(line)d: %(why)s. Bots run on Python %(version)s; newer syntax is not "
            "understood. Correct the line, or write it for this version."
        )
        % {**found, "version": platform.python_version()}
    )


def _compile_apart(sources: Mapping[str, bytes]) -> bytes | None:
    """What the child says; None where it was ended by a limit or broke."""
    parts = [b"%d %d\n" % (MOST_MB, MOST_CPU_S)]
    for name, data in sources.items():
        parts += [f"{json.dumps(name)} {len(data)}\n".encode(), data]
    try:
        with _at_once:
            done = subprocess.run(
                [sys.executable, "-I", "-S", _CHILD],
                input=b"".join(parts), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={}, cwd="/", timeout=_MOST_WALL_S, check=False,
            )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def _too_much(name: str) -> str:
    return _(
        "%(name)s is too deeply nested or too long for Python to compile here (within %(mb)d MB "
        "and %(seconds)d s): simplify the source, and keep data in a file of its own."
    ) % {"name": name, "mb": MOST_MB, "seconds": MOST_CPU_S}
