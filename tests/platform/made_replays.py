"""Replays of matches in which both seats play at random by the rules; no bot runs."""

import random

import msgspec

from arena.protocol import Limits, encode
from arena.protocol.messages import ResultMessage
from arena.referee import Fault, FaultName
from arena.referee.dealer import deck_for
from arena.referee.replay_lines import BotLine, DealLine, EndLine, Header, SandboxLine
from arena.santase import (
    DealState,
    MoveKind,
    RuleSet,
    apply,
    legal_moves,
    ruleset,
    start_deal,
    start_match,
)

SEED = "0" * 64


def made_body(
    seed: int,
    *,
    rules: RuleSet | None = None,
    fault: FaultName | None = None,
    names: tuple[str, str] = ("Ada", "Борис"),
    match: str = "m1",
    stubborn: bool = False,
) -> bytes:
    """A replay's lines without its seal; with `fault` the bot on turn fails in the second deal.

    A `stubborn` pair claims only when it has nothing else to do, so that its deals are long.
    """
    chance = random.Random(seed)
    rules = rules or ruleset()
    state = start_match(rules)
    lines: list[DealLine] = []
    faults: list[Fault] = []
    request = 0
    while state.winner is None and not faults:
        deck = deck_for(f"{seed:064x}", len(lines) + 1, state.dealer)
        deal = start_deal(deck, state.dealer, rules)
        actions: list[tuple[int, str, float, float]] = []
        while deal.result is None:
            request += 1
            if fault is not None and len(lines) == 1 and len(actions) == 3:
                faults.append(
                    Fault(deal.turn, fault, "not legal here", "deal", 2, request, action="play:XX")
                )
                break
            move = _choice(chance, deal, stubborn)
            actions.append((deal.turn, str(move), round(chance.uniform(0, 250), 3), 300.5))
            deal = apply(deal, move)
        if deal.result is not None:
            state = state.after(deal)
        dealt = DealLine(
            deal=len(lines) + 1, dealer=deal.dealer, deck=[str(card) for card in deck],
            actions=actions, result=_result(deal), score=state.score,
        )  # fmt: skip
        lines.append(dealt)
    header = Header(
        replay=1, game="santase", match=match, tournament=None, pair=0, game_of_pair=0,
        played_at="2026-01-01T00:00:00Z", platform="test", ruleset=rules.as_dict(),
        limits=Limits(), seed=f"{seed:064x}", commitment=None, first_dealer=0,
        bots=(BotLine(None, names[0], None, SEED, 0), BotLine(None, names[1], None, SEED, 0)),
        sandbox=SandboxLine("made", "made"),
    )  # fmt: skip
    end = EndLine(
        end=True,
        winner=1 - faults[0].seat if faults else state.winner,
        score=state.score,
        reason=faults[0].name.value if faults else "target",
        faults=faults,
    )
    return b"".join(encode(line) for line in (header, *lines, end))


def _choice(chance: random.Random, deal: DealState, stubborn: bool) -> object:
    moves = list(legal_moves(deal))
    others = [move for move in moves if move.kind is not MoveKind.CLAIM]
    enough = deal.points[deal.turn] >= 66
    if enough and not stubborn and len(others) < len(moves):
        return next(move for move in moves if move.kind is MoveKind.CLAIM)
    if stubborn or chance.random() < 0.97:
        moves = others
    return chance.choice(moves)


def _result(deal: DealState) -> ResultMessage | None:
    if deal.result is None:
        return None
    return msgspec.convert(deal.result._asdict(), ResultMessage)
