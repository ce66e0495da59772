"""Ranges of nearest neighbours that fit the data."""

from __future__ import annotations

from typing import Any

from dmlib.params import Range

MAX_NEIGHBORS = 100  # the curve of the errors ends there too


def knn_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the range of k: no more than there are rows.

    Examples
    --------
    >>> from dmlib.classification import KNeighborsClassifier
    >>> knn_ranges(KNeighborsClassifier(), [[0.0], [1.0], [2.0]])
    {'n_neighbors': (1, 3)}
    """
    return {"n_neighbors": (1, max(1, min(MAX_NEIGHBORS, len(X))))}
