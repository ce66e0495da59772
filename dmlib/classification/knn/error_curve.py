"""How the error of k nearest neighbours depends on k."""

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

MOST_NEIGHBORS = 100  # largest k that is tried, unless a larger one is in use
EVERY = 20  # up to this k each one is tried
VALUES = 40  # about so many values of k


@dataclass(frozen=True)
class ErrorCurve:
    """The share of wrong answers for several numbers of neighbours.

    Attributes
    ----------
    n_neighbors : ndarray of shape (n_values,)
        The numbers of neighbours, k.
    train : ndarray of shape (n_values,)
        On the stored rows, each of which is its own nearest neighbour.
    leave_one_out : ndarray of shape (n_values,)
        On the stored rows, each without itself; NaN where no other rows are enough.
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
    """Measure the error for each k with one search: neighbours join one by one, and the votes are counted each time.

    The model says everything but k, and is not changed. By default k is 1 to 50; values above the
    number of stored rows are left out.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [10.0], [11.0]], [0, 0, 0, 1, 1]
    >>> curve = error_curve(KNeighborsClassifier(), X, y, [[3.0], [9.0]], [0, 1], n_neighbors=[1, 3, 5])
    >>> curve.train.tolist(), curve.leave_one_out.tolist(), curve.test.tolist()
    ([0.0, 0.0, 0.4], [0.0, 0.4, nan], [0.0, 0.0, 0.5])
    """
    fitted = clone(model).fit(X, y)
    n = fitted.n_samples_fit_
    wanted = range(1, 51) if n_neighbors is None else n_neighbors
    ks = np.array(sorted({k for k in wanted if 1 <= k <= n}), np.intp)
    truth = np.asarray(y)
    test = (
        None
        if X_test is None or y_test is None
        else _errors(fitted, X_test, np.asarray(y_test), ks)
    )
    return ErrorCurve(ks, _errors(fitted, X, truth, ks), _errors(fitted, None, truth, ks), test)


def _errors(
    model: KNeighborsClassifier, X: Any, truth: NDArray[Any], ks: NDArray[np.intp]
) -> Floats:
    """Return the error for each k; NaN where there are fewer other rows."""
    errors = np.full(len(ks), np.nan)
    most = int(ks[ks <= model.n_samples_fit_ - (X is None)].max(initial=0))
    if not most:
        return errors
    for k, votes in enumerate(model.cumulative_votes(X, most), 1):
        here = ks == k
        if here.any():
            errors[here] = (model.classes_[votes.argmax(axis=1)] != truth).mean()
    return errors


@dataclass(frozen=True)
class ErrorCurveData:
    """The error for several k, the k in use, and the best one."""

    curve: ErrorCurve  # the errors
    current: int  # the k in use
    # the k with the smallest error without the row itself; of equal ones the largest, whose border
    # is the smoothest
    best: int | None


def values_of_k(n_rows: int, current: int) -> NDArray[np.intp]:
    """Return the k to try: each small one, then fewer and fewer.

    Examples
    --------
    >>> values_of_k(100, 5).tolist()[-4:]
    [70, 79, 89, 100]
    """
    top = min(n_rows, max(MOST_NEIGHBORS, current))
    spread = np.geomspace(1, top, VALUES).round()
    ks = np.unique(
        np.concatenate([np.arange(1, min(EVERY, top) + 1), spread, [min(current, n_rows)]])
    )
    return ks.astype(np.intp)


def error_curve_data(problem: Problem, model: KNeighborsClassifier) -> ErrorCurveData:
    """Measure the error for several k with the metric and the weights of a model; on the samples held out too.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> data = error_curve_data(prepare(frame, ["a"], target="c", labelled=True), KNeighborsClassifier(3))
    >>> data.curve.leave_one_out.tolist()[:4], data.best
    ([0.0, 0.0, 0.0, 0.5], 3)
    """
    learned, held = problem.training, problem.testing
    X_test, y_test = (None, None) if held is None else (held.data, held.y)
    ks = values_of_k(len(learned.X), model.n_neighbors).tolist()
    curve = error_curve(model, learned.data, np.asarray(learned.y), X_test, y_test, n_neighbors=ks)
    known = np.isfinite(curve.leave_one_out)
    best = None
    if known.any():
        least = np.nanmin(curve.leave_one_out)
        best = int(
            curve.n_neighbors[np.flatnonzero(known & (curve.leave_one_out <= least + 1e-12))[-1]]
        )
    return ErrorCurveData(curve, model.n_neighbors, best)
