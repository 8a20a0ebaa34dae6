"""The house bots, over real pipes and in process: legal, repeatable, as strong as told."""

import hashlib
from pathlib import Path

import pytest
from bot_driver import Table, piped
from house_matches import SECRET, loaded, match_of, meeting

from arena.house import UnknownHouseBot, house_bot_files, house_bots, house_folder, pack
from arena.referee.dealer import local_pair_seed
from arena.santase import PRESETS

ANCHOR = "37af7fc4bdbe783be34e1c31bdc090951c3079dc7408c15f484a0d7b47f5b1e4"
"""SHA-256 of the actions of ten matches of greedy against itself."""

BOTS = ("greedy", "random", "tactician")


def test_there_are_three_house_bots_each_with_a_readme() -> None:
    assert house_bots() == BOTS
    assert all((house_folder() / name / "README.md").is_file() for name in BOTS)


def test_the_folder_of_a_bot_called_random_never_hides_python_s_own_module() -> None:
    # It would, as a package: the folders must not get an __init__.py.
    assert not list(house_folder().rglob("__init__.py"))


def test_a_house_bot_is_its_own_file_and_the_helper() -> None:
    files = house_bot_files("greedy")
    assert sorted(files) == ["bot.py", "santase_bot.py"]
    assert b"from santase_bot import" in files["bot.py"]


def test_an_unknown_house_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownHouseBot, match="greedy, random, tactician"):
        house_bot_files("grandmaster_9000")


def test_packing_gives_the_same_bytes_whatever_the_order() -> None:
    files = house_bot_files("tactician")
    assert pack(files) == pack(dict(reversed(files.items())))
    assert pack(files) != pack(house_bot_files("greedy"))


@pytest.mark.parametrize(("one", "other"), [("random", "greedy"), ("tactician", "random")])
def test_a_match_over_real_pipes_is_the_match_in_process(
    one: str, other: str, tmp_path: Path
) -> None:
    seed = local_pair_seed(SECRET, 7)
    with (
        piped(tmp_path / "one", house_bot_files(one)) as first,
        piped(tmp_path / "other", house_bot_files(other)) as second,
    ):
        over_pipes = Table((first, second), seed).play()
        ends = [bot.leave() for bot in (first, second)]
    assert ends == [(0, b"", ""), (0, b"", "")]
    assert over_pipes == Table((loaded(one), loaded(other)), seed).play()


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_bot_plays_legally_under_every_preset(name: str, preset: str) -> None:
    # The table refuses what is not legal.
    for pair in range(3):
        assert match_of(name, "random", pair, preset=preset).winner in (0, 1)


@pytest.mark.parametrize("name", BOTS)
def test_nobody_claims_without_66(name: str) -> None:
    claims = [
        points
        for pair in range(5)
        for seat, action, points in match_of(name, "greedy", pair).actions
        if action == "claim" and seat == 0
    ]
    assert claims or name == "random"
    assert all(points >= 66 for points in claims)


def test_random_never_closes_and_uses_its_seed() -> None:
    matches = [match_of("random", "random", pair) for pair in range(4)]
    assert not any(action == "close" for match in matches for _, action, _ in match.actions)
    assert matches == [match_of("random", "random", pair) for pair in range(4)]
    assert matches[0] != match_of("random", "random", 0, game=1)


def test_greedy_wins_more_than_nine_matches_of_ten_against_random() -> None:
    assert meeting("greedy", "random", 20).score > 0.9


def test_tactician_wins_three_matches_of_four_against_greedy() -> None:
    told = meeting("tactician", "greedy", 60)
    assert told.score >= 0.75
    assert told.los > 0.99


def test_tactician_closes_and_mostly_rightly() -> None:
    # A close that fails is worth three game points to the opponent, so it would show in the score.
    matches = [match_of("tactician", "greedy", pair) for pair in range(30)]
    closes = [seat for match in matches for seat, action, _ in match.actions if action == "close"]
    assert len(closes) >= 5
    assert set(closes) == {0}


def test_the_anchor_plays_as_it_always_did() -> None:
    """greedy is 1500 by definition: if this fails, the scale has moved for every bot on it.

    Then greedy must get its old play back, or all ratings be refitted and the change announced.
    """
    matches = [match_of("greedy", "greedy", pair) for pair in range(10)]
    played = " ".join(action for match in matches for _, action, _ in match.actions)
    assert hashlib.sha256(played.encode()).hexdigest() == ANCHOR
