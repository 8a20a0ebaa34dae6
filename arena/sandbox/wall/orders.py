"""What the host sends into a box: the launcher's code and its orders, then the bot's files."""

import importlib.util
import marshal
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from arena.sandbox.base import BotFiles
from arena.sandbox.errors import BadBotFiles

if TYPE_CHECKING:
    from arena.sandbox.wall.inside.launcher import Orders

_INSIDE = "arena.sandbox.wall.inside"
_MODULES = (f"{_INSIDE}.closing", f"{_INSIDE}.importer", f"{_INSIDE}.launcher")

STUB = f"""\
import gc,os,sys,marshal
gc.disable()
def read(n):
 b=bytearray()
 while n:
  c=os.read(0,min(n,65536))
  if not c: os._exit(0)
  n-=len(c)
  try: b+=c
  except (MemoryError,TypeError): b=None
 if b is None: raise MemoryError
 return b
def block(): return marshal.loads(read(int.from_bytes(read(4),'big')))
def orders():
 modules,o=block()
 for n,c in modules:
  sys.modules[n]=type(sys)(n)
  exec(c,sys.modules[n].__dict__)
 return o
o=orders()
sys.modules[{_MODULES[-1]!r}].main(o,block)
"""
"""What the interpreter is started on (-c): reads the launcher and runs it; no file is needed.

A block that does not fit into the memory is read to its end all the same: the host has then done
its part, and what follows is the bot's own end. Garbage is not looked for until the launcher is
done: imports leave none, and the looking took a twentieth of a box's start.
"""

BWRAP_OPTION = "--args"
"""The first option of bubblewrap: it takes all others from a pipe."""

PYTHON_OPTIONS = ("-sSPBu", "-X", "utf8", "-c", STUB)
"""No site, no user site, no current folder on the path, no .pyc written, streams unbuffered."""

PYTHON_ENVIRONMENT: Mapping[str, str] = {
    "PYTHONHASHSEED": "0",
    # Each malloc arena would take 64 MB of address space, which RLIMIT_AS counts.
    "MALLOC_ARENA_MAX": "1",
}
"""All that the interpreter finds in its environment; the launcher clears it before the bot."""


def _block(value: Any) -> bytes:
    body = marshal.dumps(value)
    return len(body).to_bytes(4, "big") + body


@cache
def _launcher() -> tuple[tuple[str, object], ...]:
    modules = []
    for name in _MODULES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise FileNotFoundError(name)
        source = importlib.util.decode_source(Path(spec.origin).read_bytes())
        code = compile(source, f"<santase {name.rpartition('.')[2]}>", "exec", optimize=2)
        modules.append((name, code))
    return tuple(modules)


def orders_block(orders: "Orders") -> bytes:
    """The launcher and its orders, for the stub. marshal: both sides are the same Python."""
    return _block((_launcher(), dict(orders)))


def files_block(files: BotFiles) -> bytes:
    """The bot's files, for the launcher; raises BadBotFiles."""
    if "bot.py" not in files:
        raise BadBotFiles("a bot has a file named bot.py at its top")
    for name in files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or str(path) != name or name == ".":
            raise BadBotFiles(f"{name!r} is no relative path within a bot")
    return _block({name: bytes(content) for name, content in files.items()})
