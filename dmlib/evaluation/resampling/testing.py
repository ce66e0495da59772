"""Whether two models differ: paired t, corrected resampled t, McNemar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

# Units in the last place of the errors, up to which their differences vary by rounding alone
ULPS = 64


@dataclass(frozen=True)
class TestResult:
    """A test of whether two models have the same error.

    Attributes
    ----------
    statistic : float
        t, or the number of the rows on which the rarer of the two is wrong alone; NaN where the
        difference is the same on all splits, but for rounding.
    p_value : float
        The probability of a difference at least so large if there is none.
    df : float
        Degrees of freedom of t; of McNemar, the rows on which one of the two is wrong.
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

    Too often significant: the folds share most of their training rows, so their errors are not
    independent.

    Parameters
    ----------
    first, second : array-like of shape (n_splits,)
        The errors of two models on the same splits.

    Examples
    --------
    >>> found = paired_t([0.2, 0.3, 0.25, 0.3], [0.1, 0.25, 0.2, 0.2])
    >>> round(found.statistic, 3), round(found.p_value, 4)
    (5.196, 0.0138)
    """
    return _t(first, second, 0.0)


def corrected_resampled_t(first: ArrayLike, second: ArrayLike, ratio: float) -> TestResult:
    """Test as :func:`paired_t` does, with a variance that knows of the shared rows.

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
    >>> found = corrected_resampled_t([0.2, 0.3, 0.25, 0.3], [0.1, 0.25, 0.2, 0.2], 1 / 3)
    >>> round(found.statistic, 3)
    3.402
    """
    return _t(first, second, ratio)


def _t(first: ArrayLike, second: ArrayLike, ratio: float) -> TestResult:
    a, b = np.asarray(first, float), np.asarray(second, float)
    k, mean = len(a), float((a - b).mean()) if len(a) else float("nan")
    spread = float((a - b).std(ddof=1)) if k > 1 else 0.0
    largest = np.abs([a, b]).max(initial=0.0)
    if spread <= ULPS * np.finfo(float).eps * largest:
        return TestResult(float("nan"), float("nan"), max(k - 1, 0), mean, 0.0)
    error = spread * float(np.sqrt(1 / k + ratio))
    return TestResult(
        mean / error, float(2 * stats.t.sf(abs(mean / error), k - 1)), k - 1, mean, error
    )


def mcnemar(first: ArrayLike, second: ArrayLike) -> TestResult:
    """Test whether two classifiers are wrong alone on equally many rows: exactly, by a binomial distribution.

    Parameters
    ----------
    first, second : array-like of bool of shape (n_rows,)
        On which rows each of the two is wrong.

    References
    ----------
    Q. McNemar (1947), Note on the sampling error of the difference between correlated proportions
    or percentages.

    Examples
    --------
    >>> found = mcnemar([1, 1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0])
    >>> found.statistic, found.df, found.p_value
    (1.0, 7, 0.125)
    """
    a, b = np.asarray(first, bool), np.asarray(second, bool)
    alone, other = int((a & ~b).sum()), int((b & ~a).sum())
    n, less = alone + other, min(alone, other)
    p = 1.0 if not n else float(stats.binomtest(less, n, 0.5).pvalue)
    return TestResult(float(less), p, n, float(alone - other), float(np.sqrt(n)))
