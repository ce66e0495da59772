"""ReliefF: a column is good if near rows of other classes, or of other numbers, differ in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.selector import Codes
from dmlib.trace import look

MOST_ROWS = 500  # that are drawn; each is compared with all rows


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
    return (
        _classes(unit, y, n_neighbors)
        if classes
        else _numbers(unit, np.asarray(y, float), n_neighbors)
    )


def _rows(n: int) -> Codes:
    return np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(np.intp)


def _classes(X: Floats, y: Codes, k: int) -> tuple[Floats, Floats, Floats]:
    n, p = X.shape
    shares, rows = np.bincount(y) / n, _rows(n)
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


def _numbers(X: Floats, y: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    n, p = X.shape
    spread = float(np.ptp(y)) or 1.0
    rows, k = _rows(n), min(k, n - 1)
    differs, both, apart = (
        0.0,
        np.zeros(p),
        np.zeros(p),
    )  # of the target, of both, of the column: sums over pairs
    for i in rows:
        look()
        gaps = np.abs(X - X[i])
        far = gaps.sum(axis=1)
        far[i] = np.inf
        near = np.argsort(far, kind="stable")[:k]
        dy = np.abs(y[near] - y[i]) / spread / k
        differs += float(dy.sum())
        both += dy @ gaps[near]
        apart += gaps[near].mean(axis=0)
    gains = both / differs if differs > 0 else np.zeros(p)
    rest = len(rows) - differs
    losses = (apart - both) / rest if rest > 1e-12 else np.zeros(p)
    return gains - losses, gains, losses
