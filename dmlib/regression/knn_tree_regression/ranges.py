"""Ranges of parameters that depend on the data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.arrays import take
from dmlib.evenly import evenly, positions
from dmlib.params import Range, rounded
from dmlib.trees.significance import p_value

MAX_SAMPLES = 50
MAX_LEAVES = 40
MAX_DEPTH = 12
MIN_P = 1e-12  # the smallest significance that can be chosen
DEEP = 3  # levels of a tree whose p-values are positions
LEAF = "No column splits the root at a significance of 0.05."
SHALLOW = "No node below the root is split at a significance of 0.05."
SAME = "At every significance the tree is the same."
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


def chaid_range(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the p-values, sizes and depths at which a tree of CHAID changes.

    Examples
    --------
    >>> from dmlib.regression import CHAIDRegressor
    >>> X, y = [[0.0]] * 3 + [[1.0]] * 3, [0.0, 1.0, 2.0, 6.0, 7.0, 8.0]
    >>> ranges = chaid_range(CHAIDRegressor(), X, y)
    >>> ranges["alpha_split"], ranges["min_samples_leaf"]
    ((0.000183, 0.00183), (1, 4))
    """
    try:
        steps = list(clone(model).steps(X, y))
        all_splits = list(clone(model).set_params(alpha_split=1.0, max_depth=DEEP).steps(X, y))
        all_merges = list(clone(model).set_params(alpha_merge=MIN_P, max_depth=1).steps(X, y))
    except ValueError:  # the run itself says what is wrong
        return {}
    splits = [step for step in steps if step.phase == "split"]
    depth = max(node.depth for step in steps for node in step.nodes)
    sizes = [len(node.rows) + 1 for step in splits[:1] for node in step.nodes[:-1]]
    return {
        "alpha_split": _p_values(_of_splits(all_splits)),
        "alpha_merge": _p_values(_of_merges([steps[1], all_merges[1]])),
        "max_depth": (1, depth) if depth > 1 else SHALLOW,
        "min_samples_leaf": (1, *sorted(set(sizes) - {1})) if splits else LEAF,
    }


def _of_splits(steps: list[Any]) -> list[float]:
    """Return the smallest significance at which each node is split, if its ancestors are."""
    needed: dict[int, float] = {}
    of_parent = {node.number: node.parent for step in steps for node in step.nodes}
    for step in steps:
        if step.phase in ("split", "stop") and step.split is not None:
            p = p_value(step.split.merged.score)
            needed[step.node] = max(p, needed.get(of_parent[step.node], 0.0))
    return list(needed.values())


def _of_merges(steps: list[Any]) -> list[float]:
    """Return the significances from which each merge of the root's column is not made."""
    tests = [step.split.merged for step in steps if getattr(step, "split", None) is not None]
    return [
        float(p)
        for test in tests
        if test.merges
        for p in np.minimum.accumulate([merge.p for merge in test.merges])
    ]


def _p_values(values: list[float]) -> Range:
    """Return positions for a significance: those at which the tree changes, and one below."""
    places = {rounded(p, 3, math.ceil) for p in values if MIN_P * 10 < p < 1}
    if not places:
        return SAME
    return positions([rounded(min(places) / 10, 3, math.ceil), *places])
