"""Tests of the difference of two models: paired t, corrected resampled t, McNemar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

ULPS = 64  # units in the last place of the errors, up to which differences vary by rounding alone


@dataclass(frozen=True)
class TestResult:
    """A test of whether two models have the same error.

    Attributes
    ----------
    statistic : float
        t, or of McNemar the smaller number of rows that only one model misclassifies; NaN where the
        difference is the same on all splits, except for rounding.
    p_value : float
        The probability of a difference at least as large under equal errors.
    df : float
        Degrees of freedom of t; of McNemar, the rows that only one model misclassifies.
    difference : float
        The mean error of the first less that of the second; of McNemar, the same in rows.
    error : float
        The standard error of the difference.
    """

    __test__ = False

    statistic: float
    p_value: float
    df: float
    difference: float
    error: float


def paired_t(first: ArrayLike, second: ArrayLike) -> TestResult:
    """Test whether the mean difference of the errors on the same folds is 0.

    It is significant too often: the folds share training rows, so their errors are not independent.

    Parameters
    ----------
    first, second : array-like of shape (n_splits,)
        The errors of two models on the same splits.

    Examples
    --------
    >>> test = paired_t([0.2, 0.3, 0.25, 0.3], [0.1, 0.25, 0.2, 0.2])
    >>> round(test.statistic, 3), round(test.p_value, 4)
    (5.196, 0.0138)
    """
    return _t(first, second, 0.0)


def corrected_resampled_t(first: ArrayLike, second: ArrayLike, ratio: float) -> TestResult:
    """Test as :func:`paired_t` does, with a variance corrected for shared training rows.

    Parameters
    ----------
    first, second : array-like of shape (n_splits,)
        The errors of two models on the same splits.
    ratio : float
        Test rows over training rows of a split; 1/(k − 1) of k-fold.

    Notes
    -----
    The variance s²/k becomes s² (1/k + ratio).

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error.

    Examples
    --------
    >>> test = corrected_resampled_t([0.2, 0.3, 0.25, 0.3], [0.1, 0.25, 0.2, 0.2], 1 / 3)
    >>> round(test.statistic, 3)
    3.402
    """
    return _t(first, second, ratio)


def _t(first: ArrayLike, second: ArrayLike, ratio: float) -> TestResult:
    differences = np.asarray(first, float) - np.asarray(second, float)
    k = len(differences)
    mean = float(differences.mean()) if k else np.nan
    spread = float(differences.std(ddof=1)) if k > 1 else 0.0
    largest = np.abs(np.asarray([first, second], float)).max(initial=0.0)
    if spread <= ULPS * np.finfo(float).eps * largest:
        return TestResult(np.nan, np.nan, max(k - 1, 0), mean, 0.0)
    error = spread * float(np.sqrt(1 / k + ratio))
    t = mean / error
    return TestResult(t, float(2 * stats.t.sf(abs(t), k - 1)), k - 1, mean, error)


def mcnemar(first: ArrayLike, second: ArrayLike) -> TestResult:
    """Test whether each of two classifiers alone misclassifies equally many rows, exactly.

    Parameters
    ----------
    first, second : array-like of bool of shape (n_rows,)
        Whether each row is misclassified by each of the two.

    References
    ----------
    Q. McNemar (1947), Note on the sampling error of the difference between correlated proportions
    or percentages.

    Examples
    --------
    >>> test = mcnemar([1, 1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0])
    >>> test.statistic, test.df, test.p_value
    (1.0, 7, 0.125)
    """
    a = np.asarray(first, bool)
    b = np.asarray(second, bool)
    first_only = int((a & ~b).sum())
    second_only = int((b & ~a).sum())
    n = first_only + second_only
    smaller = min(first_only, second_only)
    p = float(stats.binomtest(smaller, n, 0.5).pvalue) if n else 1.0
    return TestResult(float(smaller), p, n, float(first_only - second_only), float(np.sqrt(n)))
