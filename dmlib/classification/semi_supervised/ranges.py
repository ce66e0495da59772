"""Ranges of semi-supervised learning that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist

from dmlib.clustering.ranges import MAX_ROWS
from dmlib.params import Range, outward

MAX_LABELED = 10
MAX_NEIGHBORS = 15
MAX_QUERIES = 50
MAX_AT_ONCE = 20
NARROW = 0.05  # of all pairs are nearer than where the steepest kernel falls to 1 / e


def round_ranges(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the ranges of the labelled rows, the neighbours, and the rows of a round.

    Examples
    --------
    >>> from dmlib.classification import ActiveLearner
    >>> round_ranges(ActiveLearner(), [[0.0]] * 6, [0, 0, 0, 0, 1, 1])
    {'n_labeled': (0, 4), 'n_neighbors': (1, 6), 'k_best': (1, 6), 'n_queries': (0, 6)}
    """
    n_rows = len(np.asarray(X))
    return {
        **_labeled(y),
        "n_neighbors": (1, min(MAX_NEIGHBORS, n_rows)),
        "k_best": (1, min(MAX_AT_ONCE, n_rows)),
        "n_queries": (0, min(MAX_QUERIES, n_rows)),
    }


def graph_ranges(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the ranges of the labelled rows, the neighbours, and the width of the kernel.

    Of a large table some rows are taken.

    Examples
    --------
    >>> from dmlib.classification import LabelSpreading
    >>> graph_ranges(LabelSpreading(), [[0.0], [1.0], [2.0]], [0, 0, 1])
    {'n_labeled': (0, 2), 'n_neighbors': (1, 2), 'gamma': (0.25, 1.0)}
    """
    rows = np.asarray(X, float)
    ranges = {**_labeled(y), "n_neighbors": (1, max(1, min(MAX_NEIGHBORS, len(rows) - 1)))}
    squares = pdist(rows[:: -(-len(rows) // MAX_ROWS)], "sqeuclidean")
    squares = squares[squares > 0]
    if len(squares):
        ranges["gamma"] = outward(1 / squares.max(), 1 / float(np.quantile(squares, NARROW)))
    return ranges


def _labeled(y: ArrayLike | None) -> dict[str, Range]:
    codes = np.asarray([] if y is None else y)
    if not len(codes):
        return {}
    largest = int(np.unique(codes, return_counts=True)[1].max())
    return {"n_labeled": (0, max(1, min(MAX_LABELED, largest)))}
