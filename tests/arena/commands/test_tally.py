"""What the summary of `santase play` says about luck."""

import json

import pytest

from arena.commands.play_worker import MatchRow, PairRows
from arena.commands.tally import Tally
from arena.rating import LEAST_PAIRS


def won_by_luck(pair: int) -> PairRows:
    """A pair in which each match goes to whom the cards favour; one pair in sixteen is odd."""
    rows = []
    for game in (0, 1):
        lucky = (pair >> game) % 2 == 0
        by_a = lucky != (pair % 16 == 3)
        fields = {
            "winner": 0 if by_a == (game == 0) else 1,
            "seats": ["A", "B"] if game == 0 else ["B", "A"],
            "faults": [],
        }
        rows.append(MatchRow(fields, 0, 0.3 if lucky else -0.3))
    return rows[0], rows[1]


def summary(pairs: int, capsys: pytest.CaptureFixture[str], *, as_json: bool) -> str:
    tally = Tally(("one", "other"), pairs, as_json)
    for pair in range(pairs):
        tally.add(won_by_luck(pair))
    tally.close(interrupted=False)
    return capsys.readouterr().out


def test_of_few_pairs_no_luck_adjusted_score_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    told = summary(LEAST_PAIRS - 1, capsys, as_json=True).splitlines()[-1]
    assert json.loads(told)["luck_adjusted"] is None
    text = summary(LEAST_PAIRS - 1, capsys, as_json=False)
    assert "extra, luck-adjusted: not shown; it is unreliable below 500 pairs" in text


def test_of_many_pairs_it_is_shown_and_marked_as_an_extra(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = json.loads(summary(LEAST_PAIRS, capsys, as_json=True).splitlines()[-1])
    assert told["luck_adjusted"]["error"] < told["error"]
    assert 0 < told["luck_adjusted"]["removed"] < 1
    text = summary(LEAST_PAIRS, capsys, as_json=False)
    assert f"extra, luck-adjusted: {told['luck_adjusted']['elo']:+.1f} ±" in text
    assert f"the luck of the cards was {told['luck_adjusted']['removed']:.0%}" in text
