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

DEVIATION = 0.05  # fraction of the root's standard deviation below which a node is not split
COLLINEAR = 1.5  # standardised coefficient above which a column depends on other columns
PENALTIES = {"standard_deviation": 1, "weka": 2}  # times a parameter is added to the rows
MAX_FACTOR = 10.0  # of the error where there are no more rows than parameters


class ModelTree(_TreeRegressor):
    r"""Predict with a line in each leaf of a tree: M5.

    The tree is grown by the standard deviation. Each node gets a line over the columns that are
    tested below it. From the bottom up a subtree becomes a leaf with this line where its error,
    times :math:`(n + v) / (n - v)` for :math:`v` parameters, is no larger. Then each leaf's line is
    smoothed with those of the nodes above it.

    Parameters
    ----------
    criterion : {"standard_deviation", "weka"}, default="standard_deviation"
        What a split reduces: the mean standard deviation or, as Weka does, the fifth root of the
        variance, with more than a fifth of the rows on either side.
    min_samples_split : int, default=4
        A node with fewer rows is not split.
    min_samples_leaf : int, default=2
        The minimum number of rows of a leaf; "weka" has a rule of its own.
    prune : bool, default=True
        Whether subtrees become leaves.
    smoothing : float, default=15.0
        The weight k of the line of the node above: :math:`(n p + k q) / (n + k)`. 0 for no
        smoothing.

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

    def _steps(self, X: Floats, y: Floats, n_values: tuple[int, ...]) -> Iterator[TreeStep]:
        min_variance = (DEVIATION * float(y.std())) ** 2

        def divide(part: Part) -> bool:
            n = len(part.rows)
            return n >= self.min_samples_split and part.loss >= min_variance * n

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
            before = total
            grown.models = lines
            total = float(((y - grown.predict(X)) ** 2).sum())
            n_leaves = len(grown.leaves())
            yield TreeStep("smooth", 0, (), None, before, total, total, n_leaves, models=lines)
        yield TreeStep("done", 0, (), None, total, total, total, len(grown.leaves()), models=lines)

    def _models(self, grown: Grown, X: Floats, y: Floats) -> list[Floats]:
        """Return a line for each node, over the columns that are tested below it."""
        tested: dict[int, set[int]] = {}
        models: list[Floats] = [np.empty(0)] * len(grown.nodes)
        for number in reversed(grown.preorder()):
            look()
            tested[number] = set().union(*(tested[i] for i in grown.children.get(number, ())))
            if number in grown.splits:
                tested[number].add(grown.splits[number].column)
            rows = grown.nodes[number].rows
            models[number] = fitted_line(X[rows], y[rows], sorted(tested[number]))
        return models

    def _pruning(
        self, grown: Grown, models: list[Floats], X: Floats, y: Floats
    ) -> Iterator[TreeStep]:
        """Yield each inner node from the bottom up: its subtree stays, or it becomes a leaf."""
        penalty = PENALTIES[self.criterion]
        tree = grown.tree()
        lines = np.array([models[i] for i in tree.numbers])[tree.apply(X)]
        errors = (y - (lines * np.column_stack([np.ones(len(X)), X])).sum(axis=1)) ** 2
        n_leaves = len(grown.leaves())
        parameters: dict[int, int] = {}
        for number in reversed(grown.preorder()):
            look()
            rows, line = grown.nodes[number].rows, models[number]
            parameters[number] = int((line[1:] != 0).sum()) + 1
            if number not in grown.children:
                continue
            n = len(rows)
            below = sum(parameters[child] for child in grown.children[number]) + 1
            residuals = (y[rows] - line[0] - X[rows] @ line[1:]) ** 2
            subtree = float(np.sqrt(errors[rows].mean())) * factor(n, below, penalty)
            leaf = float(np.sqrt(residuals.mean())) * factor(n, parameters[number], penalty)
            prune = leaf <= subtree or leaf < 1e-5 * float(y.std())
            if prune:
                n_leaves -= len(grown.leaves(number)) - 1
                grown.cut(number)
                errors[rows] = residuals
            else:
                parameters[number] = below
            yield TreeStep(
                phase="prune" if prune else "keep",
                node=number,
                nodes=(),
                split=None,
                before=subtree,
                after=leaf,
                total=float(errors.sum()),
                n_leaves=n_leaves,
                models=tuple(models),
            )

    def _smoothed(self, grown: Grown, models: list[Floats]) -> list[Floats]:
        """Return the lines, those of leaves smoothed with those above them."""
        smoothed = list(models)
        k = self.smoothing
        for leaf in grown.leaves():
            look()
            line, node = models[leaf], grown.nodes[leaf]
            while node.parent >= 0:
                n = len(node.rows)
                line = (n * line + k * models[node.parent]) / (n + k)
                node = grown.nodes[node.parent]
            smoothed[leaf] = line
        return smoothed


def factor(n: int, parameters: int, penalty: int = 1) -> float:
    """Return the factor that corrects the error on the training rows for the parameters.

    Examples
    --------
    >>> factor(10, 2), factor(10, 2, penalty=2), factor(2, 2)
    (1.5, 1.75, 10.0)
    """
    return MAX_FACTOR if n <= parameters else (n + penalty * parameters) / (n - parameters)


def fitted_line(X: Floats, y: Floats, columns: list[int]) -> Floats:
    """Return the coefficients of least squares with selected columns, the constant term first.

    Columns that depend on others leave first, by their standardised coefficients; then those with
    the smallest ones, as long as Akaike's criterion falls.

    Examples
    --------
    >>> X, y = np.array([[0.0, 5.0], [1.0, 3.0], [2.0, 5.0]]), np.array([1.0, 3.0, 5.0])
    >>> fitted_line(X, y, [0]).round(6).tolist()
    [1.0, 2.0, 0.0]
    """
    line = np.zeros(X.shape[1] + 1)
    selected, slopes = _selected_columns(X, y, columns)
    for j, slope in zip(selected, slopes, strict=True):
        line[j + 1] = slope
    line[0] = float(centred(y)[0] - centred(X)[0] @ line[1:])
    return line


def _selected_columns(X: Floats, y: Floats, columns: list[int]) -> tuple[list[int], Floats]:
    spread = standard_deviations(X)
    height = float(standard_deviations(y))
    selected = [j for j in columns if spread[j] > 0 and height > 0]
    slopes, sse = _least_squares(X[:, selected], y)
    while selected and (sizes := np.abs(slopes * spread[selected] / height)).max() > COLLINEAR:
        look()
        del selected[int(sizes.argmax())]
        slopes, sse = _least_squares(X[:, selected], y)
    full_sse = sse
    df = len(y) - len(selected) - 1
    score = float(df + 2 * (len(selected) + 1))
    while selected and full_sse > 0:
        look()
        smallest = int(np.abs(slopes * spread[selected]).argmin())
        remaining = selected[:smallest] + selected[smallest + 1 :]
        new_slopes, sse = _least_squares(X[:, remaining], y)
        new_score = sse / full_sse * df + 2 * (len(remaining) + 1)
        if new_score >= score:
            break
        selected, slopes, score = remaining, new_slopes, new_score
    return selected, slopes


def _least_squares(X: Floats, y: Floats) -> tuple[Floats, float]:
    """Return slopes and the sum of squared residuals."""
    Z = deviations(X)
    t = deviations(y)
    slopes = np.asarray(np.linalg.lstsq(Z, t, rcond=1e-10)[0], float) if X.shape[1] else np.empty(0)
    residuals = t - Z @ slopes
    return slopes, float(residuals @ residuals)
