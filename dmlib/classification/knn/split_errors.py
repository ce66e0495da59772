"""The error of k nearest neighbours over repeated random splits, as a function of k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.knn.algorithm import KNeighborsClassifier
from dmlib.classification.knn.error_curve import error_curve

N_SPLITS = 20
HELD_OUT = 0.3  # the fraction of the rows that a split holds out


@dataclass(frozen=True)
class SplitErrors:
    """Misclassification rate for each number of neighbours over random splits.

    Attributes
    ----------
    n_splits : int
        The number of splits.
    mean, deviation : ndarray of shape (n_values,)
        Mean and standard deviation (n - 1) of the errors; NaN where fewer than k rows are stored.
    """

    n_splits: int
    mean: Floats
    deviation: Floats


def split_errors(
    model: KNeighborsClassifier,
    X: Any,
    y: ArrayLike,
    n_neighbors: Sequence[int],
    *,
    n_splits: int = N_SPLITS,
    test_size: float = HELD_OUT,
    random_state: int = 0,
) -> SplitErrors:
    """Return mean and spread of the error for each k over repeated random splits of the rows.

    Parameters
    ----------
    model : KNeighborsClassifier
        Its parameters but k are used; it is not changed.
    X, y : array-like of shape (n_samples, n_features), (n_samples,)
        At least two rows and their classes.
    n_neighbors : sequence of int
        The numbers of neighbours, k.
    n_splits : int
        How often the rows are divided at random, at least twice.
    test_size : float
        The fraction of the rows that each split holds out, rounded to at least one row.
    random_state : int
        Seed of the splits.

    Notes
    -----
    Each split costs a search for neighbours, whatever the number of k. The errors of different
    splits are not independent, since their rows overlap: the spread is that of a single split, not
    the standard error of the mean.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]], [0, 0, 0, 1, 1, 1]
    >>> errors = split_errors(KNeighborsClassifier(), X, y, [1, 5], test_size=0.2)
    >>> errors.mean.tolist(), errors.deviation.tolist()
    ([0.0, 1.0], [0.0, 0.0])
    """
    y, rng = np.asarray(y), np.random.default_rng(random_state)
    rows = X.iloc if isinstance(X, pd.DataFrame) else np.asarray(X)
    n_held_out = min(max(1, round(test_size * len(y))), len(y) - 1)
    all_errors = np.full((n_splits, len(n_neighbors)), np.nan)
    for errors in all_errors:
        order = rng.permutation(len(y))
        held_out, stored = order[:n_held_out], order[n_held_out:]
        parts = rows[stored], y[stored], rows[held_out], y[held_out]
        curve = error_curve(model, *parts, n_neighbors)
        is_stored = np.isin(n_neighbors, curve.n_neighbors)
        errors[is_stored] = curve.test
    return SplitErrors(n_splits, all_errors.mean(axis=0), all_errors.std(axis=0, ddof=1))
