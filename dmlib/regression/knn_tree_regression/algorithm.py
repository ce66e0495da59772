"""Regression trees: the mean or median of the leaf into which a row falls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import _check_y, check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, new_rows
from dmlib.classification.decision_tree.settings import n_features
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params
from dmlib.regression.knn_tree_regression.growth import Growth, Part
from dmlib.regression.knn_tree_regression.ranges import tree_range
from dmlib.regression.knn_tree_regression.tree import Grown, RegressionTree, TreeStep
from dmlib.regression.targets import numeric_target
from dmlib.squares import check_largest, r_squared
from dmlib.trace import look
from dmlib.trees.cost_complexity import Link, weakest_links
from dmlib.trees.rules import SLACK

# It has no control: its effect is nearly that of min_samples_leaf.
UNSHOWN: Mapping[str, Param] = {"min_samples_split": Integer(2, 1_000_000)}


class _TreeRegressor(RegressorMixin, BaseEstimator):
    """Base class of regression trees and model trees."""

    PARAMS: ClassVar[dict[str, Param]] = {}

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Grow a tree on the rows of ``X`` and their numbers ``y``."""
        return self.fit_from(self.steps(X, y), X, y)

    def fit_from(self, steps: Iterable[TreeStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become what the steps say."""
        rows, target = self._adopt(X, y)
        self._grown = Grown()
        for step in steps:
            self._grown.add(step)
        self.tree_ = self._grown.tree()
        self.fitted_ = self._grown.predict(rows, self.tree_)
        self.sse_ = float(((target - self.fitted_) ** 2).sum())
        self.r2_ = r_squared(target, self.sse_)
        self.n_leaves_ = int(self.tree_.is_leaf.sum())
        return self

    @property
    def grown(self) -> Grown:
        """The nodes with their training rows, in the order in which they were made."""
        check_is_fitted(self)
        return self._grown

    def predict(self, X: ArrayLike) -> Floats:
        """Return the predicted numbers of rows, shape (n_samples,)."""
        rows = self._matrix(X)
        return self._grown.predict(rows, self.tree_)

    def apply(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the leaf of each row, as a node of ``tree_``; of several that with most of it."""
        rows = self._matrix(X)
        return self.tree_.apply(rows)

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.n_leaves_

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[TreeStep]:
        """Yield the root, each split, and what pruning does."""
        check_params({**self.PARAMS, **UNSHOWN}, self.get_params(deep=False))
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        yield from self._steps(*self._read(X, y))

    def _steps(self, X: Floats, y: Floats, n_values: tuple[int, ...]) -> Iterator[TreeStep]:
        raise NotImplementedError

    def _read(self, X: ArrayLike, y: Any) -> tuple[Floats, Floats, tuple[int, ...]]:
        """Return the rows, their numbers, and how many categories each nominal column has."""
        rows, target = check_X_y(X, numeric_target(y), dtype=np.float64, y_numeric=True)
        check_largest(rows, target)
        return rows, np.asarray(target, float), ()

    def _adopt(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Learn the columns, and return the training rows and their numbers."""
        rows, target = validate_data(self, X, numeric_target(y), dtype=np.float64, y_numeric=True)
        return rows, target

    def _matrix(self, X: ArrayLike) -> Floats:
        """Return the matrix of new rows."""
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        return rows


class _MixedTreeRegressor(_TreeRegressor):
    """Base class of trees whose columns may be nominal, or have missing values."""

    @property
    def feature_importances_(self) -> Floats:
        """The error decrease by the splits of each column, scaled to sum to 1."""
        check_is_fitted(self)
        tree = self.tree_
        saved = np.zeros(self.n_features_in_)
        weights = tree.n_node_samples * tree.impurity
        for node in np.flatnonzero(~tree.is_leaf):
            children = tree.children[node]
            below = weights[children[children >= 0]].sum()
            saved[tree.feature[node]] += weights[node] - below
        return cast(Floats, saved / saved.sum()) if saved.sum() > 0 else saved

    def _read(self, X: Any, y: Any) -> tuple[Floats, Floats, tuple[int, ...]]:
        columns, matrix, target = read_rows(self, X, y)
        n_values = (0 if names is None else len(names) for names in columns.categories)
        return matrix, target, tuple(n_values)

    def _adopt(self, X: Any, y: ArrayLike) -> tuple[Floats, Floats]:
        check_columns(self, X, y)
        self._columns, matrix, target = read_rows(self, X, y)
        return matrix, target

    def _matrix(self, X: Any) -> Floats:
        check_is_fitted(self)
        return new_rows(self, self._columns, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


class DecisionTreeRegressor(_MixedTreeRegressor):
    r"""Predict the mean of the rows in a leaf of a binary tree.

    A node is cut in two where the sum of errors falls most: a numeric column at a threshold, a
    nominal one in the order of the means of its categories. Splits are made in the order of how
    much they save, so that a limit on the leaves keeps the best ones.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        The error: squared, with the mean in each leaf, or absolute, with the median.
    max_depth : int, default=None
        How many splits there may be from the root to a leaf; None for no limit.
    min_samples_split : int, default=2
        A node with fewer rows is not split.
    min_samples_leaf : int, default=1
        How many rows a leaf has at least.
    max_leaf_nodes : int, default=None
        How many leaves there may be; None for no limit.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many of the columns that vary in a node are drawn for its split: a number, a fraction of
        all columns, or all.
    random_state : int, RandomState or None, default=None
        The seed of these draws.
    ccp_alpha : float, default=0.0
        The price of a leaf, in mean error: of all pruned trees the one with the least error + price
        · leaves is taken.

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

    Raises
    ------
    ValueError
        If a value is infinite or too large to be squared, or a number to predict is missing.

    Notes
    -----
    O(p n log n) for each level. Of equally good splits that of the first column is taken, then the
    lowest threshold. rpart prices a leaf as a share of the error of the root: its cp is
    ``ccp_alpha`` divided by the root's mean error.

    Columns of a data frame with texts, categories or Booleans are nominal. Of all divisions of
    their categories in two, the one with the least squared error cuts them in the order of their
    means; for absolute errors they are cut in the order of their medians, where a better division
    may be missed. Rows with a missing value go down both branches, in parts, as in C4.5, and so do
    values that do not occur in a node: their prediction is the mean of the leaves, weighted by the
    parts. Splits are compared by the rows with a value.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone (1984), Classification and Regression Trees,
    chapter 8. Wadsworth. W. D. Fisher (1958), On grouping for maximum homogeneity. Journal of the
    American Statistical Association 53, 789-798. J. R. Quinlan (1993), C4.5: programs for machine
    learning.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 5.0, 7.0]
    >>> model = DecisionTreeRegressor(max_leaf_nodes=2).fit(X, y)
    >>> float(model.tree_.threshold[0]), model.predict([[0.0], [9.0]]).tolist()
    (2.5, [1.0, 6.0])

    A row without a value goes down both branches:

    >>> model.predict([[float("nan")]]).tolist()
    [3.5]
    """

    RANGES: ClassVar[Ranges] = staticmethod(tree_range)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("squared_error", "absolute_error")),
        "max_leaf_nodes": Integer(2, 1_000_000, shown=(2, 40), none="no limit"),
        "min_samples_leaf": Integer(1, 1_000_000, shown=(1, 50)),
        "max_depth": Integer(1, 1_000_000, shown=(1, 12), none="no limit"),
        "ccp_alpha": Number(0.0, float("inf"), shown=(0.0, 1.0)),
    }

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        max_features: Any = None,
        random_state: Any = None,
        ccp_alpha: float = 0.0,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.random_state = random_state
        self.ccp_alpha = ccp_alpha

    def cost_complexity_pruning_path(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Return the α at which the tree is pruned, from 0, and the errors of the pruned trees.

        Of equal α only the smallest tree counts, as in scikit-learn.
        """
        tree = clone(self).set_params(ccp_alpha=0.0).fit(X, y).tree_
        losses = tree.impurity * tree.n_node_samples
        error = float(losses[tree.is_leaf].sum() / tree.n_node_samples[0])
        return path_of(error, list(weakest_links(cast(Any, tree))))

    def _divides(self, part: Part) -> bool:
        if self.max_depth is not None and part.depth >= self.max_depth:
            return False
        return part.size >= max(self.min_samples_split, 2 * self.min_samples_leaf) - SLACK

    def _steps(self, X: Floats, y: Floats, n_values: tuple[int, ...]) -> Iterator[TreeStep]:
        n_columns = n_features(self.max_features, X.shape[1])
        growth = Growth(
            X,
            y,
            self.criterion,
            self._divides,
            self.min_samples_leaf,
            self.max_leaf_nodes,
            max_features=n_columns if n_columns < X.shape[1] else None,
            rng=check_random_state(self.random_state),
            n_values=n_values,
        )
        grown = Grown()
        for step in growth.steps():
            if self.ccp_alpha > 0:
                grown.add(step)
            yield step
        if self.ccp_alpha > 0:
            for pruned in self._pruning(grown.tree(), len(y)):
                step = pruned
                yield step
        yield TreeStep("done", 0, (), None, step.total, step.total, step.total, step.n_leaves)

    def _pruning(self, tree: RegressionTree, n: int) -> Iterator[TreeStep]:
        for link in weakest_links(cast(Any, tree)):
            look()
            if link.alpha > self.ccp_alpha:
                return
            yield TreeStep(
                phase="prune",
                node=int(tree.numbers[link.node]),
                nodes=(),
                split=None,
                before=link.subtree_cost * n,
                after=link.leaf_cost * n,
                total=link.total_cost * n,
                n_leaves=link.total_leaves,
                price=link.alpha,
            )


def read_rows(estimator: Any, X: Any, y: Any) -> tuple[Columns, Floats, Floats]:
    """Return the columns of a table, its matrix, and the numbers to predict."""
    columns, matrix = Columns.read(X)
    target = np.asarray(_check_y(numeric_target(y), y_numeric=True, estimator=estimator), float)
    check_consistent_length(matrix, target)
    check_largest(np.nan_to_num(matrix), target)
    return columns, matrix, target


def path_of(error: float, links: Sequence[Link]) -> tuple[Floats, Floats]:
    """Return α and mean errors of a tree's links, of equal α the last."""
    alphas, errors = [0.0], [error]
    for link in links:
        look()
        if link.alpha > alphas[-1] + 1e-15 * max(1.0, alphas[-1]):
            alphas.append(link.alpha)
            errors.append(link.total_cost)
        else:
            errors[-1] = link.total_cost
    return np.array(alphas), np.array(errors)
