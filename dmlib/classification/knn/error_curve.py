"""The error of k nearest neighbours as a function of k."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.classification.knn.algorithm import KNeighborsClassifier
from dmlib.problem import Problem

MAX_NEIGHBORS = 100  # the largest k that is tried, unless a larger one is in use
DENSE_UP_TO = 20  # up to this k each one is tried
N_VALUES = 40  # about so many values of k


@dataclass(frozen=True)
class ErrorCurve:
    """Misclassification rate for each number of neighbours.

    Attributes
    ----------
    n_neighbors : ndarray of shape (n_values,)
        The numbers of neighbours, k.
    train : ndarray of shape (n_values,)
        On the stored rows, each of which is its own nearest neighbour.
    leave_one_out : ndarray of shape (n_values,)
        On the stored rows, each left out in turn; NaN where fewer than k rows remain.
    test : ndarray of shape (n_values,) or None
        On rows that are not stored, where there are any.
    """

    n_neighbors: NDArray[np.intp]
    train: Floats
    leave_one_out: Floats
    test: Floats | None


def error_curve(
    model: KNeighborsClassifier,
    X: Any,
    y: ArrayLike,
    X_test: Any = None,
    y_test: ArrayLike | None = None,
    n_neighbors: Iterable[int] | None = None,
) -> ErrorCurve:
    """Return the misclassification rate for each k, all from one search for neighbours.

    All parameters but k are those of the model, which is not changed. By default k is 1 to 50;
    values above the number of stored rows are left out.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [10.0], [11.0]], [0, 0, 0, 1, 1]
    >>> X_test, y_test = [[3.0], [9.0]], [0, 1]
    >>> curve = error_curve(KNeighborsClassifier(), X, y, X_test, y_test, n_neighbors=[1, 3, 5])
    >>> curve.train.tolist(), curve.leave_one_out.tolist(), curve.test.tolist()
    ([0.0, 0.0, 0.4], [0.0, 0.4, nan], [0.0, 0.0, 0.5])
    """
    fitted = clone(model).fit(X, y)
    n = fitted.n_samples_fit_
    candidates = range(1, 51) if n_neighbors is None else n_neighbors
    ks = np.array(sorted({k for k in candidates if 1 <= k <= n}), np.intp)
    test = None
    if X_test is not None and y_test is not None:
        test = _errors(fitted, X_test, np.asarray(y_test), ks)
    train = _errors(fitted, X, np.asarray(y), ks)
    leave_one_out = _errors(fitted, None, np.asarray(y), ks)
    return ErrorCurve(ks, train, leave_one_out, test)


def _errors(
    model: KNeighborsClassifier, X: Any, truth: NDArray[Any], ks: NDArray[np.intp]
) -> Floats:
    """Return the error for each k, leave-one-out if X is None; NaN where the rows are fewer."""
    errors = np.full(len(ks), np.nan)
    max_k = int(ks[ks <= model.n_samples_fit_ - (X is None)].max(initial=0))
    if max_k:
        for k, votes in enumerate(model.cumulative_votes(X, max_k), 1):
            if k in ks:
                errors[ks == k] = (model.classes_[votes.argmax(axis=1)] != truth).mean()
    return errors


@dataclass(frozen=True)
class ErrorCurveData:
    """The error for several k, the k in use, and the best one."""

    curve: ErrorCurve
    current: int  # the k in use
    # The k with the smallest leave-one-out error; of equal ones the largest, whose boundary is the
    # smoothest.
    best: int | None


def values_of_k(n_rows: int, current: int) -> NDArray[np.intp]:
    """Return the k to try: each small one, then ever sparser.

    Examples
    --------
    >>> values_of_k(100, 5).tolist()[-4:]
    [70, 79, 89, 100]
    """
    top = min(n_rows, max(MAX_NEIGHBORS, current))
    dense = np.arange(1, min(DENSE_UP_TO, top) + 1)
    spread = np.geomspace(1, top, N_VALUES).round()
    return np.unique([*dense, *spread, min(current, n_rows)]).astype(np.intp)


def error_curve_data(problem: Problem, model: KNeighborsClassifier) -> ErrorCurveData:
    """Return the training, leave-one-out and test error for several k, with a model's metric.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = error_curve_data(problem, KNeighborsClassifier(3))
    >>> data.curve.leave_one_out.tolist()[:4], data.best
    ([0.0, 0.0, 0.0, 0.5], 3)
    """
    training, testing = problem.training, problem.testing
    X_test, y_test = (None, None) if testing is None else (testing.data, testing.y)
    ks = values_of_k(len(training.X), model.n_neighbors).tolist()
    y = np.asarray(training.y)
    curve = error_curve(model, training.data, y, X_test, y_test, n_neighbors=ks)
    best = None
    if np.isfinite(curve.leave_one_out).any():
        is_best = curve.leave_one_out <= np.nanmin(curve.leave_one_out) + 1e-12
        best = int(curve.n_neighbors[is_best].max())
    return ErrorCurveData(curve, model.n_neighbors, best)
