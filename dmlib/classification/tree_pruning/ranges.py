"""Ranges of pruning parameters that fit the grown tree: positions that change the result."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from dmlib.arrays import take
from dmlib.classification.columns import Columns
from dmlib.classification.tree_pruning.critical import critical_series
from dmlib.classification.tree_pruning.cutting import Cutting
from dmlib.classification.tree_pruning.estimates import chi_squared
from dmlib.classification.tree_pruning.optimal import fewest_errors
from dmlib.evenly import positions
from dmlib.params import Range, rounded
from dmlib.trees.cost_complexity import PruningPath, alphas_and_costs
from dmlib.trees.tree import Tree

LEAF = "The grown tree is a single leaf."
GROWN = (
    "max_depth",
    "min_samples_leaf",
    "ccp_alpha",
    "standard_errors",
    "m",
    "confidence",
    "accuracy",
    "significance",
    "critical_value",
)
MIN_P = 1e-300  # the smallest p-value that can be chosen


def pruning_ranges(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the ranges of parameters, and why some have no effect.

    Examples
    --------
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> model = PrunedTreeClassifier(validation_fraction=0.0)
    >>> ranges = pruning_ranges(model, [[0.0], [1.0], [2.0], [3.0]], list("aabb"))
    >>> ranges["max_depth"], ranges["ccp_alpha"], ranges["accuracy"]
    ((1, 1), (0.0, 0.5), (0.5, 1.0))
    """
    grown, (growing, _), labels = model.grow(X, y)
    tree = grown.tree_
    numeric = not Columns.read(X)[0].nominal.any()
    idle: dict[str, Range] = {"splitter": "All columns are numeric."} if numeric else {}
    if tree.node_count < 2:
        return idle | dict.fromkeys(GROWN, LEAF)
    if model.method == "pessimistic":
        excesses = _excess_errors(tree, model.leaf_penalty)
    else:
        path = model.pruning_path(grown, take(X, growing), labels[growing])
        excesses = _excess_cv_errors(path)
    alphas, _ = alphas_and_costs(tree, model.cost)
    return idle | {
        "max_depth": (1, tree.max_depth),
        "min_samples_leaf": _leaf_sizes(tree),
        "ccp_alpha": _spread([0.0, *(rounded(float(a), 4, math.ceil) for a in alphas)]),
        "accuracy": _accuracies(tree),
        "significance": _spread([rounded(max(p, MIN_P), 3, math.ceil) for p in _p_values(tree)]),
        "standard_errors": _standard_errors(excesses),
        "critical_value": _critical_values(tree),
    }


def _p_values(tree: Tree) -> list[float]:
    """Return the p-value of the split of each node."""
    p_values = []
    for node in np.flatnonzero(~tree.is_leaf):
        statistic, freedom = chi_squared(tree.counts[tree.children[node][tree.children[node] >= 0]])
        p_values.append(float(chi2.sf(statistic, freedom)) if freedom else 1.0)
    return [*p_values, 1.0]


def _excess_errors(tree: Tree, penalty: float) -> list[float]:
    """Return the corrected errors of each node beyond its subtree's, in standard errors."""
    cutting = Cutting(tree)
    excesses = []
    for node in np.flatnonzero(~tree.is_leaf):
        leaves, n = cutting.leaves(int(node)), float(cutting.sizes[node])
        below = float(cutting.errors[leaves].sum()) + penalty * len(leaves)
        spread = math.sqrt(max(below * (n - below), 0.0) / n)
        excess = float(cutting.errors[node]) + penalty - below
        excesses.append(excess / spread if spread > 0 else 0.0)
    return excesses


def _excess_cv_errors(path: PruningPath) -> list[float]:
    """Return the CV error of each tree beyond the smallest one, in standard errors."""
    spread = float(path.cv_spread[path.best])
    if spread <= 0:
        return []
    return [float(error - path.cv_errors[path.best]) / spread for error in path.cv_errors]


def _standard_errors(values: list[float]) -> Range:
    """Return 0, the positive values rounded up, and the default."""
    return _spread([0.0, 1.0, *(rounded(value, 3, math.ceil) for value in values if value > 0)])


def _leaf_sizes(tree: Tree) -> Range:
    """Return the limits just beyond the smaller branch of each split."""
    sizes = tree.n_node_samples
    inner = np.flatnonzero(~tree.is_leaf)
    smaller = [min(sizes[child] for child in tree.children[node] if child >= 0) for node in inner]
    return _spread([1, *(math.floor(float(size)) + 1 for size in smaller)])


def _accuracies(tree: Tree) -> Range:
    """Return the accuracies that the best subtrees of each size have."""
    cutting = Cutting(tree)
    best = fewest_errors(cutting)[0]
    shares = 1 - best[np.isfinite(best)] / cutting.sizes[0]
    return _spread([rounded(float(share), 4, math.floor) for share in shares])


def _critical_values(tree: Tree) -> Range:
    """Return 0, and a value just beyond that of each split that prunes more."""
    limits = critical_series(tree).limits[1:].tolist()
    return _spread([0.0, *(rounded(limit * (1 + 1e-6), 4, math.ceil) for limit in limits)])


def _spread(values: list[Any]) -> Range:
    places = positions(values)
    if len(places) > 1:
        return places
    return places * 2 if isinstance(places[0], int) else LEAF
