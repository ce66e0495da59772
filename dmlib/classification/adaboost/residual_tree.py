"""A tree of residuals, with a value in each leaf, grown by the tree core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.trees.frontier import Table, sums
from dmlib.trees.growth import grow
from dmlib.trees.presorted import Presorted
from dmlib.trees.rules import Rules
from dmlib.trees.tree import Tree, build

NOTHING = 1e-150
"""A sum of curvatures so small is 0: its leaf has the value 0."""


@dataclass(frozen=True)
class ResidualTree:
    """A tree that predicts a number: the value of a row's leaf, of several by its parts.

    Attributes
    ----------
    tree : Tree
        Its splits.
    values : ndarray of shape (node_count,)
        The value of each leaf.
    means : ndarray of shape (node_count,)
        The mean of the residuals in each node.
    sums, curvatures : ndarray of shape (node_count,)
        In each leaf, the sum of the residuals, and that of the second derivatives of the loss.
    scale : float
        The variance of the residuals for an impurity of 1.
    """

    tree: Tree
    values: Floats
    means: Floats
    sums: Floats
    curvatures: Floats
    scale: float

    def predict(self, matrix: Floats) -> Floats:
        """Return the value for each row of a matrix, shape (n_samples,)."""
        rows, nodes, parts = self.tree.leaves(matrix)
        return sums(rows, parts * self.values[nodes], len(matrix))


def residual_rows(table: Table, max_depth: float) -> Presorted | Table:
    """Return the rows as trees of residuals are grown from them: sorted once, or each of them twice.

    In the table that has each row twice, it has the label 1, and again the label 0. The weights of
    the two then say how large a number of the row is, see :func:`residual_tree`.
    """
    labels = np.repeat([1, 0], len(table.X))
    return Presorted.of(table, max_depth) or Table(
        np.vstack([table.X, table.X]), labels, 2, table.n_values
    )


def residual_tree(
    table: Presorted | Table,
    residuals: Floats,
    curvatures: Floats,
    weights: Floats,
    rules: Rules,
    shrink: float,
) -> tuple[ResidualTree, Floats]:
    r"""Grow a tree whose splits reduce the squared error of the residuals most.

    With p the residual scaled to [0, 1], a row counts p for label 1 and 1 - p for label 0. The Gini
    impurity of a node, times its weight, is then :math:`2 n \bar p (1 - \bar p)`, and a split
    reduces it by
    :math:`2 (\sum_b n_b \bar p_b^2 - n \bar p^2)`: twice as much as the squared error of p. So the classification
    tree of these labels is the regression tree, with nominal columns and missing values.

    Parameters
    ----------
    table : Presorted or Table
        What :func:`residual_rows` returns.
    residuals, curvatures, weights : ndarray of shape (n_samples,)
        What is predicted, the second derivatives of the loss, and what the rows weigh.
    rules : Rules
        How deep the tree may be, with the criterion "gini".
    shrink : float
        What the values of the leaves, a Newton step, are multiplied by before the learning rate.

    Returns
    -------
    tree : ResidualTree
        The tree.
    fitted : ndarray of shape (n_samples,)
        What it predicts for the rows.

    Examples
    --------
    >>> table = residual_rows(Table(np.array([[0.0], [1.0], [2.0]]), np.zeros(3, int), 1, (0,)), 1)
    >>> residuals, curvatures = np.array([-0.5, -0.5, 0.5]), np.full(3, 0.25)
    >>> tree, fitted = residual_tree(table, residuals, curvatures, np.ones(3), Rules(max_depth=1), 1.0)
    >>> tree.tree.threshold[0], fitted.tolist()
    (np.float64(1.5), [-2.0, -2.0, 2.0])
    """
    some = residuals[weights > 0]
    low, span = some.min(), float(np.ptp(some))
    p = np.clip((residuals - low) / span, 0.0, 1.0) if span > 0 else np.ones(len(residuals))
    shares = np.array([weights * (1 - p), weights * p])
    if isinstance(table, Presorted):
        tree, nodes = table.grow(shares, rules.max_depth)
        rows, parts = np.arange(len(p)), np.ones(len(p))
    else:
        tree = build(list(grow(table, shares[::-1].ravel(), rules)))
        rows, nodes, parts = tree.leaves(table.X[: len(p)])
    total, curvature = (
        sums(nodes, parts * (weights * each)[rows], tree.node_count)
        for each in (residuals, curvatures)
    )
    usable = np.abs(curvature) > NOTHING
    values = shrink * np.where(usable, total / np.where(usable, curvature, 1.0), 0.0)
    means = cast(Floats, low + span * tree.value[:, 0, -1])
    fitted = sums(rows, parts * values[nodes], len(p))
    return ResidualTree(tree, values, means, total, curvature, span**2 / 2), fitted
