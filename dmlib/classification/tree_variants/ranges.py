"""Ranges of the parameters of the variants: values at which the tree changes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.evenly import positions
from dmlib.params import Range, rounded
from dmlib.trees.impurity import impurity

LEAF = "The tree is a single leaf."
JUMPS = (0, 3, 20)  # numbers of jumps whose trees are compared
SAME = "The network is the same at every usual level."
READABLE = 60  # terminal nodes
LEVELS = (1e-9, 1e-7, 1e-5, 1e-4, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
MIN_P = 1e-300  # the smallest p-value that can be chosen


def variant_ranges(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the gains, depths and p-values at which a tree changes, and which have no effect.

    Examples
    --------
    >>> from dmlib.classification import FuzzyTree
    >>> variant_ranges(FuzzyTree(width=0.0), [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    {'max_depth': (1, 1), 'min_gain': (0.0, 1.0)}
    """
    values = model.get_params()
    if "significance" in values:
        steps = list(clone(model).set_params(significance=1.0).steps(X, y))
        levels = [step for step in steps if step.phase == "level"]
        if not levels:
            return {"max_depth": LEAF, "significance": LEAF}
        places = [*(rounded(max(step.before, MIN_P), 3, math.ceil) for step in levels), 1.0]
        return {"significance": _spread([places[0] / 10, *places])}
    grown = {"min_gain": 0.0, **({"refit": "none"} if "refit" in values else {})}
    tree = clone(model).set_params(**grown).fit(X, y).tree_
    if tree.node_count < 2:
        return dict.fromkeys([name for name in LIMITS if name in values], LEAF)
    gains = [rounded(gain, 4, math.ceil) for gain in node_gains(tree, model.criterion)]
    ranges: dict[str, Range] = {
        "max_depth": (1, tree.max_depth),
        "min_gain": _spread([0.0, *gains]),
    }
    if values.get("search") == "coordinate_descent":
        trees = [
            clone(model).set_params(n_jumps=jumps).fit(X, y).tree_.thresholds.tolist()
            for jumps in JUMPS
        ]
        if trees[0] == trees[1] == trees[2]:
            ranges["n_jumps"] = "Random jumps find no better split on these data."
    return ranges


LIMITS = (
    "max_depth",
    "min_gain",
    "min_samples_leaf",
    "min_weight",
    "n_jumps",
    "width",
    "max_steps",
)


def network_ranges(model: Any, X: Any, y: ArrayLike) -> dict[str, Range]:
    """Return the numbers of layers, and the usual levels at which the network changes.

    Examples
    --------
    >>> from dmlib.classification import InfoFuzzyNetwork
    >>> network_ranges(InfoFuzzyNetwork(), [[0.0]] * 8 + [[1.0]] * 8, [0] * 8 + [1] * 8)
    {'max_depth': (1, 1), 'significance': (1e-09, 1e-05)}
    """
    networks: dict[bytes, float] = {}
    for level in LEVELS:
        tree = clone(model).set_params(significance=level).fit(X, y).tree_
        networks.setdefault(tree.counts.tobytes(), level)
        if tree.n_leaves > READABLE:  # more lenient levels only take longer
            break
    levels = positions(networks.values())
    is_changing: Range = levels if len(levels) > 1 else SAME
    return {"max_depth": (1, np.shape(X)[1]), "significance": is_changing}


def node_gains(tree: Any, criterion: str) -> list[float]:
    """Return the impurity decrease of the test of each inner node.

    Examples
    --------
    >>> from dmlib.classification import FuzzyTree
    >>> model = FuzzyTree(width=0.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> node_gains(model.tree_, "entropy")
    [1.0]
    """
    impurities, n = impurity(tree.counts.T, criterion), tree.weighted_n_node_samples
    gains = []
    for node in np.flatnonzero(~tree.is_leaf):
        after = sum(n[child] / n[node] * impurities[child] for child in tree.children[node])
        gains.append(float(impurities[node] - after))
    return gains


def _spread(values: list[float]) -> Range:
    places = positions(max(value, 0.0) for value in values)
    return places if len(places) > 1 else LEAF
