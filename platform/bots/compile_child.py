"""Run as a program of its own: compiles sources under limits of memory and CPU, runs none of them.

stdin: a line `<most MB> <most CPU seconds>`, then for each source a line `<name as JSON> <bytes>`
and the source itself. stdout: `null`, or a JSON object `{"name", "line", "why"}` of the first
source that is no Python; `line` is null where it is too much for the compiler.
"""

import json
import os
import resource
import sys
import warnings
from typing import Any, BinaryIO


def first_refused(source: BinaryIO) -> dict[str, Any] | None:
    """The first source that does not compile, or None."""
    while header := source.readline():
        name, _, size = header.decode().rpartition(" ")
        found = _refusal(json.loads(name), source.read(int(size)))
        if found is not None:
            return found
    return None


def _refusal(name: str, data: bytes) -> dict[str, Any] | None:
    try:
        compile(data, name, "exec", flags=0, dont_inherit=True)
    except SyntaxError as error:
        return {"name": name, "line": error.lineno or 1, "why": error.msg}
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return {"name": name, "line": None, "why": ""}
    return None


def _main() -> None:
    most_mb, most_s = map(int, sys.stdin.buffer.readline().split())
    resource.setrlimit(resource.RLIMIT_AS, (most_mb << 20, most_mb << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (most_s, most_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)
    warnings.simplefilter("ignore")
    print(json.dumps(first_refused(sys.stdin.buffer)))


if __name__ == "__main__":
    _main()
