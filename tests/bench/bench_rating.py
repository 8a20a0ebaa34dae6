"""P7: a full refit of the ratings, and what ten times the results add to it.

Anchors are the goals as such: 1 s, and the time at 10⁵ results. choix is measured
beside ours where it is installed. All on one core, as in a worker whose other core plays
matches, and in CPU time: on a busy machine OpenBLAS's threads would wait for each other.
"""

import gc
import importlib
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import median
from time import process_time
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from arena.rating import PairTable, fit

BOTS = 1_000
ROUNDS = 7


def rows() -> list[dict[str, object]]:
    """Medians of interleaved rounds, a row a figure, from a process with one thread for numpy."""
    with patch.dict(os.environ, OPENBLAS_NUM_THREADS="1"):
        process = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        with process:
            return process.submit(_measure).result()


def _measure() -> list[dict[str, object]]:
    tables = {results: PairTable(_results(results)) for results in (10**5, 10**6)}
    fits: dict[int, list[float]] = {results: [] for results in tables}
    for _ in range(ROUNDS):
        for results, table in tables.items():
            fits[results].append(_seconds(partial(fit, table, anchor=1)))
    small, large = (median(fits[results]) for results in tables)
    told = [
        _row("P7", f"refit, {BOTS:,} bots × 10⁵ results", small, 1.0, 1.0),
        _row("P7", f"refit, {BOTS:,} bots × 10⁶ results", large, small, 1.2),
    ]
    for results in tables:
        meetings = _results(results)
        counting = median(_seconds(partial(PairTable, meetings)) for _ in range(3))
        told.append(_row("–", f"counting {results:,} results into a table", counting))
    peer = _choix()
    if peer is not None:
        told.append(_row("–", "choix (its own optimiser), 100 bots × 10⁴ results", peer))
        ours = PairTable(_results(10**4, bots=100))
        mine = median(_seconds(partial(fit, ours)) for _ in range(ROUNDS))
        told.append(_row("–", "ours, 100 bots × 10⁴ results, errors included", mine, peer))
    return told


def _row(
    goal: str, what: str, seconds: float, anchor: float | None = None, wanted: float | None = None
) -> dict[str, object]:
    ratio = None if anchor is None else seconds / anchor
    reached = None if ratio is None or wanted is None else ratio <= wanted
    return {
        "goal": goal,
        "what": what,
        "value": seconds,
        "unit": "s",
        "anchor": anchor,
        "ratio": ratio,
        "wanted": wanted,
        "reached": reached,
    }


def _results(results: int, bots: int = BOTS) -> NDArray[np.int64]:
    """Mirrored pairs between bots drawn at random, strengths from the prior, as table rows."""
    rng = np.random.default_rng(results)
    strengths = rng.normal(0, 400, bots)
    one = rng.integers(0, bots, results // 2)
    other = (one + rng.integers(1, bots, results // 2)) % bots
    wins = rng.binomial(2, 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400)))
    nothing = np.zeros_like(one)
    columns = [one + 1, other + 1, wins == 2, wins == 1, wins == 0, nothing, nothing]
    return np.stack(columns, axis=1).astype(np.int64)


def _choix() -> float | None:
    try:
        choix = importlib.import_module("choix")
    except ImportError:
        return None
    data = [
        (first, second) if won else (second, first)
        for first, second, both, split, none, *_ in (_results(10**4, bots=100) - [1, 1, *[0] * 5])
        for won in [True] * (2 * both + split) + [False] * (2 * none + split)
    ]
    return _seconds(partial(choix.opt_pairwise, 100, data, alpha=0.1))


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = process_time()
    work()
    return process_time() - start
