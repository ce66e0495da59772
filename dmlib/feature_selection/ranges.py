"""Ranges of feature selection that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.evenly import evenly
from dmlib.feature_selection.local_search import most_changes
from dmlib.feature_selection.selector import standardised
from dmlib.params import Range

MAX_FOLDS, MAX_NEIGHBORS, MAX_POSITIONS = 20, 30, 40
ROUNDING = 1e-9  # percent of a correlation


def search_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the sizes of sets, changes of them, and folds and neighbours that there are rows for.

    Examples
    --------
    >>> search_ranges(None, [[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]])
    {'n_features_to_select': (1, 2), 'cv': (2, 3), 'n_neighbors': (1, 2), 'n_changes': (1, 2)}
    """
    n, p = np.shape(X)
    return {
        "n_features_to_select": (1, p) if p > 1 else "There is only one column.",
        "cv": (2, max(min(n, MAX_FOLDS), 2)) if n > 2 else "There are only two rows.",
        "n_neighbors": (1, max(min(n - 1, MAX_NEIGHBORS), 2)),
        "n_changes": (1, max(most_changes(p), 2)) if p > 1 else "There is only one column.",
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
    """Return how many columns can be chosen, and the correlations at which pairs come and go.

    Examples
    --------
    >>> coverage_ranges(None, [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 9.0]])
    {'n_features_to_select': (1, 3), 'threshold': (0.0, 0.49, 0.86, 1.0)}
    """
    Z = standardised(np.asarray(X, float))
    r = np.abs(Z.T @ Z / len(Z))[np.triu_indices(Z.shape[1], 1)]
    # Below a correlation, so that it counts, however it is rounded.
    places = np.unique(np.floor(np.clip(100 * r - ROUNDING, 0, 99)) / 100).round(2)
    places = places[evenly(len(places), MAX_POSITIONS)]
    sizes = search_ranges(model, X, y)["n_features_to_select"]
    ranges: dict[str, Range] = {"n_features_to_select": sizes}
    if len(places):
        ranges["threshold"] = tuple(np.unique([0.0, *places, 1.0]).tolist())
    return ranges
