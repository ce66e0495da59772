"""Ranges of parameters that depend on the data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.arrays import take
from dmlib.evenly import evenly
from dmlib.params import Range, rounded

MAX_SAMPLES = 50
MAX_LEAVES = 40
MAX_DEPTH = 12
N_ROWS = 300  # of which a tree is grown for the range of α


def neighbor_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the numbers of neighbours that the rows allow.

    Examples
    --------
    >>> neighbor_range(None, [[0.0], [1.0], [2.0]])
    {'n_neighbors': (1, 3)}
    """
    return {"n_neighbors": (1, max(1, min(MAX_SAMPLES, len(np.asarray(X)))))}


def tree_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the sizes that the rows allow, and the values of α at which a tree is pruned.

    Examples
    --------
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 2.0, 3.0]
    >>> tree_range(DecisionTreeRegressor(), X, y)["ccp_alpha"]
    (0.0, 0.13, 1.6)
    """
    n = len(np.asarray(X))
    ranges: dict[str, Range] = {
        "min_samples_leaf": (1, max(2, min(MAX_SAMPLES, n // 2))),
        "max_leaf_nodes": (2, max(3, min(MAX_LEAVES, n))),
        "max_depth": (1, max(2, min(MAX_DEPTH, n - 1))),
    }
    if y is not None and "ccp_alpha" in model.get_params():
        ranges |= _alphas(model, X, y)
    return ranges


def _alphas(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the values of α at which a tree of a sample of the rows is pruned."""
    sample = evenly(len(np.asarray(y)), N_ROWS)
    try:
        tree = clone(model).set_params(max_leaf_nodes=MAX_LEAVES, ccp_alpha=0.0)
        alphas, _ = tree.cost_complexity_pruning_path(take(X, sample), np.asarray(y, float)[sample])
    except ValueError:  # the run itself says what is wrong
        return {}
    values = sorted({0.0, *(rounded(alpha, 2, math.ceil) for alpha in alphas.tolist())})
    if len(values) < 2:
        return {"ccp_alpha": "The target does not vary: there is nothing to prune."}
    return {"ccp_alpha": tuple(values)}
