"""Boxes started ahead: one use each, failed ones thrown away, none left."""

import os
from collections.abc import Iterator

import pytest
from sandbox_harness import children, sandbox

from arena.sandbox import Box, BoxError, BoxLimits, Pool


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(sandbox("landlock"), BoxLimits(), None, 2) as made:
        yield made


def test_boxes_are_started_ahead_and_used_once(pool: Pool) -> None:
    before = children()
    pool.fill()
    assert len(children() - before) == 2
    first, second, third = pool.take(), pool.take(), pool.take()
    assert len({first.pid, second.pid, third.pid}) == 3
    for box in (first, second, third):
        box.load({"bot.py": b"print('played')\n"})
        box.stop("played")
    assert children() == before


def test_filling_again_starts_only_what_is_missing(pool: Pool) -> None:
    before = children()
    pool.fill()
    pool.fill()
    assert len(children() - before) == 2
    box = pool.take()
    pool.fill()
    assert len(children() - before) == 3
    box.stop("unused")


def test_closing_leaves_nothing(pool: Pool) -> None:
    before = children()
    pool.fill()
    pool.close()
    assert children() == before


def test_a_box_that_died_while_it_waited_is_passed_over(pool: Pool) -> None:
    before = children()
    pool.fill()
    victims = children() - before
    spare = pool.take()
    for pid in victims - {str(spare.pid)}:
        os.kill(int(pid), 9)
    spare.stop("unused")
    box = pool.take()
    box.load({"bot.py": b"print('up')\n"})
    assert os.read(box.stdout, 10) == b"up\n"
    box.stop("played")


class Broken:
    """A back-end whose boxes never come up, killed on their way as on a host out of memory."""

    kind, image, python = "broken", "none", "3.11.0"

    def __init__(self) -> None:
        self.starts = 0

    def probe(self) -> tuple[()]:
        return ()

    def start(self, limits: BoxLimits, core: int | None) -> Box:
        self.starts += 1
        before = children()
        box: Box = sandbox("landlock").start(limits, core)
        for pid in children() - before:
            os.kill(int(pid), 9)
        return box


def test_a_host_that_starts_no_box_is_told_once_per_take() -> None:
    broken = Broken()
    with Pool(broken, BoxLimits(), None, 1) as pool:
        pool.fill()
        with pytest.raises(BoxError):
            pool.take()
    assert broken.starts == 2


def test_after_a_fork_the_boxes_stay_the_parents(pool: Pool) -> None:
    pool.fill()
    child = os.fork()
    if child == 0:
        pool.close()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    box = pool.take()
    box.load({"bot.py": b"print('alive')\n"})
    assert os.read(box.stdout, 10) == b"alive\n"
    box.stop("played")
