"""Ranges of pruning parameters that fit the grown tree: each position changes what is cut, as far as that is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from dmlib.arrays import take
from dmlib.classification.columns import Columns
from dmlib.classification.tree_pruning.cutting import Cutting
from dmlib.classification.tree_pruning.estimates import chi_squared
from dmlib.classification.tree_pruning.optimal import fewest_errors
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
)
MOST = 200  # positions
LEAST = 1e-300  # no smaller p-value can be chosen


def pruning_ranges(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the ranges of the limits of growth, of alpha and of the accuracy, and why some parameters are idle.

    Examples
    --------
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> model = PrunedTreeClassifier(validation_fraction=0.0)
    >>> found = pruning_ranges(model, [[0.0], [1.0], [2.0], [3.0]], list("aabb"))
    >>> found["max_depth"], found["ccp_alpha"], found["accuracy"]
    ((1, 1), (0.0, 0.5), (0.5, 1.0))
    """
    grown, (growing, _), labels = model.grow(X, y)
    tree = grown.tree_
    numeric = not Columns.read(X)[0].nominal.any()
    idle: dict[str, Range] = {"splitter": "All columns are numeric."} if numeric else {}
    if tree.node_count < 2:
        return idle | dict.fromkeys(GROWN, LEAF)
    return idle | {
        "max_depth": (1, tree.max_depth),
        "min_samples_leaf": _leaf_sizes(tree),
        "ccp_alpha": _spread(
            [0.0, *(rounded(float(a), 4, math.ceil) for a in alphas_and_costs(tree, model.cost)[0])]
        ),
        "accuracy": _accuracies(tree),
        "significance": _spread([rounded(max(p, LEAST), 3, math.ceil) for p in _p_values(tree)]),
        "standard_errors": _standard_errors(
            _above(tree)
            if model.method == "pessimistic"
            else _above_the_best(model.pruning_path(grown, take(X, growing), labels[growing]))
        ),
    }


def _p_values(tree: Tree) -> list[float]:
    """Return the p-value of the split of each node."""
    found = []
    for node in np.flatnonzero(~tree.is_leaf):
        statistic, freedom = chi_squared(tree.counts[tree.children[node][tree.children[node] >= 0]])
        found.append(float(chi2.sf(statistic, freedom)) if freedom else 1.0)
    return [*found, 1.0]


def _above(tree: Tree) -> list[float]:
    """Return how many standard errors the corrected errors of each node as a leaf are above those of its subtree."""
    cutting, found = Cutting(tree), []
    for node in np.flatnonzero(~tree.is_leaf):
        leaves, n = cutting.leaves(int(node)), float(cutting.sizes[node])
        below = float(cutting.errors[leaves].sum()) + len(leaves) / 2
        spread = math.sqrt(max(below * (n - below), 0.0) / n)
        found.append((float(cutting.errors[node]) + 0.5 - below) / spread if spread > 0 else 0.0)
    return found


def _above_the_best(path: PruningPath) -> list[float]:
    """Return how many standard errors the cross-validated error of each tree is above the least."""
    spread = float(path.cv_spread[path.best])
    return (
        [float(error - path.cv_errors[path.best]) / spread for error in path.cv_errors]
        if spread > 0
        else []
    )


def _standard_errors(values: list[float]) -> Range:
    """Return 0, the positive ones of some values, rounded up, and the default."""
    return _spread([0.0, 1.0, *(rounded(value, 3, math.ceil) for value in values if value > 0)])


def _leaf_sizes(tree: Tree) -> Range:
    """Return the limits just beyond the smaller branch of each split."""
    sizes = tree.n_node_samples
    smaller = [
        min(sizes[c] for c in tree.children[node] if c >= 0)
        for node in np.flatnonzero(~tree.is_leaf)
    ]
    return _spread([1, *(math.floor(float(size)) + 1 for size in smaller)])


def _accuracies(tree: Tree) -> Range:
    """Return the accuracies that the best subtrees of each size have."""
    cutting = Cutting(tree)
    best = fewest_errors(cutting)[0]
    shares = 1 - best[np.isfinite(best)] / cutting.sizes[0]
    return _spread([rounded(float(share), 4, math.floor) for share in shares])


def _spread(values: list[Any]) -> Range:
    places = sorted(set(values))
    if len(places) < 2:
        return (places[0], places[0]) if isinstance(places[0], int) else LEAF
    even = (
        np.unique(np.linspace(0, len(places) - 1, MOST).astype(int))
        if len(places) > MOST
        else range(len(places))
    )
    return tuple(places[i] for i in even)
