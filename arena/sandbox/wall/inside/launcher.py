"""Runs in every box before the bot: closes the walls, then becomes the bot.

It gets its orders and later the bot's files from stdin, each with its length before it, and reads
not one byte more: what follows is the protocol.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import sys
from types import ModuleType

from arena.sandbox.wall.inside.closing import (
    WallError,
    die_with_parent,
    enter_groups,
    filter_calls,
    leave_no_dump,
    no_new_privs,
    restrict_files,
    set_cpu_limit,
    set_limits,
)
from arena.sandbox.wall.inside.importer import FOLDER, BotLoader, install

TYPE_CHECKING = False  # importing typing would cost every start 5 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, TypedDict

    class Orders(TypedDict):
        """What the back-end asks for; `limits` are of `closing.set_limits`."""

        limits: list[tuple[str, int]]
        cpu_s: int | None
        threads: int
        readable: list[str]
        writable: list[str]
        landlock: bool
        seccomp: bytes
        pid_mark: bytes
        preload: list[str]
        groups: list[int]


READY = b"\x06"
"""What the box says on stdout, once: the walls are closed, the files may come."""
WALL_FAILED = 70
"""Exit code of a box whose walls could not be closed; why stands on stderr."""
_THREAD_STACK_BYTES = 2 << 20  # so that 16 threads fit into the memory limit beside a bot


def close_walls(orders: Orders) -> None:
    """Takes away all that a bot has no need of; raises where a wall cannot be closed."""
    enter_groups(orders["groups"])
    os.closerange(3, 65_536)
    die_with_parent()
    os.chdir("/")
    os.environ.clear()
    for name in orders["preload"]:
        __import__(name)
    compile(b"pass", "<first>", "exec")  # sets the compiler up: a bot's start need not pay for it
    _thread.stack_size(_THREAD_STACK_BYTES)
    cap_threads(orders["threads"])
    set_limits(orders["limits"])
    if orders["cpu_s"] is not None:
        set_cpu_limit(orders["cpu_s"])
    leave_no_dump()
    no_new_privs()
    if orders["landlock"]:
        restrict_files(orders["readable"], orders["writable"])
    if orders["seccomp"]:
        pid = os.getpid().to_bytes(4, sys.byteorder)
        filter_calls(orders["seccomp"].replace(orders["pid_mark"], pid))


def cap_threads(most: int) -> None:
    """Makes Python refuse thread `most` + 1 beside the main one, exactly and at once.

    `threading` is not imported yet; it takes what it finds in `_thread` when a bot imports it.
    The kernel's own limit behind it (RLIMIT_NPROC) has to be looser: it counts a thread for a
    moment longer than its joiner does, and for some back-ends it counts other processes too.
    """
    for name in ("start_new_thread", "start_joinable_thread"):  # the latter since Python 3.13
        start = getattr(_thread, name, None)
        if start is not None:
            setattr(_thread, name, _capped(start, most))


def _capped(start: Callable[..., Any], most: int) -> Callable[..., Any]:
    def start_thread(*args: Any, **kwargs: Any) -> Any:
        if _thread._count() >= most:
            raise RuntimeError("can't start new thread")
        return start(*args, **kwargs)

    return start_thread


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A traceback with the bot's source lines and without the launcher's frames."""
    while trace and not trace.tb_frame.f_code.co_filename.startswith(FOLDER):
        trace = trace.tb_next
    try:
        import traceback

        traceback.print_exception(kind, error, trace)
    except MemoryError:  # the referee reads the end of stderr: say at least what it was
        os.write(2, b"MemoryError\n")


def _show_thread(args: _thread._ExceptHookArgs) -> None:
    if args.exc_type is SystemExit:
        return
    sys.stderr.write(f"Exception in thread {args.thread.name if args.thread else '?'}:\n")
    _show(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback)


def become(files: dict[str, bytes]) -> None:
    """Runs `bot.py` as `__main__`; its exceptions, SystemExit included, are the process's end."""
    loader = install(files)
    main = ModuleType("__main__")
    main.__spec__ = loader.find_spec("__main__")
    main.__loader__ = loader  # type: ignore[assignment]  # by its methods, as in importer
    main.__file__ = f"{FOLDER}/bot.py"
    loader.modules.append(main)
    sys.modules["__main__"] = main
    sys.argv = [main.__file__]
    sys.orig_argv = [sys.executable, main.__file__]
    sys.excepthook = _show
    _thread._excepthook = _show_thread  # `threading` takes it from there
    # One write a line: a bot that prints without flush is heard, and costs one system call.
    sys.stdout.reconfigure(line_buffering=True, write_through=False)  # type: ignore[union-attr]  # started with -u: a TextIOWrapper on the bare fd
    exec(loader.get_code("__main__"), main.__dict__)
    leave(loader)


def leave(loader: BotLoader) -> None:
    """Ends a bot that has come to its end, in the interpreter's own order and without its last act.

    That act takes all modules apart, one by one: a quarter of the CPU of a bot in a short match.
    Threads are waited for, exit handlers run, what the bot's modules hold is let go (a file of its
    own is written out by that), streams are flushed.
    """
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()  # what the interpreter itself calls
    atexit._run_exitfuncs()
    gc.collect()  # as the interpreter does: it orders what is let go next, a file before its fd
    for module in loader.modules:
        module.__dict__.clear()
    gc.collect()
    try:
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            if stream is not None:
                stream.flush()
    except Exception:  # the bot may have put anything in their place
        sys.exit(120)  # as the interpreter tells it
    os._exit(0)


def main(orders: Orders, read_block: Callable[[], Any]) -> None:
    """Closes the walls, says so, waits for the files, becomes the bot.

    `read_block` gives what comes next on stdin, and ends the process at the end of file.
    """
    try:
        close_walls(orders)
    except (WallError, OSError, ValueError) as error:
        os.write(2, f"the inner wall: {error}\n".encode())
        os._exit(WALL_FAILED)
    for name in [name for name in sys.modules if name.startswith("arena.")]:
        del sys.modules[name]
    orders.clear()  # type: ignore[attr-defined]  # a plain dict: the bot need not read it
    gc.freeze()  # what is here now is no garbage: the bot's collections need not look at it
    gc.enable()
    os.write(1, READY)
    become(read_block())
