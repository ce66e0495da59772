"""Ranges of feature selection that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.params import Range

MOST_FOLDS = 20


def search_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the sizes of the sets that there are, and folds and neighbours that the rows are enough for.

    Examples
    --------
    >>> search_ranges(None, [[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]])
    {'n_features_to_select': (1, 2), 'cv': (2, 3), 'n_neighbors': (1, 2)}
    """
    n, p = np.shape(X)
    one = "There is only one column."
    return {
        "n_features_to_select": (1, p) if p > 1 else one,
        "cv": (2, max(min(n, MOST_FOLDS), 2)) if n > 2 else "There are only two rows.",
        "n_neighbors": (1, max(min(n - 1, 30), 2)),
    }


def filter_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return how many columns can be kept, and how many neighbours there are.

    Examples
    --------
    >>> filter_ranges(None, [[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]])
    {'k': (1, 2), 'n_neighbors': (1, 2)}
    """
    sizes = search_ranges(model, X, y)
    return {"k": sizes["n_features_to_select"], "n_neighbors": sizes["n_neighbors"]}


def coverage_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return how many columns can be chosen.

    Examples
    --------
    >>> coverage_ranges(None, [[0.0, 1.0], [1.0, 0.0]])
    {'n_features_to_select': (1, 2)}
    """
    return {"n_features_to_select": search_ranges(model, X, y)["n_features_to_select"]}
