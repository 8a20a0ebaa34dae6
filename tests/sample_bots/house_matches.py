"""Matches of house bots in this process, thousands of them."""

from bot_driver import LoadedBot, PlayedMatch, Table

from arena.house import house_folder
from arena.rating import PairStatistics, pair_statistics
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


def meeting(one: str, other: str, pairs: int) -> PairStatistics:
    """Mirrored pairs of two bots, as seen by the first."""
    scores = [0, 0, 0]
    for pair in range(pairs):
        wins = sum(match_of(one, other, pair, game).winner == game for game in (0, 1))
        scores[wins] += 1
    return pair_statistics(*scores)
