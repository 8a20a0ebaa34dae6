"""The bot that tries the walls: one line of JSON in, one line out. Runs in a box, alone.

In: what to try, and where the host has put something to be found. Out: for each attempt "done", or
the name of the error that stopped it.
"""

import errno
import json
import os
import resource
import socket
import sys
from pathlib import Path
from typing import Any

Host = dict[str, Any]


def read_marker(host: Host) -> None:
    """Reads a file of the host that all may read."""
    Path(host["marker"]).read_bytes()


def write_somewhere(host: Host) -> None:
    """Makes a file in any place that is writable on most machines."""
    reason = OSError()
    for path in host["places"]:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            return
        except OSError as error:
            reason = error
    raise reason


def make_socket(host: Host) -> None:
    """Makes a socket of any family."""
    reason = OSError()
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, 38, 40):
        try:
            socket.socket(family, socket.SOCK_STREAM).close()
            return
        except OSError as error:
            reason = error
    raise reason


def reach_host(host: Host) -> None:
    """Connects to a port and to an abstract socket of the host."""
    reason = OSError()
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", host["port"])),
        (socket.AF_UNIX, "\0" + host["abstract"]),
    ):
        with socket.socket(family, socket.SOCK_STREAM) as there:
            there.settimeout(2)
            try:
                there.connect(address)
                return
            except OSError as error:
                reason = error
    raise reason


def fork(host: Host) -> None:
    """Makes a process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def run_program(host: Host) -> None:
    """Asks to become another program (one that is not there, to come back)."""
    try:
        os.execv("/there-is-no-such-program", ["program"])
    except FileNotFoundError:
        return


def signal_worker(host: Host) -> None:
    """Sends the worker a signal that does nothing."""
    os.kill(host["pid"], 0)


def read_worker(host: Host) -> None:
    """Reads the worker's command line."""
    Path(f"/proc/{host['pid']}/cmdline").read_bytes()


def take_memory(host: Host) -> None:
    """Takes 1 GB."""
    bytearray(1 << 30)


def raise_limit(host: Host) -> None:
    """Sets a limit of its own."""
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))
    except ValueError as error:  # so Python tells EPERM
        raise PermissionError(errno.EPERM, str(error)) from error


def leave_core(host: Host) -> None:
    """Chooses the cores it runs on."""
    os.sched_setaffinity(0, os.sched_getaffinity(0))


def find_authority(host: Host) -> None:
    """Looks for what a worker could have left it: root, environment, open files."""
    if os.getuid() == 0 or os.environ:
        return
    for fd in range(3, 32):
        os.fstat(fd)  # each must be closed: EBADF, at the first one
        return


def main() -> None:
    """Tries what is asked for and tells what came of it."""
    host = json.loads(sys.stdin.readline())
    outcomes = {}
    for name in host["attempts"]:
        try:
            globals()[name](host)
            outcomes[name] = "done"
        except MemoryError:
            outcomes[name] = "MemoryError"
        except OSError as error:
            outcomes[name] = errno.errorcode.get(error.errno or 0, type(error).__name__)
    print(json.dumps(outcomes))


main()
