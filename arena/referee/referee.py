"""The referee: deals, asks, bills, judges, records. One match from two started boxes to its record.

A bot's fault is data in the record; the host's fault is the exception `HostFault`, and the match is
played again (R14.3).
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from arena import __version__
from arena.protocol import (
    PROTOCOL_VERSION,
    Clock,
    Deal,
    DealEnd,
    Hello,
    MatchEnd,
    Request,
    Runtime,
    encode,
    result_message,
    view_message,
)
from arena.referee import asking
from arena.referee.clock import Allowance, CoreAccount
from arena.referee.dealer import bot_seed, deck_for
from arena.referee.errors import HostFault
from arena.referee.record import Entrant, MatchRecord, MatchSpec, SeatRecord
from arena.referee.replay_lines import (
    REPLAY_VERSION,
    BotLine,
    DealLine,
    EndLine,
    Header,
    SandboxLine,
)
from arena.referee.seats import Seat, Table
from arena.referee.verdict import Failure, Fault, FaultName
from arena.sandbox import Box, BoxError, Sandbox
from arena.sandbox.channel import Channel
from arena.santase import (
    DealState,
    IllegalMove,
    Move,
    UnknownMove,
    apply,
    legal_moves,
    parse_move,
    start_deal,
    start_match,
    view_for,
)

GRACE_MS = 500
"""How long a bot may take to leave after `match_end`."""

_ACTION_SHOWN = 64
"""Characters of an unknown action that the public fault shows."""


def play_match(
    spec: MatchSpec,
    boxes: tuple[Box, Box],
    sandbox: Sandbox,
    core: int | None = None,
    on_progress: Callable[[], None] = lambda: None,
) -> MatchRecord:
    """Plays the match of `spec` in two fresh boxes of `sandbox`, by seat, and stops both.

    `core` is the one that the boxes and this process are bound to, if any; `on_progress` is called
    after every reply, and several times a second while one is awaited. Raises `HostFault` where the
    host could not run the match.
    """
    try:
        for box, entrant in zip(boxes, spec.entrants, strict=True):
            box.load(entrant.files)
            box.freeze()  # until both are in: the first one could keep the core from the second
        for box in boxes:
            box.thaw()
        return _Match(spec, boxes, sandbox, core, on_progress).play()
    except BoxError as error:
        raise HostFault(str(error)) from error
    finally:
        for box in boxes:
            box.stop("the match has ended")


class _Match:
    def __init__(
        self,
        spec: MatchSpec,
        boxes: tuple[Box, Box],
        sandbox: Sandbox,
        core: int | None,
        on_progress: Callable[[], None],
    ) -> None:
        limits = spec.limits
        self._spec = spec
        self._sandbox = sandbox
        self._on_progress = on_progress
        free_ns, bank_ns = limits.move_ms * 1_000_000, limits.bank_ms * 1_000_000
        seats = tuple(
            Seat(number, box, Allowance(free_ns, bank_ns, limits.wall_factor))
            for number, box in enumerate(boxes)
        )
        self._seats: tuple[Seat, Seat] = (seats[0], seats[1])
        channel = Channel(
            boxes,
            reply_bytes=limits.reply_bytes,
            stderr_kb=limits.stderr_kb,
            stderr_total_kb=limits.stderr_total_kb,
        )
        account = CoreAccount(core, self._own_cpu_ns)
        self._table = Table(self._seats, channel, account, limits, on_progress)
        self._state = start_match(spec.rules, spec.first_dealer)
        self._lines: list[msgspec.Struct] = []
        self._request = 0
        self._unseen: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
        self._began_ns = time.monotonic_ns()

    def play(self) -> MatchRecord:
        self._lines.append(self._header())
        with contextlib.closing(self._table.account):
            faults = self._start()
            while not faults and self._state.winner is None:
                fault = self._play_deal()
                faults = [fault] if fault else []
        return self._finish(faults)

    def _start(self) -> list[Fault]:
        hello = (self._hello(0), self._hello(1))
        failures = asking.start(self._table, hello)
        return [
            failure.at_start(seat) for seat, failure in enumerate(failures) if failure is not None
        ]

    def _play_deal(self) -> Fault | None:
        number, dealer = self._state.deal, self._state.dealer
        deck = deck_for(self._spec.seed, number, dealer)
        deal = start_deal(deck, dealer, self._spec.rules)
        for seat in self._seats:
            self._table.channel.send(seat.number, self._deal_message(seat.number, deal))
        actions: list[tuple[int, str, float, float]] = []
        fault: Fault | None = None
        while deal.result is None:
            step = self._play_action(deal, actions)
            if isinstance(step, Fault):
                fault = step
                break
            deal = step
            self._on_progress()
        else:
            self._state = self._state.after(deal)
            self._tell_deal_end(number, deal)
        self._lines.append(
            DealLine(
                deal=number,
                dealer=dealer,
                deck=[str(card) for card in deck],
                actions=actions,
                result=None if deal.result is None else result_message(deal.result),
                score=self._state.score,
            )
        )
        return fault

    def _play_action(
        self, deal: DealState, actions: list[tuple[int, str, float, float]]
    ) -> DealState | Fault:
        """Asks the seat on turn once: the deal after its action, or its fault."""
        seat = self._seats[deal.turn]
        legal = legal_moves(deal)
        self._request += 1
        answer = asking.ask(self._table, seat, self._request_message(seat, deal, legal))
        if isinstance(answer, Failure):
            return answer.in_deal(seat.number, self._state.deal, self._request)
        step = _applied(deal, answer.reply.action)
        if isinstance(step, Failure):
            return step.in_deal(seat.number, self._state.deal, self._request)
        event = (seat.number, answer.reply.action)
        self._unseen[0].append(event)
        self._unseen[1].append(event)
        actions.append((*event, _ms(answer.cpu_ns), _ms(answer.wall_ns)))
        return step

    def _finish(self, faults: list[Fault]) -> MatchRecord:
        guilty = {fault.seat for fault in faults}
        if not faults:
            winner, reason = self._state.winner, "target"
        else:
            winner = None if len(guilty) == 2 else 1 - faults[0].seat
            reason = faults[0].name.value
        score = self._state.score
        self._lines.append(
            EndLine(end=True, winner=winner, score=score, reason=reason, faults=faults)
        )
        wall_ms = _ms(time.monotonic_ns() - self._began_ns)
        self._say_goodbye(MatchEnd(winner=winner, score=score, reason=reason))
        seats = [self._seat_record(seat) for seat in self._seats]
        return MatchRecord(
            winner=winner,
            score=score,
            reason=reason,
            faults=tuple(faults),
            deals=sum(isinstance(line, DealLine) for line in self._lines),
            wall_ms=wall_ms,
            seats=(seats[0], seats[1]),
            body=b"".join(encode(line) for line in self._lines),
        )

    def _say_goodbye(self, message: MatchEnd) -> None:
        """Sends `match_end` and the end of file; who has not left after 500 ms is killed."""
        staying = [seat for seat in self._seats if seat.report is None]
        for seat in staying:
            if seat.ponders:
                seat.box.thaw()
            self._table.channel.send(seat.number, encode(message))
            seat.box.hang_up()
        deadline_ns = time.monotonic_ns() + GRACE_MS * 1_000_000
        self._table.channel.await_ends(tuple(seat.number for seat in staying), deadline_ns)
        for seat in staying:
            self._table.leave(seat, "the match has ended")

    def _seat_record(self, seat: Seat) -> SeatRecord:
        log = self._table.channel.log(seat.number)
        return SeatRecord(
            cpu_ms=_ms(seat.cpu_ns()),
            stderr=log.kept(),
            stderr_total=log.total,
            stderr_marks=tuple(log.kept_marks()),
            notes=tuple(seat.notes),
            refused=seat.refused,
            exit=seat.end("the match has ended"),
        )

    def _own_cpu_ns(self) -> int:
        return time.process_time_ns() + sum(seat.cpu_ns() for seat in self._seats)

    def _header(self) -> Header:
        spec = self._spec
        return Header(
            replay=REPLAY_VERSION,
            game="santase",
            match=spec.match,
            tournament=spec.tournament,
            pair=spec.pair,
            game_of_pair=spec.game,
            played_at=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            platform=__version__,
            ruleset=spec.rules.as_dict(),
            limits=spec.limits,
            seed=spec.seed,
            commitment=spec.commitment,
            first_dealer=spec.first_dealer,
            bots=(self._bot_line(0), self._bot_line(1)),
            sandbox=SandboxLine(self._sandbox.kind, self._sandbox.image),
        )

    def _bot_line(self, seat: int) -> BotLine:
        entrant: Entrant = self._spec.entrants[seat]
        seed = bot_seed(self._spec.seed, self._spec.game, seat)
        return BotLine(entrant.id, entrant.name, entrant.version, entrant.sha256, seed)

    def _hello(self, seat: int) -> bytes:
        spec = self._spec
        return encode(
            Hello(
                protocol=PROTOCOL_VERSION,
                game="santase",
                match=spec.match,
                seat=seat,
                target=spec.rules.match_target,
                ruleset=spec.rules.as_dict(),
                limits=spec.limits,
                runtime=Runtime(self._sandbox.python),
                seed=bot_seed(spec.seed, spec.game, seat),
            )
        )

    def _deal_message(self, seat: int, deal: DealState) -> bytes:
        return encode(
            Deal(
                deal=self._state.deal,
                dealer=deal.dealer,
                hand=[str(card) for card in deal.hands[seat]],
                trump=str(deal.trump),
                face_up=str(deal.face_up),
                score=self._state.score,
            )
        )

    def _request_message(self, seat: Seat, deal: DealState, legal: Sequence[Move]) -> Request:
        unseen = self._unseen[seat.number]
        events = unseen[:]
        unseen.clear()
        return Request(
            id=self._request,
            deal=self._state.deal,
            view=view_message(view_for(deal, seat.number, self._state.score)),
            events=events,
            legal=[move.text for move in legal],
            clock=Clock(self._spec.limits.move_ms, seat.allowance.bank_ns // 1_000_000),
        )

    def _tell_deal_end(self, number: int, deal: DealState) -> None:
        assert deal.result is not None
        for seat in self._seats:
            events = self._unseen[seat.number]
            message = DealEnd(
                deal=number,
                result=result_message(deal.result),
                score=self._state.score,
                events=events[:],
                hands=(
                    [str(card) for card in deal.hands[0]],
                    [str(card) for card in deal.hands[1]],
                ),
                talon=[str(card) for card in deal.talon_cards],
            )
            events.clear()
            self._table.channel.send(seat.number, encode(message))


def _applied(deal: DealState, action: str) -> DealState | Failure:
    """The deal after `action`, or fault `illegal` with the clause that forbids it."""
    try:
        return apply(deal, parse_move(action))
    except (UnknownMove, IllegalMove) as error:
        return Failure(FaultName.ILLEGAL, str(error), action=action[:_ACTION_SHOWN])


def _ms(ns: int) -> float:
    return round(ns / 1e6, 3)
