"""Nearest rows of a large table with holes: a tree for each pair of patterns, in the columns that both have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from dmlib.arrays import Floats, Ints
from dmlib.trace import look

MOST_TREES, MOST_AXES = 400, 12  # beyond these trees are no faster than all distances
CHUNK = 2_000  # rows that are looked for at a time


def searchable(rows: Floats, others: Floats, nominal: NDArray[np.bool_]) -> bool:
    """Return whether trees are worth it: few patterns of holes, and few axes."""
    axes = sum(
        int(np.nanmax(x, initial=0)) + 1 if names else 1
        for x, names in zip(others.T, nominal, strict=True)
    )
    if axes > MOST_AXES:
        return False
    patterns = [len(np.unique(np.isnan(each), axis=0)) for each in (rows, others)]
    return patterns[0] * patterns[1] <= MOST_TREES


def nearest(
    rows: Floats, others: Floats, nominal: NDArray[np.bool_], k: int
) -> tuple[Ints, Floats]:
    """Return the k nearest of other rows and their distances over the columns that both have, as if they had them all.

    Names are axes of length 0.707, so that two that differ are 1 apart. Of rows that are as far as
    the last neighbour any may be it. Rows without a column in common are infinitely far.

    Examples
    --------
    >>> nan = float("nan")
    >>> near, far = nearest(np.array([[0.0, nan]]), np.array([[3.0, 1.0], [1.0, nan]]), np.zeros(2, bool), 1)
    >>> near.tolist(), far.round(4).tolist()
    ([[1]], [[1.4142]])
    """
    near = np.zeros((len(rows), k), np.intp)
    far = np.full((len(rows), k), np.inf)
    groups = [np.unique(np.isnan(each), axis=0, return_inverse=True) for each in (rows, others)]
    for q, gone in enumerate(groups[1][0]):
        there = np.flatnonzero(groups[1][1] == q)
        for p, empty in enumerate(groups[0][0]):
            both = np.flatnonzero(~empty & ~gone)
            asked = np.flatnonzero(groups[0][1] == p)
            if not len(both):
                continue
            look()
            places = [
                _axes(each[:, both], nominal[both], others[:, both])
                for each in (others[there], rows[asked])
            ]
            tree, some = cKDTree(places[0]), min(k, len(there))
            for start in range(0, len(asked), CHUNK):
                look()
                part = asked[start : start + CHUNK]
                lengths, found = tree.query(
                    places[1][start : start + CHUNK], k=np.arange(1, some + 1)
                )
                lengths = lengths * np.sqrt(rows.shape[1] / len(both))
                lengths, found = (
                    np.hstack([far[part], lengths]),
                    np.hstack([near[part], there[found]]),
                )
                order = np.lexsort([found, lengths], axis=1)[:, :k]
                far[part], near[part] = (
                    np.take_along_axis(each, order, axis=1) for each in (lengths, found)
                )
    return near, far


def _axes(X: Floats, nominal: NDArray[np.bool_], all_rows: Floats) -> Floats:
    """Return places in which Euclidean distances are those of rows of numbers and names."""
    parts = []
    for x, names, whole in zip(X.T, nominal, all_rows.T, strict=True):
        codes = np.arange(int(np.nanmax(whole, initial=0)) + 1)
        parts.append((x[:, None] == codes) / np.sqrt(2) if names else x[:, None])
    return np.hstack(parts).astype(float)
