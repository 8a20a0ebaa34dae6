"""How a container's streams come to us as plain descriptors: by FIFOs, or through the engine.

FIFOs lie in a folder of the box's own, which the container sees read-only; they cost no more than
pipes. Where a container can't see our folders, the engine's attach stream is taken apart into
pipes by two threads, at some ten times the cost.
"""

import contextlib
import os
import socket
import threading
from pathlib import Path
from typing import Any

from arena.sandbox.errors import BoxError
from arena.sandbox.process import Ends, Pipes

INSIDE = "/io"
"""Where a container sees its FIFOs."""

_NAMES = ("stdin", "stdout", "stderr")

OPEN_FIFOS = f"""\
import os
try:
 for n,name,flag in ((0,'stdin',os.O_RDONLY),(1,'stdout',os.O_WRONLY),(2,'stderr',os.O_WRONLY)):
  fd=os.open('{INSIDE}/'+name,flag|os.O_NONBLOCK)
  os.dup2(fd,n)
  os.close(fd)
  os.set_blocking(n,True)
except OSError: os._exit(71)
"""
"""Runs in the container before all else. Without waiting: no worker at the other end, no box."""


class Fifos(Ends):
    """FIFOs in `folder`, which is made here and gone once the container has opened them."""

    def __init__(self, folder: Path, uid: int, mode: int) -> None:
        self._folder = folder
        folder.mkdir()
        folder.chmod(0o711)
        for name in _NAMES:
            os.mkfifo(folder / name)
            os.chmod(folder / name, mode)
            if os.geteuid() == 0:
                os.chown(folder / name, uid, uid)
        # A writer needs a reader to be there: ours, until the box has its own. Readers do not
        # wait; opened for writing too, they would never see the end of file.
        self._first_reader = self._open("stdin", os.O_RDONLY)
        self.stdin = self._open("stdin", os.O_WRONLY)
        self.stdout = self._open("stdout", os.O_RDONLY)
        self.stderr = self._open("stderr", os.O_RDONLY)

    def _open(self, name: str, flag: int) -> int:
        return os.open(self._folder / name, flag | os.O_NONBLOCK | os.O_CLOEXEC)

    def opened(self) -> None:
        """The box has all three: now the end of one side is seen by the other."""
        if self._first_reader >= 0:
            os.close(self._first_reader)
            self._first_reader = -1
            for fd in (self.stdout, self.stderr):
                os.set_blocking(fd, True)  # as the ends of pipes are
        for name in _NAMES:
            with contextlib.suppress(OSError):
                (self._folder / name).unlink()
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def close_ours(self) -> None:
        """Closes our ends; nothing stays on disk."""
        self.opened()
        super().close_ours()


class Attached(Ends):
    """Pipes of our own, and two threads between them and the engine's stream."""

    def __init__(self) -> None:
        self._pipes = Pipes()
        self.stdin, self.stdout, self.stderr = (
            self._pipes.stdin,
            self._pipes.stdout,
            self._pipes.stderr,
        )
        # Readable once all that the bot has said is in the pipes: its process ends before that.
        self.ended, self._speaking = os.pipe()
        self._lock = threading.Lock()
        self._stream: socket.socket | None = None
        self._closed = False

    def connect(self, attached: Any) -> None:
        """Takes the engine's stream, before the container starts. Raises BoxError."""
        stream: socket.socket = getattr(attached, "_sock", attached)
        with self._lock:
            if self._closed:
                raise BoxError("this box was stopped while it came up")
            self._stream = stream
        stream.settimeout(None)
        stdin, stdout, stderr = self._pipes.theirs
        for work in (
            lambda: _feed(stdin, stream),
            lambda: _take_apart(attached, stream, stdout, stderr, self._speaking),
        ):
            threading.Thread(target=work, name="santase-attach", daemon=True).start()

    def close_ours(self) -> None:
        """Closes our ends and the stream; the threads end with them."""
        with self._lock:
            self._closed = True
            if self._stream is None:
                self._pipes.close_theirs()
                os.close(self._speaking)
            else:
                with contextlib.suppress(OSError):
                    self._stream.shutdown(socket.SHUT_RDWR)
        os.close(self.ended)
        super().close_ours()


def _feed(stdin: int, stream: socket.socket) -> None:
    try:
        while data := os.read(stdin, 65_536):
            stream.sendall(data)
        stream.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the container is gone
    finally:
        os.close(stdin)


def _take_apart(
    attached: Any, stream: socket.socket, stdout: int, stderr: int, speaking: int
) -> None:
    """Frames: one byte for the stream, three of nothing, four of length, then the bytes."""
    ends = {1: stdout, 2: stderr}
    try:
        while head := _exactly(stream, 8):
            left = int.from_bytes(head[4:], "big")
            while left:
                data = stream.recv(min(left, 65_536))
                if not data:
                    return
                left -= len(data)
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(ends[head[0]], rest) :]
    except (OSError, KeyError):
        return  # closed on either side
    finally:
        for end in (*ends.values(), speaking):
            os.close(end)
        attached.close()


def _exactly(stream: socket.socket, size: int) -> bytes:
    """So many bytes; none at the end of the stream."""
    data = b""
    while len(data) < size:
        piece = stream.recv(size - len(data))
        if not piece:
            return b""
        data += piece
    return data
