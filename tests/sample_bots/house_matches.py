"""Matches of house bots in this process, thousands of them."""

from functools import cache

from bot_driver import LoadedBot, PlayedMatch, Table

from arena.house import house_folder
from arena.rating import PairStatistics, match_luck, pair_statistics
from arena.referee.dealer import local_pair_seed
from arena.santase import PRESETS

SECRET = "66" * 32


def loaded(name: str) -> LoadedBot:
    return LoadedBot(house_folder() / name / "bot.py")


def match_of(
    one: str, other: str, pair: int, game: int = 0, preset: str = "santase-bg"
) -> PlayedMatch:
    """One match; in game 1 of a pair the seats are exchanged."""
    players = (loaded(one), loaded(other)) if game == 0 else (loaded(other), loaded(one))
    return Table(players, local_pair_seed(SECRET, pair), game, PRESETS[preset]).play()


@cache
def scores_and_lucks(one: str, other: str, pairs: int) -> list[tuple[float, float]]:
    """Of each mirrored pair the first bot's mean score, 0, ½ or 1, and its luck in the cards."""
    found = []
    for pair in range(pairs):
        first, mirrored = match_of(one, other, pair), match_of(one, other, pair, 1)
        wins = (first.winner == 0) + (mirrored.winner == 1)
        found.append((wins / 2, (match_luck(first.deals) - match_luck(mirrored.deals)) / 2))
    return found


def meeting(one: str, other: str, pairs: int) -> PairStatistics:
    """Mirrored pairs of two bots, as seen by the first."""
    scores = [score for score, _ in scores_and_lucks(one, other, pairs)]
    return pair_statistics(*(scores.count(score) for score in (0, 0.5, 1)))
