"""A tree of residuals, with a value in each leaf."""

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

NO_CURVATURE = 1e-150
"""Sums of curvatures up to this are 0: their leaf has the value 0."""


@dataclass(frozen=True)
class ResidualTree:
    """A tree that predicts the value of a row's leaf, of several their weighted sum.

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
    """Return the rows for trees of residuals: sorted once, or each of them twice.

    The second form has each row with the label 1 and with the label 0, whose weights represent its
    residual, see :func:`residual_tree`.
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
    r"""Grow a tree by the squared error of the residuals.

    With p the residual scaled to [0, 1], a row counts p for label 1 and 1 - p for label 0. The Gini
    impurity of a node, times its weight, is then :math:`2 n \bar p (1 - \bar p)`, and a split
    reduces it by :math:`2 (\sum_b n_b \bar p_b^2 - n \bar p^2)`: twice as much as the squared error
    of p. So the classification tree of these labels is the regression tree, with nominal columns
    and missing values.

    Parameters
    ----------
    table : Presorted or Table
        The result of :func:`residual_rows`.
    residuals, curvatures, weights : ndarray of shape (n_samples,)
        The targets, the second derivatives of the loss, and the weights of the rows.
    rules : Rules
        The maximum depth, with the criterion "gini".
    shrink : float
        The factor of the values of the leaves, a Newton step, before the learning rate.

    Returns
    -------
    tree : ResidualTree
        The tree.
    fitted : ndarray of shape (n_samples,)
        Its predictions for the rows.

    Examples
    --------
    >>> table = residual_rows(Table(np.array([[0.0], [1.0], [2.0]]), np.zeros(3, int), 1, (0,)), 1)
    >>> residuals, curvatures = np.array([-0.5, -0.5, 0.5]), np.full(3, 0.25)
    >>> rules = Rules(max_depth=1)
    >>> tree, fitted = residual_tree(table, residuals, curvatures, np.ones(3), rules, 1.0)
    >>> tree.tree.threshold[0], fitted.tolist()
    (np.float64(1.5), [-2.0, -2.0, 2.0])
    """
    weighted = residuals[weights > 0]
    low, span = weighted.min(), float(np.ptp(weighted))
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
    usable = np.abs(curvature) > NO_CURVATURE
    values = shrink * np.where(usable, total / np.where(usable, curvature, 1.0), 0.0)
    means = cast(Floats, low + span * tree.value[:, 0, -1])
    fitted = sums(rows, parts * values[nodes], len(p))
    return ResidualTree(tree, values, means, total, curvature, span**2 / 2), fitted
