"""P1: the rules with random legal players, beside two engines of the field.

Ours is measured with everything that a match needs: decks from a seed, every move checked for
legality, the history kept, the result asked for. It plays by `advance` and `legal_codes`, and once
more by `apply` and `legal_moves`. All players pick by `random.choice`. The peers end a deal by
themselves where it is decided, so ours plays under claim_mode=auto. What counts is the CPU time of
this process: the machine's other work matters little then.
"""

import importlib
import random
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from arena.referee.dealer import deck_for
from arena.santase import (
    advance,
    apply,
    legal_codes,
    legal_moves,
    ruleset,
    start_deal,
    start_position,
)
from arena.santase.position import RESULT

ROUNDS = 9
SEED = "5a" * 32
RULES = ruleset(claim_mode="auto")

Measure = Callable[[int], int]
"""Plays so many deals; gives how many decisions that took."""

DEALS = {"ours": 2_000, "ours in words": 1_000, "schnapsen": 150, "euchre": 1_000}
"""Deals in a round, of much the same length for every engine."""

PEERS = {
    "schnapsen": ("schnapsen's engine with 24 cards", "pip install schnapsen"),
    "euchre": ("OpenSpiel euchre", "pip install open-spiel"),
}


def rows() -> list[dict[str, object]]:
    """Medians of interleaved rounds, a row a figure."""
    found = {
        "ours": _ours,
        "ours in words": _ours_in_words,
        "schnapsen": _schnapsen(),
        "euchre": _euchre(),
    }
    engines = {name: measure for name, measure in found.items() if measure is not None}
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, measure in engines.items():
            speeds[name].append(_speed(measure, DEALS[name]))
    deals_s, decisions_s = (
        {name: median(speed[which] for speed in rounds) for name, rounds in speeds.items()}
        for which in (0, 1)
    )
    return [
        _row("deals", deals_s, "schnapsen", 12.0),
        _row("decisions", decisions_s, "euchre", 2.0),
        _plain_row("rules, the same deals by apply and legal_moves", deals_s["ours in words"]),
    ]


def _row(unit: str, speeds: dict[str, float], peer: str, wanted: float) -> dict[str, object]:
    name, install = PEERS[peer]
    anchor = speeds.get(peer)
    ratio = None if anchor is None else speeds["ours"] / anchor
    missing = f" not measured: {install}" if anchor is None else ""
    return {
        "goal": "P1",
        "what": f"rules: log, checks, seeded decks, random players; beside {name}{missing}",
        "value": speeds["ours"],
        "unit": f"{unit}/s",
        "anchor": anchor,
        "ratio": ratio,
        "wanted": f">= {wanted:g}",
        "reached": None if ratio is None else ratio >= wanted,
    }


def _plain_row(what: str, deals_s: float) -> dict[str, object]:
    nothing = dict.fromkeys(("anchor", "ratio", "wanted", "reached"))
    return {"goal": "–", "what": what, "value": deals_s, "unit": "deals/s", **nothing}


def _speed(measure: Measure, deals: int) -> tuple[float, float]:
    """Deals and decisions a second."""
    start_s = process_time()
    decisions = measure(deals)
    took_s = process_time() - start_s
    return deals / took_s, decisions / took_s


def _ours(deals: int) -> int:
    choice, decisions = random.Random(1).choice, 0
    for number in range(1, deals + 1):
        dealer = number % 2
        position = start_position(deck_for(SEED, number, dealer), dealer, RULES)
        while codes := legal_codes(position):
            position = advance(position, choice(codes))
            decisions += 1
        assert position[RESULT] is not None
    return decisions


def _ours_in_words(deals: int) -> int:
    choice, decisions = random.Random(1).choice, 0
    for number in range(1, deals + 1):
        dealer = number % 2
        state = start_deal(deck_for(SEED, number, dealer), dealer, RULES)
        while moves := legal_moves(state):
            state = apply(state, choice(moves))
            decisions += 1
        assert state.result is not None
    return decisions


def _schnapsen() -> Measure | None:
    """The package's engine, made of its parts with the nines added and six cards a hand."""
    try:
        game: Any = importlib.import_module("schnapsen.game")
        cards: Any = importlib.import_module("schnapsen.deck")
        bots: Any = importlib.import_module("schnapsen.bots.rand")
    except ImportError:
        return None
    ranks = [getattr(cards.Rank, name) for name in ("NINE", "JACK", "QUEEN", "KING", "TEN", "ACE")]
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

    def measure(deals: int) -> int:
        for number in range(deals):
            engine.play_game(one, other, random.Random(number))
        return 0

    return measure


def _euchre() -> Measure | None:
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game("euchre")
    choice = random.Random(1).choice

    def measure(deals: int) -> int:
        decisions = 0
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                decisions += not state.is_chance_node()
                state.apply_action(choice(state.legal_actions()))
        return decisions

    return measure
