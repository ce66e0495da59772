"""Gradient boosting: each tree is fitted to the residuals of the sum before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_softmax, softmax
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.adaboost.gradient_step import GradientBoostingStep, Phase
from dmlib.classification.adaboost.residual_tree import ResidualTree, residual_rows, residual_tree
from dmlib.classification.adaboost.stages import StagedClassifier
from dmlib.classification.columns import check_columns
from dmlib.params import Integer, Number, Param, check_params
from dmlib.trace import look
from dmlib.trees.frontier import Table, sums
from dmlib.trees.rows import read_rows
from dmlib.trees.rules import Rules

EPSILON = float(np.finfo(float).eps)


class GradientBoostingClassifier(StagedClassifier):
    r"""Classify by a sum of small trees, each fitted to the residuals so far, and shrunk.

    The loss is the log-loss. Its negative gradient is the residual :math:`r = [y = c] - p`, 1 or 0
    for the class less its probability. A tree is grown to predict the residuals, each of its leaves
    gets the value :math:`\sum r / \sum p (1 - p)`, a Newton step, and ``learning_rate`` times that
    is added to the decision value.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of rounds.
    learning_rate : float, default=0.1
        The factor of the values of the leaves (shrinkage): the smaller, the more rounds are needed.
    max_depth : int or None, default=1
        The depth of the trees; 1 is a stump, so that columns add up without interacting.

    Attributes
    ----------
    estimators_ : ndarray of ResidualTree of shape (n_estimators, n_trees)
        The trees: for two classes one a round, else one for each class.
    n_estimators_ : int
        The number of rounds.
    train_score_ : ndarray of shape (n_estimators,)
        The mean log-loss of the training rows after each round, for two classes twice that (the
        deviance).
    init_score_ : ndarray of shape (n_trees,)
        The decision values of the start: the logarithms of the odds, or of the shares less their
        mean.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        How many there are.
    feature_importances_ : ndarray of shape (n_features,)
        The decrease of the squared error of the residuals by each column, normalised to sum to 1.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If these are no rows and classes.

    Notes
    -----
    A round costs O(d n) times the depth, for each tree, after one sort of the columns.

    Splits minimise the squared error of the residuals. Friedman's improvement
    :math:`n_l n_r / (n_l + n_r) (\bar r_l - \bar r_r)^2` is the same number for a binary split, so
    that this is both scikit-learn's "squared_error" and its former "friedman_mse". Of equal splits
    the first column wins, and in it the lowest threshold. For k > 2 classes the values of leaves
    have the factor (k - 1) / k, as in Friedman's algorithm 6. All classes of a round start from the
    same probabilities.

    Nominal columns and missing values are those of
    :class:`dmlib.classification.DecisionTreeClassifier`.

    References
    ----------
    J. H. Friedman (2001), Greedy function approximation: a gradient boosting machine (algorithms 5
    and 6). J. Friedman, T. Hastie and R. Tibshirani (2000), Additive logistic regression: a
    statistical view of boosting.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> model = GradientBoostingClassifier(n_estimators=2, learning_rate=0.5).fit(X, y)
    >>> model.estimators_[0, 0].values[1:].tolist()
    [-2.0, 2.0]
    >>> model.decision_function([[3.0]]).round(3).tolist()
    [1.684]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_estimators": Integer(1, 100_000, shown=(1, 200)),
        "learning_rate": Number(1e-6, 100.0, shown=(0.02, 1.0), step=0.02),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 5), none="no limit"),
    }

    def __init__(
        self, *, n_estimators: int = 100, learning_rate: float = 0.1, max_depth: int | None = 1
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost on the rows of ``X`` and their classes ``y``."""
        check_columns(self, X, y)
        self._columns, self.classes_, table, weights = self._read(X, y, sample_weight)
        return self._adopt(self._rounds(table, len(self.classes_), weights, only_trees=True))

    def fit_from(self, steps: Sequence[GradientBoostingStep], X: Any, y: ArrayLike) -> Self:
        """Fit from the steps on the same rows, without boosting a second time."""
        check_columns(self, X, y)
        self._columns, self.classes_, _, _ = self._read(X, y, None)
        return self._adopt(steps)

    def _adopt(self, steps: Iterable[GradientBoostingStep]) -> Self:
        """Set the fitted attributes by the rounds."""
        rounds = []
        for step in steps:
            rounds.append(step.trees)
        self.n_classes_, self.n_estimators_ = len(self.classes_), len(rounds) - 1
        self.init_score_, self.train_score_ = step.init_score, step.train_score
        self.estimators_ = np.empty((self.n_estimators_, len(self.init_score_)), object)
        for row, trees in zip(self.estimators_, rounds[1:], strict=True):
            row[:] = trees
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[GradientBoostingStep]:
        """Yield the prior, then each round."""
        _, classes, table, weights = self._read(X, y, None)
        yield from self._rounds(table, len(classes), weights)

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Any:
        check_params(self.PARAMS, self.get_params())
        return read_rows(X, y, sample_weight, None, None)

    def _rounds(
        self, table: Table, n_classes: int, weights: Floats, only_trees: bool = False
    ) -> Iterator[GradientBoostingStep]:
        """Yield the steps; with ``only_trees`` without values of the rows."""
        depth = float("inf") if self.max_depth is None else self.max_depth
        rows, rules, no_values = (
            residual_rows(table, depth),
            Rules(max_depth=depth),
            np.empty((0, 0)),
        )
        start = start_score(sums(table.y, weights, n_classes))
        targets = np.arange(n_classes) if n_classes > 2 else np.array([1])
        member = table.y[:, None] == targets  # (n_samples, n_trees)
        raw, scores = np.tile(start, (len(weights), 1)), np.empty(0)

        def step(
            phase: Phase, trees: tuple[ResidualTree, ...], residuals: Floats, before: Floats
        ) -> GradientBoostingStep:
            row_values = (no_values,) * 4
            if not only_trees:
                row_values = residuals, before, raw, class_probabilities(raw, n_classes)
            return GradientBoostingStep(phase, trees, *row_values, scores, start)

        yield step("start", (), member[:, : len(start)] - class_shares(raw), raw)
        for _ in range(self.n_estimators if n_classes > 1 else 0):
            shares = class_shares(raw)
            residuals, curvatures, before = member - shares, shares * (1 - shares), raw
            shrink = (n_classes - 1) / n_classes if n_classes > 2 else 1.0
            grown = []
            for k in range(len(start)):
                look()
                targets_of_tree = residuals[:, k], curvatures[:, k]
                grown.append(residual_tree(rows, *targets_of_tree, weights, rules, shrink))
            raw = before + self.learning_rate * np.column_stack([fitted for _, fitted in grown])
            scores = np.append(scores, loss(raw, member, weights))
            yield step("boost", tuple(tree for tree, _ in grown), residuals, before)

    def _stages(self, X: Any, matrix: Floats) -> Iterator[Floats]:
        raw = np.tile(self.init_score_, (len(matrix), 1))
        if not raw.shape[1]:
            yield np.zeros(len(matrix))
        for trees in self.estimators_:
            values = np.column_stack([tree.predict(matrix) for tree in trees])
            raw = raw + self.learning_rate * values
            yield raw[:, 0] if raw.shape[1] == 1 else raw

    def cuts(self, column: int) -> Floats:
        """Return where predictions may change along a numeric column, unordered."""
        check_is_fitted(self)
        trees = [estimator.tree for estimator in self.estimators_.ravel()]
        return np.concatenate([np.empty(0), *(tree.cuts(column) for tree in trees)])

    @property
    def feature_importances_(self) -> Floats:
        """The decrease of the squared error by each column, normalised to sum to 1."""
        check_is_fitted(self)
        totals = np.zeros(self.n_features_in_)
        for estimator in self.estimators_.ravel():
            decreases = estimator.tree.compute_feature_importances(len(totals), normalize=False)
            totals += estimator.scale * decreases
        return totals / totals.sum() if totals.sum() > 0 else totals


def start_score(totals: Floats) -> Floats:
    """Return the decision values of the prior: one for two classes, none for one.

    Examples
    --------
    >>> start_score(np.array([1.0, 3.0])).round(3).tolist(), start_score(np.array([2.0])).tolist()
    ([1.099], [])
    """
    shares = np.clip(totals / totals.sum(), EPSILON, 1 - EPSILON)
    if len(shares) < 2:
        return np.empty(0)
    logs = np.log(shares)
    if len(shares) == 2:
        return np.array([logs[1] - np.log1p(-shares[1])])
    scores: Floats = logs - logs.mean()
    return scores


def class_shares(raw: Floats) -> Floats:
    """Return the probability of each decision value, shape (n_samples, n_trees)."""
    shares: Floats = softmax(raw, axis=1) if raw.shape[1] > 1 else expit(raw)
    return shares


def class_probabilities(raw: Floats, n_classes: int) -> Floats:
    """Return the probabilities of all classes, shape (n_samples, n_classes)."""
    shares = class_shares(raw)
    if n_classes == 1:
        return np.ones((len(raw), 1))
    return np.hstack([1 - shares, shares]) if n_classes == 2 else shares


def loss(raw: Floats, member: NDArray[np.bool_], weights: Floats) -> float:
    """Return the mean log-loss; for two classes twice as much, the deviance."""
    if raw.shape[1] == 1:
        each = 2 * np.logaddexp(0.0, np.where(member[:, 0], -raw[:, 0], raw[:, 0]))
    else:
        each = -(log_softmax(raw, axis=1) * member).sum(axis=1)
    return float(np.average(each, weights=weights))
