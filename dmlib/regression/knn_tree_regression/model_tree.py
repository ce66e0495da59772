"""M5: a tree with a line in each leaf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges
from dmlib.regression.knn_tree_regression.algorithm import _TreeRegressor
from dmlib.regression.knn_tree_regression.growth import Growth, Part
from dmlib.regression.knn_tree_regression.ranges import tree_range
from dmlib.regression.knn_tree_regression.tree import Grown, TreeStep
from dmlib.squares import centred, deviations, standard_deviations
from dmlib.trace import look

DEVIATION = 0.05  # share of the root's standard deviation below which a node is not split
COLLINEAR = 1.5  # standardised coefficients that are larger come of columns that say the same
PENALTIES = {
    "standard_deviation": 1,
    "weka": 2,
}  # how often a parameter is added to the rows in pruning
TOO_MANY = 10.0  # the factor of the error where there are no more rows than parameters


class ModelTree(_TreeRegressor):
    r"""Predict with a line in each leaf of a tree: M5.

    The tree is grown by the standard deviation. Each node gets a line over the columns that are
    tested below it. From the bottom up a subtree becomes a leaf with this line where its error,
    times :math:`(n + v) / (n - v)` for
    :math:`v` parameters, is no larger. Then each leaf's line is mixed with those of the nodes above it.

    Parameters
    ----------
    criterion : {"standard_deviation", "weka"}, default="standard_deviation"
        What a split reduces: the mean standard deviation or, as Weka does, the fifth root of the
        variance, with more than a fifth of the rows on either side.
    min_samples_split : int, default=4
        A node with fewer rows is not split.
    min_samples_leaf : int, default=2
        How many rows a leaf has at least; "weka" has a rule of its own.
    prune : bool, default=True
        Whether subtrees become leaves.
    smoothing : float, default=15.0
        How many rows the line of the node above counts for: :math:`(n p + k q) / (n + k)`. 0 for
        none.

    Attributes
    ----------
    tree_ : RegressionTree
        The tree as arrays, the nodes in preorder.
    lines_ : ndarray of shape (node_count, n_features + 1)
        The coefficients of each node of ``tree_``, the constant term first; those of leaves are
        smoothed.
    n_leaves_ : int
        The number of leaves.
    fitted_ : ndarray of shape (n_samples,)
        The predictions for the training rows.
    sse_, r2_ : float
        Sum of squared residuals; 1 - SSE / SST, NaN if all targets are equal.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(p n log n) for each level, and a least squares of O(n p²) for each node and column left out. A
    column leaves a line if Akaike's criterion falls; a leaf that was never split has no column, and
    is constant.

    With "weka" the tree is that of Weka's M5P, pruned and smoothed: it prunes by :math:`(n + 2v) /
    (n - v)`, and counts with running sums, whose rounding decides between columns where one side of
    a cut has equal targets.

    References
    ----------
    J. R. Quinlan (1992), Learning with continuous classes. Proc. 5th Australian Joint Conference on
    AI, 343-348. Y. Wang and I. H. Witten (1997), Inducing model trees for continuous classes (M5',
    Weka's M5P).

    Examples
    --------
    >>> x = np.arange(20.0)
    >>> model = ModelTree(smoothing=0.0).fit(x[:, None], np.where(x < 10, x, 100 - x))
    >>> model.n_leaves_, model.predict([[4.0], [15.0]]).round(6).tolist()
    (2, [4.0, 85.0])
    """

    RANGES: ClassVar[Ranges] = staticmethod(tree_range)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("standard_deviation", "weka")),
        "smoothing": Number(0.0, 1e6, shown=(0.0, 50.0), step=1.0),
        "prune": Flag(),
        "min_samples_leaf": Integer(1, 1_000_000, shown=(1, 50)),
    }

    def __init__(
        self,
        *,
        criterion: str = "standard_deviation",
        min_samples_split: int = 4,
        min_samples_leaf: int = 2,
        prune: bool = True,
        smoothing: float = 15.0,
    ) -> None:
        self.criterion = criterion
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.prune = prune
        self.smoothing = smoothing

    @property
    def lines_(self) -> Floats:
        """The coefficients of each node of ``tree_``."""
        return np.array([self._grown.models[number] for number in self.tree_.numbers])

    def _steps(self, X: Floats, y: Floats) -> Iterator[TreeStep]:
        enough = (DEVIATION * float(y.std())) ** 2

        def divide(part: Part) -> bool:
            return len(part.rows) >= self.min_samples_split and part.loss >= enough * len(part.rows)

        grown = Grown()
        for step in Growth(X, y, self.criterion, divide, self.min_samples_leaf).steps():
            grown.add(step)
            yield step
        models = self._models(grown, X, y)
        grown.models = tuple(models)
        total = float(((y - grown.predict(X)) ** 2).sum())
        if self.prune:
            for step in self._pruning(grown, models, X, y):
                total = step.total
                yield step
        lines = tuple(models)
        if self.smoothing > 0 and grown.children:
            lines = tuple(self._smoothed(grown, models))
            before, grown.models = total, lines
            total = float(((y - grown.predict(X)) ** 2).sum())
            yield TreeStep(
                "smooth", 0, (), None, before, total, total, len(grown.leaves()), models=lines
            )
        yield TreeStep("done", 0, (), None, total, total, total, len(grown.leaves()), models=lines)

    def _models(self, grown: Grown, X: Floats, y: Floats) -> list[Floats]:
        """Return a line for each node, over the columns that are tested below it."""
        tested: dict[int, set[int]] = {}
        models: list[Floats] = [np.empty(0)] * len(grown.nodes)
        for number in reversed(grown.preorder()):
            look()
            below: set[int] = set().union(
                *(tested[child] for child in grown.children.get(number, ()))
            )
            tested[number] = below | (
                {grown.splits[number].column} if number in grown.splits else set()
            )
            rows = grown.nodes[number].rows
            models[number] = fitted_line(X[rows], y[rows], sorted(tested[number]))
        return models

    def _pruning(
        self, grown: Grown, models: list[Floats], X: Floats, y: Floats
    ) -> Iterator[TreeStep]:
        """Yield each inner node from the bottom up: kept, or made a leaf."""
        parameters, errors = {}, np.array([])
        tree = grown.tree()
        own = np.array([models[i] for i in tree.numbers])[tree.apply(X)] * np.column_stack(
            [np.ones(len(X)), X]
        )
        errors = (y - own.sum(axis=1)) ** 2
        n_leaves = len(grown.leaves())
        for number in reversed(grown.preorder()):
            look()
            rows, line = grown.nodes[number].rows, models[number]
            alone = int((line[1:] != 0).sum()) + 1
            if number not in grown.children:
                parameters[number] = alone
                continue
            left, right = grown.children[number]
            n, below = len(rows), parameters[left] + parameters[right] + 1
            residuals = (y[rows] - line[0] - X[rows] @ line[1:]) ** 2
            subtree = float(np.sqrt(errors[rows].mean())) * factor(
                n, below, PENALTIES[self.criterion]
            )
            leaf = float(np.sqrt(residuals.mean())) * factor(n, alone, PENALTIES[self.criterion])
            better = leaf <= subtree or leaf < 1e-5 * float(y.std())
            if better:
                n_leaves -= len(grown.leaves(number)) - 1
                grown.cut(number)
                errors[rows] = residuals
            parameters[number] = alone if better else below
            phase = "prune" if better else "keep"
            lines = tuple(models)
            yield TreeStep(
                phase, number, (), None, subtree, leaf, float(errors.sum()), n_leaves, models=lines
            )

    def _smoothed(self, grown: Grown, models: list[Floats]) -> list[Floats]:
        """Return the lines in which those of leaves are mixed with those above them."""
        mixed, k = list(models), self.smoothing
        for leaf in grown.leaves():
            look()
            line, node = models[leaf], grown.nodes[leaf]
            while node.parent >= 0:
                n = len(node.rows)
                line = (n * line + k * models[node.parent]) / (n + k)
                node = grown.nodes[node.parent]
            mixed[leaf] = line
        return mixed


def factor(n: int, parameters: int, penalty: int = 1) -> float:
    """Return by how much the error on the training rows is too small.

    Examples
    --------
    >>> factor(10, 2), factor(10, 2, penalty=2), factor(2, 2)
    (1.5, 1.75, 10.0)
    """
    return TOO_MANY if n <= parameters else (n + penalty * parameters) / (n - parameters)


def fitted_line(X: Floats, y: Floats, columns: list[int]) -> Floats:
    """Return the coefficients of least squares, the constant term first, 0 for columns that do not pay.

    Columns whose standardised coefficient shows that others say the same go first; then the one
    with the smallest, as long as Akaike's criterion falls.

    Examples
    --------
    >>> fitted_line(np.array([[0.0, 5.0], [1.0, 3.0], [2.0, 5.0]]), np.array([1.0, 3.0, 5.0]), [0]).round(6).tolist()
    [1.0, 2.0, 0.0]
    """
    line = np.zeros(X.shape[1] + 1)
    spread, height = standard_deviations(X), float(standard_deviations(y))
    chosen = [j for j in columns if spread[j] > 0] if height > 0 else []
    slopes, sse = _least_squares(X[:, chosen], y)
    while chosen and (sizes := np.abs(slopes * spread[chosen] / height)).max() > COLLINEAR:
        look()
        chosen = [j for i, j in enumerate(chosen) if i != sizes.argmax()]
        slopes, sse = _least_squares(X[:, chosen], y)
    whole, degrees = sse, len(y) - len(chosen) - 1
    score = float(degrees + 2 * (len(chosen) + 1))
    while chosen and whole > 0:
        look()
        i = int(np.abs(slopes * spread[chosen]).argmin())
        fewer = [j for j in chosen if j != chosen[i]]
        their_slopes, their_sse = _least_squares(X[:, fewer], y)
        theirs = their_sse / whole * degrees + 2 * (len(fewer) + 1)
        if theirs >= score:
            break
        chosen, slopes, score = fewer, their_slopes, theirs
    for j, slope in zip(chosen, slopes, strict=True):
        line[j + 1] = slope
    line[0] = float(centred(y)[0] - centred(X)[0] @ line[1:])
    return line


def _least_squares(X: Floats, y: Floats) -> tuple[Floats, float]:
    """Return slopes and the sum of squared residuals."""
    Z, t = deviations(X), deviations(y)
    slopes = np.asarray(np.linalg.lstsq(Z, t, rcond=1e-10)[0], float) if X.shape[1] else np.empty(0)
    rest = t - Z @ slopes
    return slopes, float(rest @ rest)
