"""Predictions of many trees for the same rows, by several trees at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trace import look
from dmlib.trees.tree import Tree

MAX_CELLS = 2**15
"""Rows times trees that are predicted at a time: more would not fit into the cache."""


def predict_each(trees: Sequence[Tree], columns: Sequence[Ints], X: Floats) -> Iterator[Floats]:
    """Yield the class frequencies by each tree, shape (n_samples, n_classes).

    Parameters
    ----------
    trees : sequence of Tree
        All with the same classes.
    columns : sequence of ndarray
        The columns of ``X`` that each tree was trained on.
    X : ndarray of shape (n_samples, n_features)
        The rows.

    Notes
    -----
    All rows go down all trees at once, level by level, where splits compare a number with one
    threshold and no value is missing: O(depth) calls of numpy for many trees instead of for one.
    """
    return _each(trees, columns, X, lambda tree: tree.value[:, 0], Tree.predict)


def classify_each(trees: Sequence[Tree], X: Floats) -> Iterator[Ints]:
    """Yield the predicted classes by each tree, shape (n_samples,), as `predict_each` does."""
    all_columns = np.arange(X.shape[1])
    return _each(trees, [all_columns] * len(trees), X, lambda tree: tree.predictions, Tree.classify)


def _each(
    trees: Sequence[Tree],
    columns: Sequence[Ints],
    X: Floats,
    by_node: Callable[[Tree], NDArray[Any]],
    predict_one: Callable[[Tree, Floats], NDArray[Any]],
) -> Iterator[NDArray[Any]]:
    """Yield the predictions of each tree: those of its nodes, or by ``predict_one``.

    Trees with other splits than at one threshold, and rows with missing values, need the latter.
    """
    alike = all(tree.two_ways for tree in trees) and not np.isnan(X).any()
    batch_size = MAX_CELLS // max(len(X), 1) if alike else 0
    if batch_size <= 1:
        for tree, tree_columns in zip(trees, columns, strict=True):
            look()
            yield predict_one(tree, X if len(tree_columns) == X.shape[1] else X[:, tree_columns])
        return
    for start in range(0, len(trees), batch_size):
        look()
        batch = slice(start, start + batch_size)
        at = _leaves_together(trees[batch], columns[batch], X)
        yield from np.concatenate([by_node(tree) for tree in trees[batch]])[at]


def _leaves_together(trees: Sequence[Tree], columns: Sequence[Ints], X: Floats) -> Ints:
    """Return the leaf of each row in each tree, shape (n_trees, n_samples).

    The nodes of all trees are numbered consecutively.
    """
    roots = np.cumsum([0, *(tree.node_count for tree in trees)])[:-1]
    inner = np.concatenate([~tree.is_leaf for tree in trees])
    feature = np.concatenate(
        [
            tree_columns[np.maximum(tree.feature, 0)]
            for tree, tree_columns in zip(trees, columns, strict=True)
        ]
    )
    threshold = np.concatenate([tree.splits.thresholds[:, 0] for tree in trees])
    children = np.concatenate(
        [root + tree.children for root, tree in zip(roots, trees, strict=True)]
    ).ravel()
    at, values = np.repeat(roots, len(X)), X.ravel()
    going = np.flatnonzero(inner[at])
    while len(going):
        nodes = at[going]
        above = values[going % len(X) * X.shape[1] + feature[nodes]] > threshold[nodes]
        at[going] = nodes = children[2 * nodes + above]
        going = going[inner[nodes]]
    return at.reshape(len(trees), len(X))
