"""Nearest rows of a large table with holes, by a tree for each pair of patterns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from dmlib.arrays import Floats, Ints
from dmlib.trace import look

MAX_TREES, MAX_AXES = 400, 12  # beyond these trees are no faster than all distances
CHUNK = 2_000  # rows of a query


def searchable(rows: Floats, candidates: Floats, nominal: NDArray[np.bool_]) -> bool:
    """Return whether trees are worth it: few patterns of holes, and few axes."""
    n_axes = sum(
        _n_codes(x) if is_nominal else 1
        for x, is_nominal in zip(candidates.T, nominal, strict=True)
    )
    if n_axes > MAX_AXES:
        return False
    n_trees = len(_groups(rows)) * len(_groups(candidates))
    return n_trees <= MAX_TREES


def nearest(
    rows: Floats, candidates: Floats, nominal: NDArray[np.bool_], k: int
) -> tuple[Ints, Floats]:
    """Return the k nearest candidates of rows, and their distances.

    Distances are those over the columns that both rows have, extrapolated to all. Names are axes of
    length 0.707, so that two that differ are 1 apart. Of rows that are as far as the last neighbour
    any may be it. Rows without a common column are infinitely far.

    Examples
    --------
    >>> nan = float("nan")
    >>> rows, candidates = np.array([[0.0, nan]]), np.array([[3.0, 1.0], [1.0, nan]])
    >>> places, distances = nearest(rows, candidates, np.zeros(2, bool), 1)
    >>> places.tolist(), distances.round(4).tolist()
    ([[1]], [[1.4142]])
    """
    places = np.zeros((len(rows), k), np.intp)
    distances = np.full((len(rows), k), np.inf)
    row_groups = _groups(rows)
    for is_hole, members in _groups(candidates):
        for is_row_hole, row_members in row_groups:
            shared = np.flatnonzero(~is_hole & ~is_row_hole)
            if not len(shared):
                continue
            look()
            axes = _Axes(nominal[shared], candidates[:, shared])
            tree = cKDTree(axes.of(candidates[np.ix_(members, shared)]))
            ranks = np.arange(1, min(k, len(members)) + 1)
            for start in range(0, len(row_members), CHUNK):
                look()
                part = row_members[start : start + CHUNK]
                lengths, matches = tree.query(axes.of(rows[np.ix_(part, shared)]), k=ranks)
                lengths = lengths * np.sqrt(rows.shape[1] / len(shared))
                lengths = np.hstack([distances[part], lengths])
                matches = np.hstack([places[part], members[matches]])
                order = np.lexsort([matches, lengths], axis=1)[:, :k]
                distances[part] = np.take_along_axis(lengths, order, axis=1)
                places[part] = np.take_along_axis(matches, order, axis=1)
    return places, distances


def _groups(rows: Floats) -> list[tuple[NDArray[np.bool_], Ints]]:
    """Return each pattern of holes with its rows."""
    patterns, group = np.unique(np.isnan(rows), axis=0, return_inverse=True)
    return [(pattern, np.flatnonzero(group == i)) for i, pattern in enumerate(patterns)]


def _n_codes(x: Floats) -> int:
    return int(np.nanmax(x, initial=0)) + 1


class _Axes:
    """Axes on which Euclidean distances are those of rows of numbers and names."""

    def __init__(self, nominal: NDArray[np.bool_], rows: Floats) -> None:
        pairs = zip(rows.T, nominal, strict=True)
        self.codes = [np.arange(_n_codes(x)) if is_nominal else None for x, is_nominal in pairs]

    def of(self, rows: Floats) -> Floats:
        """Return the places of rows."""
        parts = []
        for x, codes in zip(rows.T, self.codes, strict=True):
            column = x[:, None]
            parts.append(column if codes is None else (column == codes) / np.sqrt(2))
        return np.hstack(parts).astype(float)
