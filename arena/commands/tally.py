"""The running score of `santase play` and `compare`: a live line, machine output, the summary."""

import json
import sys
import time
from collections import Counter
from typing import Any

from rich.console import Console
from rich.status import Status

from arena.commands.play_worker import MatchRow, PairRows
from arena.rating import (
    LEAST_PAIRS,
    Decision,
    Hypotheses,
    Trial,
    in_words,
    luck_adjusted,
    pair_statistics,
)


class Tally:
    """Counts finished pairs and shows them: JSON lines on stdout, or a live line and a summary."""

    def __init__(
        self, bots: tuple[str, str], pairs: int, as_json: bool, asked: Hypotheses | None = None
    ) -> None:
        """`bots` are the arguments A and B as given; `pairs` how many are to be played at most.

        Where something is `asked`, the pairs are also weighed by the sequential test.
        """
        self._bots = bots
        self._planned = pairs
        self._trial = None if asked is None else Trial(asked)
        self._as_json = as_json
        self._done = 0
        self._wins = Counter[str]()
        self._pair_scores = [0, 0, 0]
        self._scores_and_lucks: list[tuple[float, float]] = []
        self._faults: dict[str, Counter[str]] = {"A": Counter(), "B": Counter()}
        self._voids = 0
        self._began = time.monotonic()
        console = Console(stderr=True)
        self._live: Status | None = None
        if console.is_terminal:
            self._live = console.status(self._line())
            self._live.start()

    def add(self, rows: PairRows) -> None:
        """Takes in both matches of the next pair."""
        winners = [_winner(row) for row in rows]
        self._done += 1
        self._wins.update(bot for bot in winners if bot is not None)
        if None not in winners:  # a match that nobody started is in no total
            won = winners.count("A")
            self._pair_scores[won] += 1
            if self._trial is not None:
                self._trial.add(won)
            self._scores_and_lucks.append((won / 2, sum(row.luck for row in rows) / 2))
        for row in rows:
            self._voids += row.voids
            self._count_faults(row)
            if self._as_json:
                print(json.dumps(row.fields, ensure_ascii=False), flush=True)
        if self._live is not None:
            self._live.update(self._line())

    @property
    def decision(self) -> Decision:
        """Where the sequential test stands; open where nothing was asked."""
        return Decision.OPEN if self._trial is None else self._trial.weighed.decision

    def close(self, *, interrupted: bool) -> None:
        """Ends the live line and prints the summary of what was played."""
        if self._live is not None:
            self._live.stop()
        summary = self._summary()
        if self._as_json:
            print(json.dumps(summary, ensure_ascii=False), flush=True)
            return
        self._print(summary, interrupted)

    def _count_faults(self, row: MatchRow) -> None:
        for fault in row.fields["faults"]:
            self._faults[row.fields["seats"][fault["seat"]]][fault["name"]] += 1

    def _line(self) -> str:
        done = self._done
        seconds = time.monotonic() - self._began
        rate = 2 * done / seconds if seconds else 0.0
        left = f"{2 * (self._planned - done) / rate:.0f} s left" if done else "starting"
        at_most = ""
        if self._trial is not None:
            llr, asked = self._trial.weighed.llr, self._trial.asked
            at_most = f" at most; LLR {llr:+.2f} of {asked.lower:.2f} … {asked.upper:+.2f}"
        return (
            f"{self._bots[0]} {self._wins['A']} : {self._wins['B']} {self._bots[1]}  "
            f"pair {done}/{self._planned}, {rate:.1f} matches/s, {left}{at_most}"
        )

    def _summary(self) -> dict[str, Any]:
        found = pair_statistics(*self._pair_scores)
        seconds = time.monotonic() - self._began
        summary: dict[str, Any] = {
            "summary": True,
            "pairs": self._done,
            "bots": {"A": self._bots[0], "B": self._bots[1]},
            "wins": {"A": self._wins["A"], "B": self._wins["B"]},
            "pair_scores": self._pair_scores,
            "elo": round(found.elo, 3),
            "error": round(found.error, 3),
            "los": round(found.los, 6),
            "faults": {bot: dict(counts) for bot, counts in self._faults.items()},
            "voids": self._voids,
            "matches_per_s": round(2 * self._done / seconds, 2),
            "saving": None if found.saving is None else round(found.saving, 4),
            "luck_adjusted": self._luck_adjusted(),
        }
        if self._trial is not None:
            asked, weighed = self._trial.asked, self._trial.weighed
            summary |= {
                "elo0": asked.elo0,
                "elo1": asked.elo1,
                "alpha": asked.alpha,
                "beta": asked.beta,
                "llr": round(weighed.llr, 4),
                "bounds": [round(asked.lower, 4), round(asked.upper, 4)],
                "decision": weighed.decision.value,
                "answer": in_words(weighed, asked, *self._names()),
            }
        return summary

    def _luck_adjusted(self) -> dict[str, float] | None:
        found = luck_adjusted(self._scores_and_lucks)
        if found is None:
            return None
        return {
            "elo": round(found.elo, 3),
            "error": round(found.error, 3),
            "removed": round(found.removed, 4),
        }

    def _names(self) -> tuple[str, str]:
        """The bots as the answer calls them: two of one name by their letters as well."""
        one, other = self._bots
        return (one, other) if one != other else (f"{one} (A)", f"{other} (B)")

    def _print(self, summary: dict[str, Any], interrupted: bool) -> None:
        lost, split, won = self._pair_scores
        if interrupted:
            print(f"Stopped after {summary['pairs']} of {self._planned} pairs.")
        print(f"A {self._bots[0]}: matches won {summary['wins']['A']}")
        print(f"B {self._bots[1]}: matches won {summary['wins']['B']}")
        print(f"pairs won by A 2–0: {won}, 1–1: {split}, 0–2: {lost}")
        print(
            f"A − B: {summary['elo']:+.1f} ± {summary['error']:.1f} Elo (95 %), "
            f"A is the better one with a probability of {summary['los']:.1%}"
        )
        if summary["saving"] is not None:
            print(_saving_in_words(summary["saving"], self._done))
        print(_luck_in_words(summary["luck_adjusted"], sum(self._pair_scores)))
        if self._trial is not None:
            low, high = summary["bounds"]
            print(f"LLR {summary['llr']:+.2f}, between {low:.2f} and {high:+.2f} is undecided")
            print(summary["answer"])
        for bot, counts in self._faults.items():
            for name, count in counts.items():
                print(f"faults of {bot}: {name} × {count}", file=sys.stderr)
        print(f"{summary['matches_per_s']} matches/s, {summary['voids']} void")


def _saving_in_words(saving: float, pairs: int) -> str:
    """How many matches the same certainty would have cost without mirroring."""
    if saving <= 0:
        return "mirroring saved no matches: the results of a pair agree as often as chance has it"
    if saving == 1:
        return "mirroring saved all the luck: every pair was split"
    matches = round(2 * pairs * saving / (1 - saving))
    return f"mirroring saved {saving:.0%}: as sure without it only after {matches:,} matches more"


def _luck_in_words(found: dict[str, float] | None, pairs: int) -> str:
    """The luck-adjusted score, marked as an extra, or why there is none."""
    if found is not None:
        return (
            f"extra, luck-adjusted: {found['elo']:+.1f} ± {found['error']:.1f} Elo (95 %); "
            f"the luck of the cards was {found['removed']:.0%} of what mirroring leaves"
        )
    if pairs < LEAST_PAIRS:
        return f"extra, luck-adjusted: not shown; it is unreliable below {LEAST_PAIRS} pairs"
    return "extra, luck-adjusted: not shown; luck explains nothing here"


def _winner(row: MatchRow) -> str | None:
    """A, B, or None where both failed to start."""
    winner = row.fields["winner"]
    return None if winner is None else str(row.fields["seats"][winner])
