"""What many trees say of the same rows: trees of few rows are asked together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trace import look
from dmlib.trees.tree import Tree

TOGETHER = 2**15
"""Rows times trees that are asked at a time: more would not fit into the fast memory of a
processor."""


def predict_each(trees: Sequence[Tree], columns: Sequence[Ints], X: Floats) -> Iterator[Floats]:
    """Yield the share of each class that each tree gives each row, shape (n_samples, n_classes).

    Parameters
    ----------
    trees : sequence of Tree
        All with the same classes.
    columns : sequence of ndarray
        The columns of ``X`` that each tree was given.
    X : ndarray of shape (n_samples, n_features)
        The rows.

    Notes
    -----
    All rows go down all trees at once, level by level, where splits compare a number with one
    threshold and no value is missing: O(depth) calls of numpy for many trees instead of for one.
    """
    return _each(trees, columns, X, lambda tree: tree.value[:, 0], Tree.predict)


def classify_each(trees: Sequence[Tree], X: Floats) -> Iterator[Ints]:
    """Yield the class that each tree says for each row, shape (n_samples,), as `predict_each` does."""
    every = np.arange(X.shape[1])
    return _each(trees, [every] * len(trees), X, lambda tree: tree.answers, Tree.classify)


def _each(
    trees: Sequence[Tree],
    columns: Sequence[Ints],
    X: Floats,
    by_node: Callable[[Tree], NDArray[Any]],
    alone: Callable[[Tree, Floats], NDArray[Any]],
) -> Iterator[NDArray[Any]]:
    """Yield what each tree says of the rows, from what its nodes say, or of a tree ``alone`` if it must be so."""
    alike = all(tree.two_ways for tree in trees) and not np.isnan(X).any()
    most = TOGETHER // max(len(X), 1) if alike else 0
    if most <= 1:
        for tree, given in zip(trees, columns, strict=True):
            look()
            yield alone(tree, X if len(given) == X.shape[1] else X[:, given])
        return
    for start in range(0, len(trees), most):
        look()
        some = slice(start, start + most)
        at = _leaves_together(trees[some], columns[some], X)
        yield from np.concatenate([by_node(tree) for tree in trees[some]])[at]


def _leaves_together(trees: Sequence[Tree], columns: Sequence[Ints], X: Floats) -> Ints:
    """Return the leaf of each row in each tree, shape (n_trees, n_samples), the nodes of all numbered on."""
    roots = np.cumsum([0, *(tree.node_count for tree in trees)])[:-1]
    inner = np.concatenate([~tree.is_leaf for tree in trees])
    feature = np.concatenate(
        [given[np.maximum(tree.feature, 0)] for tree, given in zip(trees, columns, strict=True)]
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
