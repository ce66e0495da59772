"""Ranges of the parameters of decision trees: the values at which the tree loses a split."""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns
from dmlib.evenly import positions
from dmlib.params import Range, rounded
from dmlib.trees.cost_complexity import alphas_and_costs, leaf_costs
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.rows import read_orders
from dmlib.trees.tree import Tree

LEAF = "The tree is a single leaf."
NO_ORDER = "No column of words has the type ordinal; Column types, at the data, sets it."


def decision_tree_ranges(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the ranges of all limits, and why some parameters change nothing.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> ranges = decision_tree_ranges(DecisionTreeClassifier(), X, list("aabb"))
    >>> ranges["max_depth"], ranges["ccp_alpha"], ranges["min_samples_split"]
    ((1, 1), (0.0, 0.5), (2, 5))
    """
    unpruned = copy(model)
    unpruned.pruning = "cost_complexity"
    tree = unpruned.fit(X, y).tree_
    cost = "error" if model.pruning == "error_complexity" else "impurity"
    idle = _columns(model, X) | _orders(X)
    if tree.node_count < 2:
        ranges = idle | dict.fromkeys(LIMITS, LEAF)
    else:
        ranges = idle | _limits(tree, cost)
        if model.criterion in ("gini", "entropy"):
            ranges["min_gain"] = _upwards(_gains(tree))
    return {name: ranges[name] for name in ranges if name in model.PARAMS}


def _orders(X: Any) -> dict[str, Range]:
    """Return that no column is ordinal, if so."""
    return {} if read_orders("from_dtype", X, Columns.read(X)[0]) else {"ordinal": NO_ORDER}


LIMITS = (
    "max_depth",
    "max_leaf_nodes",
    "ccp_alpha",
    "min_samples_split",
    "min_samples_leaf",
    "min_impurity_decrease",
)


def _columns(model: Any, X: Any) -> dict[str, Range]:
    """Return the parameters that have no effect where all columns are of one kind."""
    nominal = Columns.read(X)[0].nominal
    if nominal.all() and CRITERIA[model.criterion].two_branches:
        return {}  # buckets may be refused, so that the reader has to choose
    numbers: dict[str, Range] = dict.fromkeys(("numeric", "min_bucket"), "All columns are nominal.")
    if nominal.all():
        return numbers
    return {} if nominal.any() else {"splitter": "All columns are numeric."}


def _limits(tree: Tree, cost: str) -> dict[str, Range]:
    inner = np.flatnonzero(~tree.is_leaf)
    sizes = tree.n_node_samples
    smaller = [min(sizes[child] for child in tree.children[node] if child >= 0) for node in inner]
    return {
        "max_depth": (1, tree.max_depth),
        "max_leaf_nodes": (2, tree.n_leaves),
        "ccp_alpha": _upwards(alphas_and_costs(tree, cost)[0]),
        "min_samples_split": _beyond(2, sizes[inner]),
        "min_samples_leaf": _beyond(1, smaller),
        "min_impurity_decrease": _upwards(_decreases(tree)[inner]),
    }


def _decreases(tree: Tree) -> Floats:
    """Return the impurity decrease of each split, times its fraction of all rows."""
    costs = leaf_costs(tree, "impurity")
    below = [sum(costs[child] for child in children if child >= 0) for children in tree.children]
    decreases: Floats = costs - np.array(below)
    return decreases


def _gains(tree: Tree) -> Floats:
    """Return the impurity decrease of each split."""
    weights, inner = tree.weighted_n_node_samples, ~tree.is_leaf
    gains: Floats = _decreases(tree)[inner] * weights[0] / weights[inner]
    return gains


def _beyond(minimum: int, sizes: Iterable[Any]) -> Range:
    """Return the minimum and the values just beyond some sizes."""
    return _spread([minimum, *(math.floor(size) + 1 for size in sizes)])


def _upwards(values: Iterable[float]) -> Range:
    """Return 0 and the values, rounded up so that each removes the split that it belongs to."""
    return _spread([0.0, *(rounded(float(value), 4, math.ceil) for value in values)])


def _spread(values: list[Any]) -> Range:
    places = positions(values)
    return places if len(places) > 1 else LEAF
