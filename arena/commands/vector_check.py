"""Whether the rules agree with a record of a vectors file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from arena.commands.vector_records import (
    Action,
    BadRecord,
    DealRecord,
    MatchDealRecord,
    MatchRecord,
    Record,
    RefusalRecord,
    ResultRecord,
    Rules,
    StepRecord,
)
from arena.santase import (
    BadDeck,
    DealState,
    IllegalMove,
    MatchState,
    NotationError,
    RuleOptionError,
    RuleSet,
    Seat,
    apply,
    legal_moves,
    parse_cards,
    parse_move,
    ruleset_from_dict,
    start_deal,
    start_match,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """What a record says otherwise than the rules; `deal` and `step` count from 1."""

    what: str
    step: int | None = None
    deal: int | None = None

    def __str__(self) -> str:
        places = [
            f"{word} {number}"
            for word, number in (("deal", self.deal), ("step", self.step))
            if number is not None
        ]
        return ": ".join([", ".join(places), self.what] if places else [self.what])


def check(record: Record) -> Difference | None:
    """The first difference between a record and the rules; None where it holds.

    Raises BadRecord for what no rules could be held against: a deck that is none, an option that
    does not exist.
    """
    match record:
        case DealRecord():
            return _check_deal(record)
        case MatchRecord():
            return _check_match(record)
        case RefusalRecord():
            return _check_refusal(record)
        case _:
            assert_never(record)


def _check_deal(record: DealRecord) -> Difference | None:
    state = _start(record.deck, record.dealer, _rules(record.rules))
    if record.first_leader not in (None, state.turn):
        return _differs("the first leader", record.first_leader, state.turn)
    if record.trump not in (None, str(state.trump)):
        return _differs("trumps", record.trump, str(state.trump))
    for number, step in enumerate(record.steps, start=1):
        if (what := _step_differs(state, step)) is not None:
            return Difference(what, step=number)
        after = _after(state, step.player, step.action)
        if isinstance(after, str):
            return Difference(after, step=number)
        state = after
    what = _result_differs(state, record.result)
    return None if what is None else Difference(what)


def _step_differs(state: DealState, step: StepRecord) -> str | None:
    if state.result is not None:
        return f"the deal has ended ({state.result.reason}), but the record goes on"
    if step.player != state.turn:
        return _told("on turn", step.player, state.turn)
    given, legal = set(step.legal), {str(move) for move in legal_moves(state)}
    if given != legal:
        extra, missing = _listed(given - legal), _listed(legal - given)
        return f"legal: the record has {extra} too many, and lacks {missing}"
    if step.points != state.points:
        return _told("points", step.points, state.points)
    if step.talon != state.talon:
        return _told("talon", step.talon, state.talon)
    return None


def _check_match(record: MatchRecord) -> Difference | None:
    now = start_match(_rules(record.rules), record.first_dealer)
    for number, deal in enumerate(record.deals, start=1):
        if now.winner is not None:
            return Difference(f"seat {now.winner} has won, but the record goes on", deal=number)
        outcome = _play_match_deal(now, deal)
        if isinstance(outcome, Difference):
            return Difference(outcome.what, outcome.step, deal=number)
        now = outcome
        if deal.score_after not in (None, now.score):
            return Difference(_told("score", deal.score_after, now.score), deal=number)
    if (record.result.winner, record.result.score) != (now.winner, now.score):
        given = (record.result.winner, list(record.result.score))
        return _differs("winner and score", given, (now.winner, list(now.score)))
    return None


def _play_match_deal(now: MatchState, deal: MatchDealRecord) -> MatchState | Difference:
    if deal.dealer != now.dealer:
        return _differs("the dealer", deal.dealer, now.dealer)
    state = _start(deal.deck, deal.dealer, now.rules)
    if deal.first_leader not in (None, state.turn):
        return _differs("the first leader", deal.first_leader, state.turn)
    final = _after_all(state, deal.actions)
    if isinstance(final, Difference):
        return final
    what = _result_differs(final, deal.result)
    return now.after(final) if what is None else Difference(what)


def _check_refusal(record: RefusalRecord) -> Difference | None:
    start = _start(record.deck, 1 - record.first_leader, _rules(record.rules))
    state = _after_all(start, record.prefix)
    if isinstance(state, Difference):
        return state
    if isinstance(_after(state, record.player, record.action), str):
        return None
    clause = f" ({record.clause})" if record.clause else ""
    return Difference(f"{record.action} by seat {record.player} is legal, not refused{clause}")


def _after_all(state: DealState, actions: Iterable[Action]) -> DealState | Difference:
    """The state after actions, or the first that is refused."""
    for number, (seat, action) in enumerate(actions, start=1):
        after = _after(state, seat, action)
        if isinstance(after, str):
            return Difference(after, step=number)
        state = after
    return state


def _after(state: DealState, seat: Seat, action: str) -> DealState | str:
    """The state after an action, or why it is refused."""
    if state.result is None and seat != state.turn:
        return f"{action} is refused: seat {state.turn} is on turn, not {seat} (R3.8)"
    try:
        return apply(state, parse_move(action))
    except (IllegalMove, NotationError) as error:
        return str(error)


def _result_differs(state: DealState, given: ResultRecord) -> str | None:
    if state.result is None:
        return "the deal goes on, but the record ends"
    for field in given.__struct_fields__:
        value, ours = getattr(given, field), getattr(state.result, field)
        if value != ours:
            return _told(f"result, {field}", value, ours)
    return None


def _start(deck: Sequence[str], dealer: Seat, rules: RuleSet) -> DealState:
    try:
        return start_deal(parse_cards(deck), dealer, rules)
    except (BadDeck, NotationError) as error:
        raise BadRecord(f"not a record: {error} - at `$.deck`") from error


def _rules(options: Rules) -> RuleSet:
    try:
        return ruleset_from_dict(options)
    except RuleOptionError as error:
        raise BadRecord(f"not a record: {error} - at `$.rules`") from error


def _differs(what: str, given: object, ours: object) -> Difference:
    return Difference(_told(what, given, ours))


def _told(what: str, given: object, ours: object) -> str:
    return f"{what}: the record has {given}, the rules {ours}"


def _listed(moves: Iterable[str]) -> str:
    return ", ".join(sorted(moves)) or "none"
