"""Fits what cards are worth, from deals between house bots; `make luck` puts it into the package.

The regression behind the luck-adjusted score (docs/explanation/rating.md): game points of a deal on
the differences that packets and draws made. The same seed gives the same deals, so the same file.
"""

import contextlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

from arena.commands.play import PlayOptions
from arena.commands.play import run as play
from arena.rating.luck import FEATURES, chances
from arena.referee.played_again import deals_of

BOTS: Final = ("tactician", "greedy")
SEED: Final = "66" * 32
PAIRS: Final = 500
_FOLDS: Final = 10


def fitted(replays: Path) -> dict[str, object]:
    """The file's content from a folder of replays, with the part of the variance explained."""
    rows, gained = [], []
    for path in sorted(replays.glob("*.jsonl")):
        for _, deal in deals_of(path.read_bytes()):
            if deal.result is None or deal.result.winner is None:
                continue
            dealt, drawn = chances(deal)
            # What is known before the cards comes first: who leads.
            rows.append((1.0, 1.0 if deal.dealer == 1 else -1.0, *dealt, *drawn))
            gained.append(deal.result.points * (1 if deal.result.winner == 0 else -1))
    features, points = np.array(rows), np.array(gained, dtype=float)
    slopes = np.linalg.lstsq(features, points, rcond=None)[0][2:].round(4)
    values = [int(np.sum(np.abs(points) == value)) for value in (1, 2, 3)]
    return {
        "bots": list(BOTS),
        "seed": SEED,
        "deals": len(points),
        "explained": round(_explained(features, points), 4),
        "features": list(FEATURES),
        "dealt": slopes[: len(FEATURES)].tolist(),
        "drawn": slopes[len(FEATURES) :].tolist(),
        "values": values,
    }


def _explained(features: np.ndarray, points: np.ndarray) -> float:
    """The part of the variance of game points that the cards explain, cross-fitted."""
    known, left = features[:, :2], np.empty_like(points)
    for fold in range(_FOLDS):
        own = np.arange(len(points)) % _FOLDS == fold
        slopes = np.linalg.lstsq(features[~own], points[~own], rcond=None)[0]
        left[own] = points[own] - features[own] @ slopes
    bare = points - known @ np.linalg.lstsq(known, points, rcond=None)[0]
    return 1 - float(left.var() / bare.var())


def main() -> None:
    """Plays the matches and writes the file named on the command line."""
    with tempfile.TemporaryDirectory() as folder:
        replays = Path(folder)
        asked = PlayOptions(
            bots=BOTS,
            pairs=PAIRS,
            seed=SEED,
            as_json=False,
            replays=replays,
            jobs=2,
            rules="santase-bg",
            sandbox="auto",
            trusted=True,  # our own
        )
        with contextlib.redirect_stdout(sys.stderr):
            stopped = play(asked)
        if stopped:
            sys.exit(stopped)
        content = fitted(replays)
    Path(sys.argv[1]).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print(f"{content['deals']} deals, {content['explained']:.1%} of the variance explained")


if __name__ == "__main__":
    main()
