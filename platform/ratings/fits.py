"""A fit as bytes and back: counts, strengths, covariance."""

import io
import zlib
from typing import Any

import numpy as np

from arena.rating import Meeting, PairTable, Ratings

_LEVEL = 1
"""Of compression: most of it are figures that hardly get smaller."""

_NONE = 0
"""In place of an anchor: ids begin at 1."""


def pack(table: PairTable, ratings: Ratings) -> bytes:
    """All that `unpack` needs, compressed."""
    counts = np.column_stack(
        (table.versions[table.lower], table.versions[table.higher], table.counts.T)
    )
    size = len(table.versions)
    file = io.BytesIO()
    np.savez(
        file,
        counts=counts.reshape(-1, len(Meeting._fields)),
        strengths=ratings.strengths,
        covariance=ratings.covariance[np.tril_indices(size)],
        figures=np.array([ratings.pair_correlation, ratings.matches_saved]),
        anchor=np.array([ratings.anchor or _NONE]),
    )
    return zlib.compress(file.getvalue(), _LEVEL)


def unpack(data: bytes | memoryview) -> tuple[PairTable, Ratings]:
    """The table and the ratings that were packed."""
    with np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False) as stored:
        part: dict[str, Any] = dict(stored)
    table = PairTable(part["counts"])
    size = len(table.versions)
    covariance = np.zeros((size, size))
    covariance[np.tril_indices(size)] = part["covariance"]
    covariance += np.tril(covariance, -1).T
    correlation, saved = map(float, part["figures"])
    anchor = int(part["anchor"][0]) or None
    return table, Ratings(table, part["strengths"], covariance, correlation, saved, anchor)
