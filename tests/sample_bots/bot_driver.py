"""A small driver for the tests here: it plays matches of bots, message by message, by the rules.

A player is told messages and asked requests. `PipedBot` is a process, as an author's bot is;
`LoadedBot` calls a bot's `choose` in this process, for the many matches that strength takes.
"""

import importlib.util
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from arena.protocol import (
    PROTOCOL_VERSION,
    Clock,
    Deal,
    DealEnd,
    Hello,
    Limits,
    MatchEnd,
    Request,
    Runtime,
    encode,
    result_message,
    view_message,
)
from arena.referee.dealer import bot_seed, deck_for
from arena.santase import (
    DealState,
    MatchState,
    RuleSet,
    apply,
    legal_moves,
    parse_move,
    ruleset,
    start_deal,
    start_match,
    view_for,
)

ENOUGH_S = 20
"""For a process to leave by itself: it takes some milliseconds."""

_numbers = itertools.count(1)


class Player(Protocol):
    """Whoever sits in a seat."""

    def tell(self, message: msgspec.Struct) -> None: ...
    def ask(self, request: Request) -> str: ...


@dataclass
class PlayedMatch:
    """What happened: each action with its seat and the actor's points before it, and the end.

    `deals` are the ends of the deals, each with the score before it.
    """

    actions: list[tuple[int, str, int]] = field(default_factory=list)
    deals: list[tuple[tuple[int, int], DealState]] = field(default_factory=list)
    winner: int | None = None
    score: tuple[int, int] = (0, 0)


class LoadedBot:
    """A bot's module, loaded anew, so that two of a kind share nothing."""

    def __init__(self, path: Path) -> None:
        spec = importlib.util.spec_from_file_location(f"sample_bot_{next(_numbers)}", path)
        assert spec is not None
        assert spec.loader is not None
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.seat = -1

    def tell(self, message: msgspec.Struct) -> None:
        if isinstance(message, Hello):
            self.seat = message.seat
            if hasattr(self.module, "begin"):
                self.module.begin(msgspec.to_builtins(message))

    def ask(self, request: Request) -> str:
        action = self.module.choose({**msgspec.to_builtins(request), "seat": self.seat})
        assert isinstance(action, str)
        return action


class PipedBot:
    """A bot as a process in a folder of its own; every line it writes is read strictly."""

    def __init__(self, folder: Path, files: Mapping[str, bytes]) -> None:
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(content)
        self._errors = (folder / "stderr").open("w+b")
        self.process = subprocess.Popen(
            [sys.executable, "bot.py"],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )

    def tell(self, message: msgspec.Struct) -> None:
        self.write(encode(message))
        if isinstance(message, Hello):
            assert self.read() == {"type": "ready"}

    def ask(self, request: Request) -> str:
        self.tell(request)
        reply = self.read()
        assert reply["id"] == request.id
        return str(reply["action"])

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next line, as JSON; an empty object at the end of file."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        answer = json.loads(line or "{}")
        assert isinstance(answer, dict)
        return answer

    def leave(self) -> tuple[int, bytes, str]:
        """Close its stdin; its exit code, what else it wrote to stdout, and its log."""
        rest, _ = self.process.communicate(timeout=ENOUGH_S)
        self._errors.seek(0)
        log = self._errors.read().decode()
        return self.process.returncode, rest, log

    def close(self) -> None:
        """Leave nothing behind, whatever happened."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self._errors.close()


@contextmanager
def piped(folder: Path, files: Mapping[str, bytes]) -> Iterator[PipedBot]:
    """A `PipedBot` that is gone afterwards."""
    bot = PipedBot(folder, files)
    try:
        yield bot
    finally:
        bot.close()


def hello(seat: int, seed: int = 1, rules: RuleSet | None = None) -> Hello:
    """The first message to a seat."""
    rules = rules or ruleset()
    return Hello(
        protocol=PROTOCOL_VERSION,
        game="santase",
        match="m_test",
        seat=seat,
        target=rules.match_target,
        ruleset=rules.as_dict(),
        limits=Limits(),
        runtime=Runtime("3.11"),
        seed=seed,
    )


class Table:
    """Two players, a seed, and the deals between them."""

    def __init__(
        self, players: tuple[Player, Player], seed: str, game: int = 0, rules: RuleSet | None = None
    ) -> None:
        self._players = players
        self._seed = seed
        self._game = game
        self._rules = rules or ruleset()
        self._ids = itertools.count(1)
        self.played = PlayedMatch()

    def play(self) -> PlayedMatch:
        """A whole match; an action that is not legal fails the test."""
        for seat, player in enumerate(self._players):
            player.tell(hello(seat, bot_seed(self._seed, self._game, seat), self._rules))
        match = start_match(self._rules)
        while match.winner is None:
            match = self._deal(match)
        for player in self._players:
            player.tell(MatchEnd(match.winner, match.score, "target"))
        self.played.winner, self.played.score = match.winner, match.score
        return self.played

    def _deal(self, match: MatchState) -> MatchState:
        deck = deck_for(self._seed, match.deal, match.dealer)
        state = start_deal(deck, match.dealer, self._rules)
        for seat, player in enumerate(self._players):
            view = view_message(view_for(state, seat, match.score))
            assert view.face_up is not None
            player.tell(
                Deal(match.deal, match.dealer, view.hand, view.trump, view.face_up, match.score)
            )
        pending: tuple[list[tuple[int, str]], ...] = ([], [])
        while state.result is None:
            state = self._turn(state, match, pending)
        self.played.deals.append((match.score, state))
        after = match.after(state)
        for seat, player in enumerate(self._players):
            player.tell(
                DealEnd(
                    deal=match.deal,
                    result=result_message(state.result),
                    score=after.score,
                    events=pending[seat],
                    hands=([*map(str, state.hands[0])], [*map(str, state.hands[1])]),
                    talon=[*map(str, state.talon_cards)],
                )
            )
        return after

    def _turn(
        self, state: DealState, match: MatchState, pending: tuple[list[tuple[int, str]], ...]
    ) -> DealState:
        seat = state.turn
        legal = [str(move) for move in legal_moves(state)]
        request = Request(
            id=next(self._ids),
            deal=match.deal,
            view=view_message(view_for(state, seat, match.score)),
            events=pending[seat].copy(),
            legal=legal,
            clock=Clock(100, 10_000),
        )
        pending[seat].clear()
        action = self._players[seat].ask(request)
        assert action in legal
        self.played.actions.append((seat, action, state.points[seat]))
        for events in pending:
            events.append((seat, action))
        return apply(state, parse_move(action))
