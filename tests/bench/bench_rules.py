"""P1: the rules with random legal players, beside two engines of the field.

Ours plays through `advance` and `legal_codes`, with everything that a match needs: decks from a
seed, every move checked for legality, the history kept, the result asked for. A last row says what
`apply` and `legal_moves` make of the same deals. Both peers pick evenly among the legal moves;
so do our players, but they claim as soon as they have 66 and never before: schnapsen ends its deals
there by itself, and a wrong claim would only make ours shorter. Time is the process's CPU time, so
that whatever else the machine does counts little.
"""

import importlib
import random
from collections.abc import Callable
from itertools import cycle
from statistics import median
from time import process_time
from typing import Any

from arena.referee.dealer import deck_for
from arena.santase import (
    CLAIM,
    PRESETS,
    Position,
    advance,
    apply,
    legal_codes,
    legal_moves,
    start_deal,
    start_position,
)
from arena.santase.position import RESULT, WON, counted

ROUNDS = 9
SEED = "5a" * 32
RULES = PRESETS["santase-bg"]

Measure = Callable[[int], tuple[int, int]]
"""Plays so many deals; gives how many deals and how many decisions that were."""


def rows() -> list[dict[str, object]]:
    """Medians of interleaved rounds, a row a figure."""
    engines: dict[str, tuple[Measure, int]] = {
        "ours": (_ours, 2_000),
        "in words": (_ours_in_words, 1_000),
    }
    if (schnapsen := _schnapsen()) is not None:
        engines["schnapsen"] = (schnapsen, 150)
    if (euchre := _euchre()) is not None:
        engines["euchre"] = (euchre, 1_000)
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, (measure, deals) in engines.items():
            speeds[name].append(_speed(measure, deals))
    deals_s = {name: median(deals for deals, _ in speed) for name, speed in speeds.items()}
    decisions_s = {name: median(moves for _, moves in speed) for name, speed in speeds.items()}
    return [
        _row("deals/s, log, checks, seeded decks", "deals/s", deals_s, "schnapsen", 12.0),
        _row("decisions/s, the same deals", "decisions/s", decisions_s, "euchre", 2.0),
        {
            "goal": "–",
            "what": "rules, the same deals by apply and legal_moves",
            "value": deals_s["in words"],
            "unit": "deals/s",
            "anchor": None,
            "ratio": None,
            "wanted": None,
            "reached": None,
        },
    ]


PEERS = {
    "schnapsen": "schnapsen, 24-card engine made of its parts",
    "euchre": "OpenSpiel euchre",
}
INSTALL = {"schnapsen": "schnapsen", "euchre": "open-spiel"}


def _row(
    what: str, unit: str, speeds: dict[str, float], peer: str, wanted: float
) -> dict[str, object]:
    measured = peer in speeds
    ratio = speeds["ours"] / speeds[peer] if measured else None
    anchor = (
        f"{PEERS[peer]}: {speeds[peer]:,.0f} {unit}"
        if measured
        else f"{PEERS[peer]} not measured: pip install {INSTALL[peer]}"
    )
    return {
        "goal": "P1",
        "what": f"rules, random legal players: {what}",
        "value": speeds["ours"],
        "unit": unit,
        "anchor": anchor,
        "ratio": ratio,
        "wanted": f">= {wanted:g}",
        "reached": None if ratio is None else ratio >= wanted,
    }


def _speed(measure: Measure, deals: int) -> tuple[float, float]:
    start_s = process_time()
    played, decisions = measure(deals)
    took_s = process_time() - start_s
    return played / took_s, decisions / took_s


def _bytes() -> Callable[[], int]:
    """A cheap endless source of random bytes, the same for all players."""
    return cycle(random.Random(1).randbytes(1 << 14)).__next__


def _ours(deals: int) -> tuple[int, int]:
    """Deals played in numbers."""
    draw, claim, decisions = _bytes(), CLAIM.code, 0
    for number in range(1, deals + 1):
        dealer = number % 2
        position: Position = start_position(deck_for(SEED, number, dealer), dealer, RULES)
        while codes := legal_codes(position):
            if codes[0] != claim:
                code = codes[draw() % len(codes)]
            elif counted(position[WON]) >= 66:
                code = claim
            else:
                code = codes[1 + draw() % (len(codes) - 1)]
            position = advance(position, code)
            decisions += 1
        assert position[RESULT] is not None
    return deals, decisions


def _ours_in_words(deals: int) -> tuple[int, int]:
    """The same deals by moves and states."""
    draw, decisions = _bytes(), 0
    for number in range(1, deals + 1):
        dealer = number % 2
        state = start_deal(deck_for(SEED, number, dealer), dealer, RULES)
        while moves := legal_moves(state):
            if moves[0] is not CLAIM:
                move = moves[draw() % len(moves)]
            elif state.points[state.turn] >= 66:
                move = CLAIM
            else:
                move = moves[1 + draw() % (len(moves) - 1)]
            state = apply(state, move)
            decisions += 1
        assert state.result is not None
    return deals, decisions


def _schnapsen() -> Measure | None:
    """The package's engine with the nines added and six cards a hand."""
    try:
        game: Any = importlib.import_module("schnapsen.game")
        cards: Any = importlib.import_module("schnapsen.deck")
        bots: Any = importlib.import_module("schnapsen.bots.rand")
    except ImportError:
        return None
    ranks = [getattr(cards.Rank, name) for name in ["NINE", "JACK", "QUEEN", "KING", "TEN", "ACE"]]
    pack = [cards.Card.get_card(rank, suit) for suit in cards.Suit for rank in ranks]

    class Decks(game.DeckGenerator):  # type: ignore[misc]  # the package is untyped here
        def get_initial_deck(self) -> Any:
            return cards.OrderedCardCollection(pack)

    class Hands(game.HandGenerator):  # type: ignore[misc]  # as above
        @classmethod
        def generateHands(cls, deck: Any) -> Any:
            order = list(deck.get_cards())
            hands = [game.Hand(order[first:12:2], max_size=6) for first in (0, 1)]
            return hands[0], hands[1], game.Talon(order[12:])

    class Scorer(game.SchnapsenTrickScorer):  # type: ignore[misc]  # as above
        def rank_to_points(self, rank: Any) -> int:
            return 0 if rank is cards.Rank.NINE else int(super().rank_to_points(rank))

    engine = game.GamePlayEngine(
        Decks(),
        Hands(),
        game.SchnapsenTrickImplementer(),
        game.SimpleMoveRequester(),
        game.SchnapsenMoveValidator(),
        Scorer(),
    )
    rng = random.Random(1)
    one, other = bots.RandBot(rng, "one"), bots.RandBot(rng, "other")

    def measure(deals: int) -> tuple[int, int]:
        for number in range(deals):
            engine.play_game(one, other, random.Random(number))
        return deals, 0

    return measure


def _euchre() -> Measure | None:
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game("euchre")
    draw = _bytes()

    def measure(deals: int) -> tuple[int, int]:
        decisions = 0
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                decisions += not state.is_chance_node()
                state.apply_action(actions[draw() % len(actions)])
        return deals, decisions

    return measure


if __name__ == "__main__":
    for row in rows():
        ratio = row["ratio"]
        told = "" if ratio is None else f": × {ratio:.2f}, wanted {row['wanted']}"
        print(f"{row['what']}: {row['value']:,.0f} {row['unit']} ({row['anchor']}){told}")
