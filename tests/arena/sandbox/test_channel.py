"""The channel on plain pipes: caps, deadlines, and what it says of every kind of end."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from arena.sandbox.channel import Channel, Flooded, Gone, Incoming, Late, Line, StderrLog, TooLong


class Peer:
    """A bare child on pipes: what the channel needs of a box."""

    def __init__(self, source: str) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-c", source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        assert self.child.stderr is not None
        self.stdin = self.child.stdin.fileno()
        self.stdout = self.child.stdout.fileno()
        self.stderr = self.child.stderr.fileno()
        self.pidfd = os.pidfd_open(self.child.pid)

    def end(self) -> None:
        self.child.kill()
        self.child.wait()
        os.close(self.pidfd)
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def peers() -> Iterator[list[Peer]]:
    made: list[Peer] = []
    yield made
    for peer in made:
        peer.end()


SILENT = "import sys; sys.stdin.read()"


def channel(peers: list[Peer], *sources: str, reply_bytes: int = 4096) -> Channel:
    peers += [Peer(source) for source in sources]
    return Channel(peers, reply_bytes=reply_bytes, stderr_kb=64, stderr_total_kb=1024)


def receive(pipes: Channel, seat: int = 0, within_s: float = 10.0) -> Incoming:
    end_ns = time.monotonic_ns() + int(within_s * 1e9)
    number, incoming = pipes.receive((seat,), lambda now: end_ns - now, lambda seat, now: None)
    assert number == seat
    return incoming


def test_a_line_comes_without_its_newline_however_it_is_cut_into_writes(peers: list[Peer]) -> None:
    source = (
        "import sys, time\n"
        "for piece in ('{\"a\"', ':', '1}', '\\n'):\n"
        "    sys.stdout.write(piece); sys.stdout.flush(); time.sleep(0.02)\n"
    )
    incoming = receive(channel(peers, source, SILENT))
    assert isinstance(incoming, Line)
    assert incoming.data == b'{"a":1}'


def test_a_line_counts_though_the_process_has_ended_and_then_it_is_gone(peers: list[Peer]) -> None:
    pipes = channel(peers, "print('last words', end='\\n')", SILENT)
    peers[0].child.wait()
    first, second = receive(pipes), receive(pipes)
    assert isinstance(first, Line)
    assert first.data == b"last words"
    assert isinstance(second, Gone)


def test_a_line_of_many_packets_counts_though_the_process_has_ended(peers: list[Peer]) -> None:
    source = (
        "import fcntl, os\n"
        "fcntl.fcntl(1, fcntl.F_SETFL, os.O_WRONLY | os.O_DIRECT)\n"
        "for letter in b'in bits\\n': os.write(1, bytes([letter]))"
    )
    pipes = channel(peers, source, SILENT)
    peers[0].child.wait()
    first, second = receive(pipes), receive(pipes)
    assert isinstance(first, Line)
    assert first.data == b"in bits"
    assert isinstance(second, Gone)


def test_words_without_a_newline_are_no_line(peers: list[Peer]) -> None:
    assert isinstance(receive(channel(peers, "print('half', end='')", SILENT)), Gone)


def test_who_says_nothing_is_late(peers: list[Peer]) -> None:
    assert isinstance(receive(channel(peers, SILENT, SILENT), within_s=0.1), Late)


def test_who_closes_stdout_and_lives_is_late_not_gone(peers: list[Peer]) -> None:
    source = "import os, sys; os.close(1); sys.stdin.read()"
    assert isinstance(receive(channel(peers, source, SILENT), within_s=0.5), Late)


@pytest.mark.parametrize(("size", "fits"), [(4095, True), (4096, False)])
def test_the_newline_counts_to_the_cap_of_a_line(peers: list[Peer], size: int, fits: bool) -> None:
    incoming = receive(channel(peers, f"print('x' * {size})", SILENT))
    assert isinstance(incoming, Line if fits else TooLong)


def test_fc011_a_line_of_50_mb_without_newline_is_cut_off_at_the_cap(peers: list[Peer]) -> None:
    source = "import os\nfor _ in range(800): os.write(1, b'A' * 65536)"
    incoming = receive(channel(peers, source, SILENT))
    assert isinstance(incoming, TooLong)
    assert incoming.seen <= 4096 + 65536


def test_fc003_stderr_is_drained_while_the_reply_is_awaited(peers: list[Peer]) -> None:
    source = "import os\nfor _ in range(10): os.write(2, b'e' * 65536)\nprint('done')"
    pipes = channel(peers, source, SILENT)
    incoming = receive(pipes)
    assert isinstance(incoming, Line)
    assert pipes.log(0).total == 10 * 65536
    assert pipes.log(0).cut == 10 * 65536 - 64 * 1024


def test_fc003_stderr_of_the_other_bot_is_drained_as_well(peers: list[Peer]) -> None:
    chatty = "import os\nfor _ in range(10): os.write(2, b'e' * 65536)\nprint('done')"
    slow = "import sys; sys.stdin.readline(); print('ok')"
    pipes = channel(peers, slow, chatty)
    assert isinstance(receive(pipes, 1), Line)
    pipes.send(0, b"go\n")
    assert isinstance(receive(pipes, 0), Line)


def test_stderr_beyond_its_total_is_a_flood(peers: list[Peer]) -> None:
    source = "import os\nwhile True: os.write(2, b'e' * 65536)"
    incoming = receive(channel(peers, source, SILENT))
    assert isinstance(incoming, Flooded)


def test_fc008_a_bot_that_never_reads_does_not_block_the_referee(peers: list[Peer]) -> None:
    pipes = channel(peers, "import time; time.sleep(60)", SILENT)
    whole = True
    for _ in range(300):
        whole = pipes.send(0, b"x" * 1024)
    assert not whole
    assert isinstance(receive(pipes, within_s=0.2), Late)


def test_what_the_pipe_did_not_take_at_once_goes_out_later(peers: list[Peer]) -> None:
    source = "import sys, time; time.sleep(0.2); print(len(sys.stdin.readline()), flush=True)"
    pipes = channel(peers, source, SILENT)
    assert not pipes.send(0, b"x" * 500_000 + b"\n")
    incoming = receive(pipes)
    assert isinstance(incoming, Line)
    assert incoming.data == b"500001"


def test_a_bot_that_closed_its_stdin_costs_nothing(peers: list[Peer]) -> None:
    pipes = channel(peers, "import os; os.close(0); print('deaf', flush=True)", SILENT)
    assert isinstance(receive(pipes), Line)
    peers[0].child.wait()
    assert pipes.send(0, b"hello\n")
    assert isinstance(receive(pipes), Gone)


def test_bytes_that_came_early_are_seen(peers: list[Peer]) -> None:
    pipes = channel(peers, "print('one\\ntwo', flush=True)", SILENT)
    peers[0].child.wait()
    assert isinstance(receive(pipes), Line)
    assert pipes.spoke_early(0)
    assert pipes.pending(0) == b"two\n"


def test_of_two_awaited_bots_the_one_that_speaks_is_heard_first(peers: list[Peer]) -> None:
    pipes = channel(peers, SILENT, "print('me')")
    end_ns = time.monotonic_ns() + 10**10
    number, incoming = pipes.receive((0, 1), lambda now: end_ns - now, lambda seat, now: None)
    assert (number, type(incoming)) == (1, Line)


def test_the_log_keeps_head_and_tail_and_says_what_was_cut() -> None:
    log = StderrLog(8)
    log.write(b"ab")
    log.mark(7)
    log.write(b"cdefghijkl")
    assert log.kept() == b"ab\n[... 4 bytes cut ...]\nghijkl"
    assert (log.total, log.cut, log.marks) == (12, 4, [(7, 2)])


def test_a_mark_has_its_place_in_what_was_kept() -> None:
    log = StderrLog(8)
    for request, text in ((1, b"ab"), (3, b"cdef"), (5, b"ghij"), (7, b"kl")):
        log.write(text)
        log.mark(request)
    kept = log.kept()
    assert kept == b"ab\n[... 4 bytes cut ...]\nghijkl"
    rest = {request: kept[place:] for request, place in log.kept_marks()}
    assert rest == {1: kept[2:], 3: b"ghijkl", 5: b"kl", 7: b""}
