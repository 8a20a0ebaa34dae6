"""The boxes that a host plays in: started ahead, used once, made up for while a match runs."""

import os
import select
import signal
from collections.abc import Iterator

import pytest
from referee_kit import ALL_CORES, KINDS, SEED, bot, table

from arena.referee import Entrant, MatchSpec
from arena.referee.host import BOXES_AHEAD, Host
from arena.sandbox import Box, BoxLimits, Pool, Sandbox
from arena.santase import ruleset

FILES = {"bot.py": bot()}
SPEC = MatchSpec(
    "m_boxes", SEED, (Entrant("a", "0" * 64, FILES), Entrant("b", "0" * 64, FILES)), ruleset()
)


class Seen:
    """A sandbox as it is, with a list of the boxes that it has started."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.kind, self.image, self.python = sandbox.kind, sandbox.image, sandbox.python
        self.probe = sandbox.probe
        self._start = sandbox.start
        self.boxes: list[Box] = []

    def start(self, limits: BoxLimits, core: int | None) -> Box:
        self.boxes.append(self._start(limits, core))
        return self.boxes[-1]


@pytest.fixture(params=KINDS)
def seen(request: pytest.FixtureRequest) -> Seen:
    return Seen(table(request.param).sandbox)


@pytest.fixture
def pool(seen: Seen) -> Iterator[Pool]:
    with Pool(seen, BoxLimits(), ALL_CORES[0], BOXES_AHEAD) as made:
        yield made
    os.sched_setaffinity(0, set(ALL_CORES))


def test_boxes_are_started_while_a_match_runs_and_each_is_played_in_once(
    seen: Seen, pool: Pool
) -> None:
    host = Host(seen, (pool, pool), ALL_CORES[0])
    started = []
    for match in range(3):
        counts: list[int] = []
        record = host.play(SPEC, lambda counts=counts: counts.append(len(seen.boxes))).record
        assert record.faults == ()
        started.append((counts[0], counts[-1]))
        pids = {box.pid for box in seen.boxes}
        assert len(pids) == len(seen.boxes) == 2 + BOXES_AHEAD + 2 * match
    # Those of the match, and those ahead, were there when its first reply came.
    assert started == [
        (count, count) for count in (2 + BOXES_AHEAD, 4 + BOXES_AHEAD, 6 + BOXES_AHEAD)
    ]


def test_a_box_that_dies_while_it_waits_is_made_up_for_and_no_match_is_void(
    seen: Seen, pool: Pool
) -> None:
    host = Host(seen, (pool, pool), ALL_CORES[0])
    pool.fill()
    for box in (seen.boxes[0], seen.boxes[2]):
        end = box.pidfd
        os.kill(box.pid, signal.SIGKILL)
        select.select([end], [], [])  # it is dead
    played = host.play(SPEC)
    assert (played.voids, played.record.faults) == (0, ())
    assert len(seen.boxes) >= 2 + BOXES_AHEAD + 1


def test_all_boxes_wait_on_the_core_of_their_host(seen: Seen, pool: Pool) -> None:
    pool.fill()
    assert all(os.sched_getaffinity(box.pid) == {ALL_CORES[0]} for box in seen.boxes)
    Host(seen, (pool, pool), ALL_CORES[0])
    assert os.sched_getaffinity(0) == {ALL_CORES[0]}
