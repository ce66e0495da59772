"""How good a set of columns is for any classifier or regression of the app."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.evaluation import models
from dmlib.evaluation.scores import ZERO_R
from dmlib.feature_selection.scores import CachedScore, Subset
from dmlib.trace import look

Rows = tuple[NDArray[np.intp], NDArray[np.intp]]

CLASSIFIERS = (
    "naive_bayes",
    *(name for name in models.CLASSIFIERS if name not in ("naive_bayes", ZERO_R)),
)
REGRESSORS = (
    "linear_regression",
    "knn_regression",
    "regression_tree",
    "model_tree",
    "ridge",
    "lasso",
    "elastic_net",
    "pcr",
    "pls",
    "mlp_regression",
)
"""The models that look at several columns."""
COSTS = {
    "gradient_boosting": 540,
    "random_forest": 300,
    "mlp": 160,
    "adaboost": 90,
    "pruned_tree": 90,
    "oblique_tree": 70,
}
"""Milliseconds for a set in five folds of the 150 rows of iris (2026-11-28); other models take at
most ``USUAL``."""
USUAL, MEASURED_ROWS = 50, 150
MAX_COST = 1000  # milliseconds for which a picture waits
NEIGHBORS = 5  # of nearest neighbours; no more than a fold trains on


class ModelScore(CachedScore):
    """The accuracy or the mean squared error of a model on some columns, by cross-validation.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The columns.
    y : ndarray of shape (n_samples,)
        Numbers, or codes of classes.
    model : str or estimator
        A name of ``CLASSIFIERS`` or ``REGRESSORS``, or an object.
    numbers : bool
        Whether the target is a number: then the mean squared error is the score.
    cv : int
        Folds, in which the classes are shared out evenly; no more than there are rows.
    seed : int
        Shuffles the rows before, and is that of the model.

    Notes
    -----
    Without any column the largest class of the training rows is predicted, or their mean. The sets
    that are compared in a step are shared out by the engine.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> ModelScore(X, np.array([0, 0, 0, 1, 1, 1]), "decision_tree", cv=3)((0,))
    1.0
    """

    def __init__(
        self, X: Floats, y: Any, model: Any, *, numbers: bool = False, cv: int = 5, seed: int = 0
    ) -> None:
        super().__init__()
        self.X, self.y, self.model, self.numbers, self.seed = X, y, model, numbers, seed
        self.name = "cv" if numbers else "accuracy"
        self.n, self.n_features = X.shape
        stratified = not numbers and cv <= int(np.bincount(y).min())
        splitter = StratifiedKFold if stratified else KFold
        splits = splitter(min(cv, self.n), shuffle=True, random_state=seed)
        self.folds: list[Rows] = list(splits.split(X, y))
        self._parts: dict[Subset, Floats] = {}

    def parts(self, subset: Subset) -> Floats:
        """Return how many test rows of each fold are right, or their squared errors summed."""
        if subset not in self._parts:
            self._parts[subset] = _parts(
                self.X, self.y, self.folds, self.model, self.numbers, self.seed, subset
            )
        return self._parts[subset]

    def training(self, subset: Subset) -> float:
        """Return the score on all rows of a model that has learned from them."""
        rows = np.arange(self.n)
        folds = [(rows, rows)]
        (total,) = _parts(self.X, self.y, folds, self.model, self.numbers, self.seed, subset)
        return float(total / self.n)

    def by_rows(self, model: Any, X: Any, y: Any) -> float:
        """Return a fold's score as scikit-learn's scorers do.

        In the mean over folds each row weighs the same.
        """
        loss = models.losses(y, model.predict(X), self.numbers)
        return float((-loss if self.numbers else 1 - loss).sum() * len(self.folds) / self.n)

    def compare(self, subsets: Sequence[Subset]) -> None:
        """Score some sets side by side."""
        new = [subset for subset in subsets if subset not in self._parts]
        task = partial(_parts, self.X, self.y, self.folds, self.model, self.numbers, self.seed)
        self._parts.update(zip(new, engine.map(task, new), strict=True))

    def affordable(self, subsets: Sequence[Subset]) -> bool:
        """Return whether a picture may wait until these sets are scored.

        It depends on counts alone, so that it is always the same.
        """
        n_new = sum(subset not in self._values for subset in subsets)
        cost = COSTS.get(models.name_of(self.model), USUAL)
        return bool(n_new * cost * self.n <= MAX_COST * MEASURED_ROWS)

    def _value(self, subset: Subset) -> float:
        return float(self.parts(subset).sum() / self.n)


def _parts(
    X: Floats, y: Any, folds: Sequence[Rows], model: Any, numbers: bool, seed: int, subset: Subset
) -> Floats:
    sums = []
    for train, test in folds:
        look()
        if subset:
            params = None
            if model == "knn_regression":
                params = {"n_neighbors": min(NEIGHBORS, len(train))}
            predicted = models.predictions(model, seed, X[:, subset], y, params, (train, test))
        else:
            usual = y[train].mean() if numbers else np.bincount(y[train]).argmax()
            predicted = np.full(len(test), usual)
        loss = models.losses(y[test], predicted, numbers)
        sums.append(float(loss.sum() if numbers else (1 - loss).sum()))
    return np.array(sums)
