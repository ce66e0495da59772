"""Predictions of trees of the same parameters for several choices of rows, as resampling needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.decision_tree.core import TreeClassifier


def predictions_each(
    model: TreeClassifier,
    X: Floats,
    y: NDArray[Any],
    parts: Sequence[tuple[NDArray[Any], NDArray[Any]]],
) -> Iterator[NDArray[Any]]:
    """Yield the predictions for the test rows of each part, by a tree of its training rows.

    A row that is drawn several times weighs more. ``X`` has numbers without missing values; the
    columns are read once, from all rows.
    """
    columns, classes, table, _ = model.read(X, y)
    counts = [np.bincount(train, minlength=len(y)) for train, _ in parts]
    weights = np.array(counts, dtype=np.float64)
    trees = model.grow_each(table, weights)
    for (_, test), row_weights, tree in zip(parts, weights, trees, strict=True):
        yield model.fit_table(columns, classes, table, row_weights, tree).predict(X[test])
