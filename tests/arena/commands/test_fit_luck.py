"""The fit of what cards are worth, on a handful of replays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.commands.fit_luck import fitted
from arena.rating.luck import FEATURES
from arena.referee.played_again import deals_of


@pytest.fixture
def replays(tmp_path: Path) -> Path:
    folder = tmp_path / "replays"
    asked = ["random", "greedy", "--pairs", "4", "--trusted", "--seed"]
    subprocess.run(
        [sys.executable, "-m", "arena", "play", *asked, "12" * 32, "--replays", str(folder)],
        check=True,
        timeout=120,
        env={**os.environ, "SANTASE_STATE": str(tmp_path / "state")},
    )
    return folder


def test_it_takes_in_every_deal_and_is_written_the_same_every_time(replays: Path) -> None:
    found = fitted(replays)
    deals = [deal for path in replays.iterdir() for _, deal in deals_of(path.read_bytes())]
    assert found["deals"] == len(deals)
    points = [deal.result.points for deal in deals if deal.result is not None]
    assert found["values"] == [points.count(value) for value in (1, 2, 3)]
    assert found["features"] == list(FEATURES)
    assert json.dumps(found) == json.dumps(fitted(replays))
