"""A week on the ladder, hour by hour: the pairing logic, with made matches and a made clock.

The rest is as on the platform: some pairings ahead of the slots, games counted from midnight, a
version paused after faults in a row, and its owner who lets it play again and again.
"""

import heapq
import random
from collections import Counter, deque
from dataclasses import dataclass, field

import pytest

from arena.pairing import LONGEST_GAP_S, Contender, Ladder, is_to_be_paused

DAY_S = 86_400.0
SLOTS = 2
AHEAD = SLOTS + 1
"""Pairings under way at most; for versions that never played one more a slot."""
CRASHER = 1
RESUMED_EVERY_S = 3_600.0


@dataclass
class Entrant:
    version: int
    strength: float
    entered_s: float
    last_s: float
    games: int = 0
    matches: int = 0
    new: bool = True
    paused: bool = False
    faults: list[bool] = field(default_factory=list)


@dataclass
class Week:
    """What is counted."""

    matches: Counter[int]
    first_after_free_s: list[float]
    """Of each version, from the first free slot after its entry to its first match."""
    longest_gap_s: float
    """Without a game, of any that was neither new nor paused."""
    pairings: int
    crashes: int

    def spread(self, versions: range) -> float:
        played = [self.matches[each] for each in versions]
        return max(played) / min(played)

    def share_of_crasher(self) -> float:
        return self.crashes / sum(self.matches.values()) * 2  # a match is counted for both


class Simulation:
    """Events in order of time: a slot is free, a version comes, a paused one is let play."""

    def __init__(self, bots: int, days: float, newcomers: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.end_s = days * DAY_S
        self.there: dict[int, Entrant] = {}
        self.met: Counter[tuple[int, int]] = Counter()
        self.queue: deque[tuple[int, int]] = deque()
        self.events: list[tuple[float, int, str, tuple[int, int]]] = []
        self.running = 0
        self.day = 0
        self.free_since_entry: dict[int, float] = {}
        self.week = Week(Counter(), [], 0.0, 0, 0)
        for version in range(1, bots + 1):
            self.enter(version, 0.0)
        for place in range(newcomers):
            self.at(self.chance.uniform(0, self.end_s), "enter", (bots + 1 + place, 0))
        self.at(RESUMED_EVERY_S, "resume", (CRASHER, 0))

    def at(self, moment: float, what: str, both: tuple[int, int]) -> None:
        heapq.heappush(self.events, (moment, len(self.events), what, both))

    def enter(self, version: int, now: float) -> None:
        self.there[version] = Entrant(version, self.chance.gauss(1500, 200), now, now)

    def run(self) -> Week:
        self.pump(0.0)
        self.start_matches(0.0)
        while self.events and self.events[0][0] < self.end_s:
            now, _, what, both = heapq.heappop(self.events)
            if int(now // DAY_S) != self.day:
                self.day = int(now // DAY_S)
                self.met.clear()
                for each in self.there.values():
                    each.games = 0
            if what == "over":
                self.running -= 1
                for each in self.there.values():
                    if each.new:
                        self.free_since_entry.setdefault(each.version, now)
            elif what == "enter":
                self.enter(both[0], now)
            else:
                self.there[both[0]].paused = False
                self.there[both[0]].faults.clear()
                self.there[both[0]].last_s = now
                self.at(now + RESUMED_EVERY_S, "resume", both)
            self.pump(now)
            self.start_matches(now)
        return self.week

    def pump(self, now: float) -> None:
        """As `tournaments.formats.ladder` does."""
        ladder = Ladder(
            [
                Contender(
                    each.version, each.games, now - each.last_s, each.new, each.strength,
                    min(784.0, 500.0 / max(each.matches, 1) ** 0.5),
                )
                for each in self.there.values()
                if not each.paused
            ],
            self.met,
        )  # fmt: skip
        under_way = self.running + len(self.queue)
        extra = min(SLOTS, -(-ladder.new() // 2))
        for _ in range(max(AHEAD - under_way, min(extra, AHEAD + SLOTS - under_way), 0)):
            both = next(ladder)
            self.met[both] += 1
            for version in both:
                each = self.there[version]
                if not each.new and version != CRASHER:
                    self.week.longest_gap_s = max(self.week.longest_gap_s, now - each.last_s)
                each.games += 1
                each.last_s = now
                if each.new:
                    each.new = False
            self.queue.append(both)

    def start_matches(self, now: float) -> None:
        while self.queue and self.running < SLOTS:
            both = self.queue.popleft()
            if any(self.there[version].paused for version in both):
                continue  # called off
            self.running += 1
            self.week.pairings += 1
            for version in both:
                self.note_first(version, now)
            self.at(now + self.play(both), "over", both)

    def note_first(self, version: int, now: float) -> None:
        each = self.there[version]
        if each.matches == 0 and each.entered_s > 0:
            free = self.free_since_entry.get(version, each.entered_s)
            self.week.first_after_free_s.append(now - free)

    def play(self, both: tuple[int, int]) -> float:
        """A mirrored pair, to its end whoever is paused in it; gives how long it took."""
        took = 0.0
        for _ in range(2):
            crashed = CRASHER in both
            took += 0.5 if crashed else self.chance.uniform(2.0, 20.0)
            self.week.crashes += crashed
            for version in both:
                each = self.there[version]
                each.matches += 1
                self.week.matches[version] += 1
                each.faults.insert(0, version == CRASHER)
                del each.faults[3:]
                each.paused = is_to_be_paused(each.faults)
        return took


def check(bots: int, days: float, newcomers: int, seed: int) -> None:
    week = Simulation(bots, days, newcomers, seed).run()
    spread = week.spread(range(2, bots + 1))
    first = max(week.first_after_free_s)
    print(
        f"\n{bots} bots, {days:g} days, {week.pairings:,} pairings: max/min games {spread:.3f}; "
        f"first match of {len(week.first_after_free_s)} new versions at most {first:.1f} s after a "
        f"free slot; longest gap {week.longest_gap_s:.0f} s; the crasher got "
        f"{week.share_of_crasher():.2%} of the matches"
    )
    assert spread <= 1.2
    assert len(week.first_after_free_s) == newcomers
    assert first <= 60
    assert week.longest_gap_s <= LONGEST_GAP_S + 600
    assert week.share_of_crasher() < 0.01


def test_some_hours_of_twelve_bots_are_fair() -> None:
    check(bots=12, days=0.5, newcomers=4, seed=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2])
def test_a_week_of_thirty_bots_is_fair(seed: int) -> None:
    check(bots=30, days=7, newcomers=20, seed=seed)
