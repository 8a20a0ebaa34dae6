"""The pipes of one match: lines to and from both bots, with caps and deadlines.

Works on plain file descriptors, so it is the same for every back-end. Nothing here waits without a
deadline, nothing grows with what a bot writes: of a reply at most `reply_bytes` plus one read are
held, of stderr the head and the tail. What came in is an `Incoming`; what it means is the
referee's to say.
"""

import os
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.sandbox.base import Box

_READ_BYTES = 65_536
_FIRST_SLICE_NS = 10_000_000
_SLICE_NS = 200_000_000
_GAP_NS = 50_000_000
_DRAIN_READS = 64
"""How many reads of one stderr in a row, so that a flood cannot keep the referee busy."""


@dataclass(slots=True)  # not frozen: one is made for every reply, and would take twice the time
class Line:
    """A complete line that came in, without its newline, and when it had been read (monotonic)."""

    data: bytes
    read_ns: int


@dataclass(frozen=True, slots=True)
class Gone:
    """No line, and the bot's process has ended."""


@dataclass(frozen=True, slots=True)
class Late:
    """No line within the time."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A reply line above `reply_bytes`; `seen` bytes of it were read."""

    seen: int


@dataclass(frozen=True, slots=True)
class Flooded:
    """Stderr above its total; `seen` bytes came in."""

    seen: int


Incoming = Line | Gone | Late | TooLong | Flooded


class StderrLog:
    """One bot's stderr: the first quarter and the last three quarters of `keep` bytes.

    What lies between is counted, not kept.

    `marks` are `(request id, bytes written before it)`: the owner sees what was printed when.
    """

    def __init__(self, keep: int) -> None:
        self._head_room = keep // 4
        self._tail_room = keep - self._head_room
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0
        self.marks: list[tuple[int, int]] = []

    def write(self, data: bytes) -> None:
        """Takes in what the bot wrote."""
        self.total += len(data)
        room = self._head_room - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > self._tail_room:
            del self._tail[: len(self._tail) - self._tail_room]

    def mark(self, request_id: int) -> None:
        """Notes that request `request_id` goes out now; nothing where nothing was written since."""
        if not self.marks or self.marks[-1][1] != self.total:
            self.marks.append((request_id, self.total))

    @property
    def cut(self) -> int:
        """How many bytes in the middle were not kept."""
        return self.total - len(self._head) - len(self._tail)

    def kept(self) -> bytes:
        """What was kept; a line in the middle says how much was cut."""
        return bytes(self._head) + self._notice + bytes(self._tail)

    def kept_marks(self) -> list[tuple[int, int]]:
        """The marks by their places in `kept()`; those in what was cut stand behind its notice."""
        begin_of_tail = self.total - len(self._tail)
        shift = len(self._notice) - self.cut
        return [
            (request_id, before)
            if before <= len(self._head)
            else (request_id, max(before, begin_of_tail) + shift)
            for request_id, before in self.marks
        ]

    @property
    def _notice(self) -> bytes:
        return b"\n[... %d bytes cut ...]\n" % self.cut if self.cut else b""


