"""ReliefF: a column is good if near rows of other classes, or of other numbers, differ in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.feature_selection.selector import Codes
from dmlib.trace import look

MAX_ROWS = 500  # that are drawn; each is compared with all rows


def relief(X: Floats, y: Any, classes: bool, n_neighbors: int) -> tuple[Floats, Floats, Floats]:
    """Return the weight of each column, and what counts for it and against it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The columns; differences count in shares of a column's range.
    y : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    classes : bool
        Whether they are codes: then it is ReliefF (Kononenko 1994), else RReliefF (Robnik-Sikonja
        and Kononenko 1997).
    n_neighbors : int
        How many near rows are compared; of each class.

    Returns
    -------
    weights, gains, losses : ndarray of shape (n_features,)
        The weights are gains less losses. Of classes: the mean differences from near misses, and
        from near hits. Of numbers: P(different | different target), and P(different | equal
        target).

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> relief(X, np.array([0, 0, 1, 1]), True, 1)[0].tolist()
    [1.0, -1.0]
    """
    spread = np.ptp(X, axis=0)
    unit = X / np.where(spread > 0, spread, 1.0)
    if classes:
        return _relief_of_classes(unit, y, n_neighbors)
    return _relief_of_numbers(unit, np.asarray(y, float), n_neighbors)


def _relief_of_classes(X: Floats, y: Codes, k: int) -> tuple[Floats, Floats, Floats]:
    n, p = X.shape
    shares, rows = np.bincount(y) / n, evenly(n, MAX_ROWS)
    hits, misses = np.zeros(p), np.zeros(p)
    for i in rows:
        look()
        gaps = np.abs(X - X[i])
        far = gaps.sum(axis=1)
        far[i] = np.inf
        for c in np.flatnonzero(shares):
            members = np.flatnonzero((y == c) & np.isfinite(far))
            if not len(members):
                continue
            mean = gaps[members[np.argsort(far[members], kind="stable")[:k]]].mean(axis=0)
            if c == y[i]:
                hits += mean
            else:
                misses += mean * shares[c] / (1 - shares[y[i]])
    return (misses - hits) / len(rows), misses / len(rows), hits / len(rows)


def _relief_of_numbers(X: Floats, y: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    n, p = X.shape
    spread = float(np.ptp(y)) or 1.0
    rows, k = evenly(n, MAX_ROWS), min(k, n - 1)
    # Sums over pairs of rows: how far the target differs, target and column, the column.
    target_sum, joint_sums, column_sums = 0.0, np.zeros(p), np.zeros(p)
    for i in rows:
        look()
        gaps = np.abs(X - X[i])
        far = gaps.sum(axis=1)
        far[i] = np.inf
        nearest = np.argsort(far, kind="stable")[:k]
        dy = np.abs(y[nearest] - y[i]) / spread / k
        target_sum += float(dy.sum())
        joint_sums += dy @ gaps[nearest]
        column_sums += gaps[nearest].mean(axis=0)
    gains = joint_sums / target_sum if target_sum > 0 else np.zeros(p)
    equal_sum = len(rows) - target_sum
    losses = (column_sums - joint_sums) / equal_sum if equal_sum > 1e-12 else np.zeros(p)
    return gains - losses, gains, losses
