"""The ranges that hang on the data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from dmlib.params import Range, rounded

MOST, MOST_LEAVES, MOST_LEVELS = 50, 40, 12
ROWS = 300  # of which a tree is grown for the prices


def neighbor_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the numbers of neighbours that the rows can give.

    Examples
    --------
    >>> neighbor_range(None, [[0.0], [1.0], [2.0]])
    {'n_neighbors': (1, 3)}
    """
    return {"n_neighbors": (1, max(1, min(MOST, len(np.asarray(X)))))}


def tree_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the sizes that the rows allow, and the prices of a leaf at which something is pruned.

    Examples
    --------
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> tree_range(DecisionTreeRegressor(), [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 2.0, 3.0])["ccp_alpha"]
    (0.0, 0.13, 1.6)
    """
    rows = np.asarray(X, float)
    n = len(rows)
    ranges: dict[str, Range] = {
        "min_samples_leaf": (1, max(2, min(MOST, n // 2))),
        "max_leaf_nodes": (2, max(3, min(MOST_LEAVES, n))),
        "max_depth": (1, max(2, min(MOST_LEVELS, n - 1))),
    }
    return (
        ranges
        if y is None or "ccp_alpha" not in model.get_params()
        else {**ranges, **_prices(model, rows, y)}
    )


def _prices(model: Any, X: NDArray[np.float64], y: ArrayLike) -> dict[str, Range]:
    """Return the prices of a leaf at which a tree of some of the rows is cut."""
    some = np.unique(np.linspace(0, len(X) - 1, ROWS).astype(int))
    try:
        tree = clone(model).set_params(max_leaf_nodes=MOST_LEAVES, ccp_alpha=0.0)
        alphas, _ = tree.cost_complexity_pruning_path(X[some], np.asarray(y, float)[some])
    except ValueError:  # the run itself says what is wrong
        return {}
    places = sorted({0.0, *(rounded(alpha, 2, math.ceil) for alpha in alphas.tolist())})
    none = "The target does not vary: there is nothing to prune."
    return {"ccp_alpha": tuple(places) if len(places) > 1 else none}