class _Side:
    """Our ends of one bot's pipes and what is under way in them."""

    def __init__(self, box: Box, stderr_kb: int) -> None:
        # Kept as numbers: a box that has been stopped has none.
        self.stdin, self.stdout = box.stdin, box.stdout
        self.stderr, self.pidfd = box.stderr, box.pidfd
        self.inbox = b""
        self.outbox = b""
        self.stdin_open = True
        self.stdout_open = True
        self.ended = False
        self.log = StderrLog(stderr_kb * 1024)
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self._stdout_alone = select.poll()
        self._stdout_alone.register(self.stdout, select.POLLIN)

    def has_spoken(self) -> bool:
        """Whether bytes of stdout are there; by poll, as a read in vain takes thrice the time."""
        if not self.inbox and self.stdout_open and self._stdout_alone.poll(0):
            self.read()
        return bool(self.inbox)

    def write(self, data: bytes = b"") -> bool:
        """Writes what the pipe takes and keeps the rest; whether nothing had to be kept.

        Who has closed his stdin loses it.
        """
        data = self.outbox + data
        while data and self.stdin_open:
            try:
                data = data[os.write(self.stdin, data) :]
            except BlockingIOError:
                self.outbox = data
                return False
            except OSError:
                self.stdin_open = False
        self.outbox = b""
        return True

    def read(self) -> None:
        """Reads once from stdout; an end of file is remembered."""
        try:
            data = os.read(self.stdout, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.inbox += data
        else:
            self.stdout_open = False

    def read_rest(self, most: int) -> None:
        """Reads what an ended bot has left, until `most` bytes are there.

        More than one read only where it has put the pipe into packet mode (O_DIRECT).
        """
        before = -1
        while self.stdout_open and before < len(self.inbox) < most:
            before = len(self.inbox)
            self.read()

    def take_line(self) -> bytes | None:
        """The first complete line of the inbox, without its newline."""
        line, newline, rest = self.inbox.partition(b"\n")
        if not newline:
            return None
        self.inbox = rest
        return line


class Channel:
    """Both bots' pipes on one poll: a chatty bot never blocks while the other is on turn."""

    def __init__(
        self, boxes: Sequence[Box], *, reply_bytes: int, stderr_kb: int, stderr_total_kb: int
    ) -> None:
        self._reply_bytes = reply_bytes
        self._stderr_total = stderr_total_kb * 1024
        self._sides = [_Side(box, stderr_kb) for box in boxes]
        self._stderr_of = {side.stderr: seat for seat, side in enumerate(self._sides)}
        self._side_of = {
            fd: side
            for side in self._sides
            for fd in (side.stdin, side.stdout, side.stderr, side.pidfd)
        }
        self._polls: dict[tuple[int, ...], select.poll] = {}
        self.gap_ns = 0
        """Time in which this process itself was not run, found in the last `receive`."""

    def log(self, seat: int) -> StderrLog:
        """The stderr of the bot at `seat`."""
        return self._sides[seat].log

    def spoke_early(self, seat: int) -> bool:
        """Whether bytes are there though no reply is due: asked when the next request falls due."""
        return self._sides[seat].has_spoken()

    def send(self, seat: int, line: bytes) -> bool:
        """Writes `line`, or keeps what the pipe does not take for later; whether all is written."""
        side = self._sides[seat]
        if side.write(line):
            return True
        for poll in self._polls.values():  # rare: the pipe is full
            poll.register(side.stdin, select.POLLOUT)
        return False

    def receive(
        self,
        seats: tuple[int, ...],
        time_left_ns: Callable[[int], int],
        sent: Callable[[int, int], None],
    ) -> tuple[int, Incoming]:
        """The next thing that comes from one of `seats`: a line, or the reason why none came.

        `time_left_ns(now)` is asked after every slice of waiting (10 ms, then 200 ms) how long to
        go on; it may take back the host's stalls. `sent(seat, now)` is told when a line that
        `send` could not write whole has been taken by the pipe. A line that came in time counts
        before anything else, also when the process has ended since.
        """
        self.gap_ns = 0
        slice_ns = _FIRST_SLICE_NS
        poll = self._polls.get(seats) or self._new_poll(seats)
        now = time.monotonic_ns()
        while True:
            for seat in seats:
                incoming = self._judge(seat, now)
                if incoming is not None:
                    return seat, incoming
            left_ns = time_left_ns(now)
            if left_ns <= 0:
                return seats[0], Late()
            wait_ns = left_ns if left_ns < slice_ns else slice_ns
            ready = poll.poll(wait_ns / 1e6)
            if ready:
                self._serve(ready, sent)
            else:
                slice_ns = _SLICE_NS
            before, now = now, time.monotonic_ns()
            over_ns = now - before - wait_ns
            if over_ns > _GAP_NS:
                self.gap_ns += over_ns

    def _judge(self, seat: int, now: int) -> Incoming | None:
        """What is there of a seat; `now` is when it had been read."""
        side = self._sides[seat]
        if side.inbox:
            line = side.take_line()
            if line is not None:
                if len(line) >= self._reply_bytes:  # the newline counts too
                    return TooLong(len(line) + 1)
                return Line(line, now)
            if len(side.inbox) >= self._reply_bytes:
                return TooLong(len(side.inbox))
        if side.log.total > self._stderr_total:
            return Flooded(side.log.total)
        if side.ended:
            return Gone()
        return None

    def _new_poll(self, seats: tuple[int, ...]) -> select.poll:
        """What is waited for while `seats` are asked: kept, and changed with what is open."""
        poll = self._polls[seats] = select.poll()
        for fd in self._stderr_of:
            poll.register(fd, select.POLLIN)
        for seat in seats:
            side = self._sides[seat]
            if side.stdout_open:
                poll.register(side.stdout, select.POLLIN)
            poll.register(side.pidfd, select.POLLIN)
        for side in self._sides:
            if side.outbox:
                poll.register(side.stdin, select.POLLOUT)
        return poll

    def _serve(self, ready: list[tuple[int, int]], sent: Callable[[int, int], None]) -> None:
        """Does what each ready descriptor asks for; what an ended bot had written counts first."""
        for fd, _ in ready:
            side = self._side_of[fd]
            if fd == side.stdout:
                side.read()
                if not side.stdout_open:
                    self._forget(fd)
            elif fd == side.stderr:
                self._drain(fd)
            elif fd == side.pidfd:
                side.read_rest(self._reply_bytes)
                side.ended = True
            else:
                if side.write():
                    self._forget(fd)
                    sent(self._sides.index(side), time.monotonic_ns())

    def _drain(self, fd: int) -> None:
        side = self._sides[self._stderr_of[fd]]
        for _ in range(_DRAIN_READS):
            try:
                data = os.read(fd, _READ_BYTES)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                del self._stderr_of[fd]
                self._forget(fd)
                return
            side.log.write(data)

    def _forget(self, fd: int) -> None:
        for poll in self._polls.values():
            try:
                poll.unregister(fd)
            except KeyError:
                continue

    def pending(self, seat: int) -> bytes:
        """What has come in from a bot and was not taken as a line."""
        return self._sides[seat].inbox

    def await_ends(self, seats: tuple[int, ...], deadline_ns: int) -> None:
        """Waits until the bots at `seats` have ended; what they write to stderr is taken in.

        Their stdin has been closed, so what had not been written to it is lost.
        """
        for seat in seats:
            self._sides[seat].outbox = b""
        poll = self._new_poll(())  # the stderr of both
        for seat in seats:
            poll.register(self._sides[seat].pidfd, select.POLLIN)
        waiting = len(seats)
        while waiting and (left_ns := deadline_ns - time.monotonic_ns()) > 0:
            for fd, _ in poll.poll(left_ns / 1e6):
                if fd in self._stderr_of:
                    self._drain(fd)
                else:
                    self._forget(fd)
                    waiting -= 1

    def retire(self, seat: int) -> None:
        """Takes in the rest of an ended bot's stderr; its pipes may be closed then."""
        side = self._sides[seat]
        if side.stderr in self._stderr_of:
            self._drain(side.stderr)
        self._stderr_of.pop(side.stderr, None)
        side.outbox = b""
        side.stdin_open = side.stdout_open = False
        for fd in (side.stdin, side.stdout, side.stderr, side.pidfd):
            self._forget(fd)
