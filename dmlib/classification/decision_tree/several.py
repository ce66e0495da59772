"""Trees of the same parameters from several choices of the rows, as cross-validation needs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.classification.decision_tree.settings import growth_rules
from dmlib.trees.frontier import Table
from dmlib.trees.growth import grow
from dmlib.trees.tree import Tree, build_all

if TYPE_CHECKING:
    from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier

TOGETHER = 2**16
"""Cells, rows times columns, of the trees that are grown together: with more, growing them one by
one is as fast."""


def grown_each(model: DecisionTreeClassifier, table: Table, weights: Floats) -> Iterator[Tree]:
    """Yield the tree that a classifier grows from each row of weights, shape (n_trees, n_samples), not pruned.

    Small trees are grown together, which is several times faster than one after the other.
    """
    rules = growth_rules(model.PARAMS, model.get_params(), table, weights[0])
    at_once = max(1, TOGETHER // table.X.size)
    if at_once == 1 or model.choices is not None or table.costs is not None or not rules.alike:
        yield from (model._grown(table, each) for each in weights)
        return
    for first in range(0, len(weights), at_once):
        some = weights[first : first + at_once]
        rngs = [check_random_state(model.random_state) for _ in some]
        yield from (
            model._grown(table, each, tree)
            for each, tree in zip(
                some, build_all(list(grow(table, some, rules, rngs))), strict=True
            )
        )


def predictions_each(
    model: DecisionTreeClassifier,
    X: Floats,
    y: NDArray[Any],
    parts: Sequence[tuple[NDArray[Any], NDArray[Any]]],
) -> Iterator[NDArray[Any]]:
    """Yield what the tree that each part's training rows give says of its test rows.

    A row that is drawn again weighs more. ``X`` has numbers without holes: what values there are is
    read once, from all rows.
    """
    columns, classes, table, _ = model._read(X, y, None)
    weights = np.array(
        [np.bincount(train, minlength=len(y)) for train, _ in parts], dtype=np.float64
    )
    for (_, test), each, tree in zip(
        parts, weights, grown_each(model, table, weights), strict=True
    ):
        yield model.fit_table(columns, classes, table, each, tree).predict(X[test])
