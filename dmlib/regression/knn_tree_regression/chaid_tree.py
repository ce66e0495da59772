"""CHAID for numbers: merged values, split while the means of their groups differ significantly."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import inf, log10
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.decision_tree.algorithm import tree_params
from dmlib.params import Param, Ranges
from dmlib.regression.knn_tree_regression.algorithm import _MixedTreeRegressor
from dmlib.regression.knn_tree_regression.merging import Column, Merging, best_merging
from dmlib.regression.knn_tree_regression.ranges import chaid_range
from dmlib.regression.knn_tree_regression.search import TOLERANCE, loss_of
from dmlib.regression.knn_tree_regression.tree import Node, TreeStep
from dmlib.trace import look
from dmlib.trees.rules import SLACK, Rules


class CHAIDRegressor(_MixedTreeRegressor):
    """Predict the mean of a leaf of the tree of CHAID, which is split by F tests.

    In each column the two groups of values whose means differ least significantly are merged, as
    long as their p-value is above ``alpha_merge``. The column with the smallest adjusted p-value of
    an analysis of variance splits the node into its groups, if that is at most ``alpha_split``.

    Parameters
    ----------
    alpha_merge : float, default=0.05
        Groups of values are merged if the p-value of their difference is larger.
    alpha_split : float, default=0.05
        A node is split if the smallest adjusted p-value of a column is no larger.
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_split : int, default=2
        A node with fewer rows is not split.
    min_samples_leaf : int, default=1
        Groups with fewer rows are merged.

    Attributes
    ----------
    tree_ : RegressionTree
        The tree as arrays, the nodes in preorder.
    n_leaves_ : int
        The number of leaves.
    fitted_ : ndarray of shape (n_samples,)
        The predictions for the training rows.
    sse_, r2_ : float
        Sum of squared residuals; 1 - SSE / SST, NaN if all targets are equal.
    feature_importances_ : ndarray of shape (n_features,)
        By how much the splits of each column reduce the error, scaled to sum to 1.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Notes
    -----
    O(p n) a level and O(p c^2) a node for n rows, p columns and the c values of a column. Numeric
    columns are first divided at their deciles, where only neighbours merge; a missing value is a
    category that may be in any group. P-values are Bonferroni-adjusted by the number of ways to
    merge. Merged groups are not divided again, and nothing is pruned. Of equal p-values the first
    column wins. A category that a node has not seen goes down all its branches, in parts.

    References
    ----------
    G. V. Kass (1980), An exploratory technique for investigating large quantities of categorical
    data. Applied Statistics 29, 119-127. J. N. Morgan and J. A. Sonquist (1963), Problems in the
    analysis of survey data, and a proposal. Journal of the American Statistical Association 58,
    415-434.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"sky": ["sun", "sun", "fog", "fog", "rain", "rain"]})
    >>> model = CHAIDRegressor().fit(table, [8.0, 9.0, 2.0, 1.0, 1.5, 2.5])
    >>> model.n_leaves_, model.predict(table[::2]).tolist()
    (2, [8.5, 1.75, 1.75])
    """

    RANGES: ClassVar[Ranges] = staticmethod(chaid_range)
    PARAMS: ClassVar[dict[str, Param]] = tree_params(
        "alpha_merge", "alpha_split", "max_depth", "min_samples_leaf"
    )

    def __init__(
        self,
        *,
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
    ) -> None:
        self.alpha_merge = alpha_merge
        self.alpha_split = alpha_split
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf

    def _steps(self, X: Floats, y: Floats, n_values: tuple[int, ...]) -> Iterator[TreeStep]:
        columns = [Column.of(x, n) for x, n in zip(X.T, n_values, strict=True)]
        rules = Rules(
            "chaid",
            alpha_merge=self.alpha_merge,
            min_samples_leaf=self.min_samples_leaf,
            statistic="F",
        )
        value, total = loss_of(y, "squared_error")
        root = Node(0, -1, 0, np.arange(len(y)), value, total)
        yield TreeStep("root", 0, (root,), None, total, total, total, n_leaves=1)
        n_nodes = n_leaves = 1
        waiting = deque([root])
        while waiting:
            look()
            node = waiting.popleft()
            if not self._divides(node, y):
                continue
            best = best_merging(columns, y, node.rows, rules)
            if best is None or best.merged.score < -log10(self.alpha_split) - SLACK:
                loss = node.loss
                yield TreeStep("stop", node.number, (), best, loss, loss, total, n_leaves)
                continue
            below = _children(best, node, X, y, n_nodes)
            n_nodes, n_leaves = n_nodes + len(below), n_leaves + len(below) - 1
            after = sum(child.loss for child in below)
            total = max(total + after - node.loss, 0.0)
            yield TreeStep("split", node.number, below, best, node.loss, after, total, n_leaves)
            waiting.extend(below)
        yield TreeStep("done", 0, (), None, total, total, total, n_leaves)

    def _divides(self, node: Node, y: Floats) -> bool:
        """Return whether a node may be split: it is large, not too deep, and its numbers vary."""
        deepest = inf if self.max_depth is None else self.max_depth
        rounding = (TOLERANCE * float(np.abs(y).max())) ** 2
        is_large = node.size >= max(self.min_samples_split, 2 * self.min_samples_leaf)
        return is_large and node.depth < deepest and node.loss > rounding * node.size


def _children(best: Merging, node: Node, X: Floats, y: Floats, n_nodes: int) -> tuple[Node, ...]:
    """Return a node for each group of values."""
    branches = best.test.branch(X[node.rows, best.column])
    below = []
    for branch in range(best.test.n_branches):
        rows = node.rows[branches == branch]
        value, loss = loss_of(y[rows], "squared_error")
        below.append(Node(n_nodes + branch, node.number, node.depth + 1, rows, value, loss))
    return tuple(below)
