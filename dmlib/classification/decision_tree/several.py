"""Trees of the same parameters from several choices of the rows, as cross-validation needs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sklearn.utils import check_random_state

from dmlib.trees.frontier import Table
from dmlib.trees.growth import grow
from dmlib.trees.splits import Floats
from dmlib.trees.tree import Tree, build_all

if TYPE_CHECKING:
    from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier

TOGETHER = 2**15
"""Rows of the trees that are grown together: more would not fit into the fast memory of a processor."""


def grown_each(model: DecisionTreeClassifier, table: Table, weights: Floats) -> Iterator[Tree]:
    """Yield the tree that a classifier grows from each row of weights, shape (n_trees, n_samples), not pruned.

    Small trees are grown together, which is several times faster than one after the other.
    """
    rules = model._rules(table, weights[0])
    at_once = max(1, TOGETHER // weights.shape[1])
    if at_once == 1 or model.choices is not None or table.costs is not None or not rules.alike:
        yield from (model._grown(table, each) for each in weights)
        return
    for first in range(0, len(weights), at_once):
        some = weights[first : first + at_once]
        rngs = [check_random_state(model.random_state) for _ in some]
        yield from (
            model._grown(table, each, tree)
            for each, tree in zip(some, build_all(list(grow(table, some, rules, rngs))), strict=True)
        )
