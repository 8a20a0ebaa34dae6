"""Plays a replay's lines again by the rules and compares every claim in them.

The first line that fails is named (`Refused`); the seal is checked by `replay`.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar

import msgspec

from arena.protocol import result_message
from arena.referee.dealer import (
    bot_seed,
    commitment_to,
    deck_for,
    ladder_pair_seed,
    local_pair_seed,
    tournament_pair_seed,
)
from arena.referee.replay_lines import DealLine, EndLine, Header
from arena.referee.verdict import Fault, FaultName
from arena.santase import (
    DealState,
    MatchState,
    SantaseError,
    UnknownMove,
    apply,
    legal_moves,
    parse_move,
    ruleset_from_dict,
    start_deal,
    start_match,
)

_END = b'"end"'
_SKEW = timedelta(minutes=5)
"""By how much the clock of whoever played may be behind the clock that named the day."""
"""The key that tells the line after the last deal from those of deals."""

_Line = TypeVar("_Line", Header, DealLine, EndLine)


class Refused(Exception):
    """A line (from 1) that does not hold, and why."""

    def __init__(self, line: int, why: str) -> None:
        """`line` counts from 1."""
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


@dataclass(slots=True)
class _Course:
    """How far the match has come while its lines are read."""

    match: MatchState
    actions: int = 0
    cut: DealState | None = None
    """The deal that a fault cut short, once it has been read."""


def check_lines(lines: list[bytes], secret: str | None, day: date | None = None) -> None:
    """Checks header, deals and end of a file split at its newlines. Raises `Refused`."""
    header = _decode(lines, 1, Header)
    course = _Course(_check_header(header, secret, day))
    last = len(lines) - 1
    if lines[last]:
        raise Refused(len(lines), "the file does not end with the newline of its seal")
    number = 2
    while number < last and _END not in lines[number - 1]:
        if course.match.winner is not None or course.cut is not None:
            raise Refused(number, "a line too many: the match was over before it")
        _check_deal(number, _decode(lines, number, DealLine), header, course)
        number += 1
    _check_end(number, _decode(lines, number, EndLine), course)
    if number != last - 1:
        raise Refused(number + 1, "after the end comes the seal and nothing else")


def _decode(lines: list[bytes], number: int, kind: type[_Line]) -> _Line:
    try:
        return msgspec.json.decode(lines[number - 1], type=kind)
    except msgspec.MsgspecError as error:
        raise Refused(number, f"no valid {kind.__name__} line: {error}") from error
    except (RecursionError, ValueError) as error:
        raise Refused(number, "nested too deeply or a number too long") from error


def _check_header(header: Header, secret: str | None, day: date | None) -> MatchState:
    try:
        rules = ruleset_from_dict(header.ruleset)
    except SantaseError as error:
        raise Refused(1, f"ruleset: {error}") from error
    for seat, bot in enumerate(header.bots):
        if bot.seed != bot_seed(header.seed, header.game_of_pair, seat):
            raise Refused(1, f"the seed of the bot at seat {seat} does not follow from the seed")
    played_at = _time(header.played_at)
    if played_at is None:
        raise Refused(1, f"played_at is no UTC time: {header.played_at!r}")
    if secret is not None:
        _check_secret(header, secret, day, played_at.astimezone(UTC))
    return start_match(rules, header.first_dealer)


def _time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.utcoffset() == timedelta(0) else None


def _check_secret(header: Header, secret: str, day: date | None, played_at: datetime) -> None:
    if header.commitment is not None and commitment_to(secret) != header.commitment:
        raise Refused(1, "the commitment is not the hash of this secret")
    if day is not None and _latest_day(played_at) < day:
        raise Refused(1, f"it was played on {played_at.date()}, before the day of the secret")
    if header.seed not in _seeds(header, secret, day, played_at):
        hint = "" if day or header.tournament is None else "; a ladder's of another day needs --day"
        raise Refused(1, f"the seed does not follow from this secret{hint}")


def _seeds(header: Header, secret: str, day: date | None, played_at: datetime) -> list[str]:
    """The seeds that this secret may give: of local play, or of a tournament or a ladder's `day`.

    Where that is not named it is the day of play or the one before, as a pairing may be ordered
    before midnight; just before midnight also the next. More days would leave more decks to choose
    from.
    """
    if header.tournament is None:
        return [local_pair_seed(secret, header.pair)]
    one, other = (bot.id or 0 for bot in header.bots)
    pair = (one, other, header.pair)
    if day is not None:
        return [ladder_pair_seed(secret, header.tournament, day, *pair)]
    return [
        tournament_pair_seed(secret, header.tournament, *pair),
        *(
            ladder_pair_seed(secret, header.tournament, each, *pair)
            for each in dict.fromkeys(
                (_latest_day(played_at), played_at.date(), _the_day_before(played_at.date()))
            )
        ),
    ]


def _latest_day(played_at: datetime) -> date:
    """The day of play, by a clock that is ahead."""
    until_the_end = datetime.max.replace(tzinfo=UTC) - played_at
    return (played_at + min(_SKEW, until_the_end)).date()


def _the_day_before(day: date) -> date:
    return day if day == date.min else day - timedelta(days=1)


def _check_deal(number: int, line: DealLine, header: Header, course: _Course) -> None:
    match = course.match
    if line.deal != match.deal:
        raise Refused(number, f"deal {line.deal} where deal {match.deal} is due")
    if line.dealer != match.dealer:
        raise Refused(number, f"seat {match.dealer} deals, not seat {line.dealer} (R2.6)")
    deck = deck_for(header.seed, line.deal, line.dealer)
    if [str(card) for card in deck] != line.deck:
        raise Refused(number, "the deck does not follow from the seed")
    deal = start_deal(deck, line.dealer, match.rules)
    for step, (seat, action, cpu_ms, wall_ms) in enumerate(line.actions, start=1):
        if not (cpu_ms >= 0 and wall_ms >= 0):
            raise Refused(number, f"action {step}: a time below 0")
        deal = _check_action(number, step, seat, action, deal)
    course.actions += len(line.actions)
    if deal.result is None:
        course.cut = deal
    else:
        course.match = match.after(deal)
    expected = None if deal.result is None else result_message(deal.result)
    if line.result != expected:
        raise Refused(number, f"the result is {_shown(expected)}, not {_shown(line.result)}")
    if line.score != course.match.score:
        raise Refused(number, f"the score is {course.match.score}, not {line.score}")


def _check_action(number: int, step: int, seat: int, action: str, deal: DealState) -> DealState:
    if deal.result is not None:
        raise Refused(number, f"action {step}: the deal had ended (R3.9)")
    if seat != deal.turn:
        raise Refused(number, f"action {step}: seat {deal.turn} is on turn (R3.8)")
    try:
        return apply(deal, parse_move(action))
    except SantaseError as error:
        raise Refused(number, f"action {step}, {action!r}: {error}") from error


def _shown(result: msgspec.Struct | None) -> str:
    return "none" if result is None else msgspec.json.encode(result).decode()


def _check_end(number: int, line: EndLine, course: _Course) -> None:
    if line.score != course.match.score:
        raise Refused(number, f"the score is {course.match.score}, not {line.score}")
    if not line.faults:
        if line.reason != "target" or course.match.winner is None or course.cut is not None:
            raise Refused(number, "neither is the target reached nor a fault named")
        if line.winner != course.match.winner:
            raise Refused(number, f"the winner is seat {course.match.winner}")
        return
    if course.match.winner is not None:
        raise Refused(number, "a fault after the target was reached")
    guilty = {fault.seat for fault in line.faults}
    if len(guilty) != len(line.faults):
        raise Refused(number, "a seat is at fault twice")
    winner = None if guilty == {0, 1} else 1 - line.faults[0].seat
    if line.winner != winner:
        raise Refused(number, f"by the faults the winner is {winner}")
    if line.reason != line.faults[0].name:
        raise Refused(number, f"the reason is {line.faults[0].name.value}, not {line.reason}")
    for fault in line.faults:
        _check_fault(number, fault, line, course)


def _check_fault(number: int, fault: Fault, line: EndLine, course: _Course) -> None:
    if fault.seat not in (0, 1):
        raise Refused(number, f"there is no seat {fault.seat}")
    if fault.name is FaultName.START:
        if course.match.deal != 1 or course.cut is not None:
            raise Refused(number, "a failed start after the first deal")
        if (fault.phase, fault.deal, fault.request) != ("start", None, None):
            raise Refused(number, "a failed start names a deal or a request")
        return
    if len(line.faults) != 1 or course.cut is None or fault.phase != "deal":
        raise Refused(number, "the fault cuts no deal short")
    if fault.seat != course.cut.turn:
        raise Refused(number, f"seat {course.cut.turn} was asked, not seat {fault.seat}")
    if (fault.deal, fault.request) != (course.match.deal, course.actions + 1):
        raise Refused(number, "the fault names another deal or request than the one cut short")
    if fault.name is FaultName.ILLEGAL and _is_legal(fault.action, course.cut):
        raise Refused(number, f"{fault.action} was legal")


def _is_legal(action: str | None, deal: DealState) -> bool:
    if action is None:
        return False
    try:
        return parse_move(action) in legal_moves(deal)
    except UnknownMove:
        return False
