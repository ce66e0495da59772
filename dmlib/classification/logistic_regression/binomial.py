"""Grouped data for logistic regression: counts of successes and trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from dmlib.arrays import Floats


def binomial_rows(
    X: ArrayLike, successes: ArrayLike, trials: ArrayLike
) -> tuple[Floats, NDArray[np.intp], NDArray[np.float64]]:
    """Return the rows, classes and sample weights of a table of successes and trials.

    Parameters
    ----------
    X : array-like of shape (n_groups, n_features)
        One row per group.
    successes, trials : array-like of shape (n_groups,)
        The number of cases of class 1 in each group, and of all its cases.

    Returns
    -------
    X : ndarray of shape (2 * n_groups, n_features)
        The groups twice.
    y : ndarray of shape (2 * n_groups,)
        1 in the first half, 0 in the second.
    sample_weight : ndarray of shape (2 * n_groups,)
        The successes, then the failures.

    Raises
    ------
    ValueError
        If there are more successes than trials, or negative numbers.

    Examples
    --------
    >>> from dmlib.classification import LogisticRegression
    >>> rows = binomial_rows([[0], [1]], [10, 30], [40, 40])
    >>> LogisticRegression(C=np.inf).fit(*rows).predict_proba([[0], [1]])[:, 1].round(6).tolist()
    [0.25, 0.75]
    """
    groups = check_array(X, dtype=np.float64)
    positive = np.asarray(successes, float)
    total = np.asarray(trials, float)
    has_shape = positive.shape == total.shape == (len(groups),)
    if not has_shape or (positive < 0).any() or (positive > total).any():
        raise ValueError(
            "Each group needs a number of trials and a number of successes from 0 to the trials."
        )
    y = np.repeat([1, 0], len(groups))
    return np.vstack([groups, groups]), y, np.concatenate([positive, total - positive])
