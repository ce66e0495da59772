"""Mechanisms of missing values: tests of randomness, and holes that are made on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns
from dmlib.squares import standard_deviations
from dmlib.trace import look

MECHANISMS = ("MCAR", "MAR", "MNAR")
SLOPE = 2.0  # of the log odds of a hole, for each standard deviation
MAX_ITER, TOL = 300, 1e-9  # of expectation-maximisation


@dataclass(frozen=True)
class MCARReport:
    """Tests of whether the values of a table are missing completely at random.

    Attributes
    ----------
    statistic, dof, p_value : float
        Little's test over the columns of numbers; NaN where it cannot be done.
    tests : DataFrame
        For each column with holes and each other column: Welch's t of the other's numbers, or
        chi-squared of its names, between the rows with and without the hole; with the p-value.
    patterns : DataFrame
        The columns that are missing together (true: missing), and the number of rows; the most
        frequent pattern first.
    """

    statistic: float
    dof: float
    p_value: float
    tests: pd.DataFrame
    patterns: pd.DataFrame


def mcar_report(df: Any) -> MCARReport:
    r"""Test whether values are missing completely at random.

    Parameters
    ----------
    df : DataFrame or array-like of shape (n_samples, n_features)
        The table, of numbers and names.

    Notes
    -----
    Little's statistic compares the means of each pattern with those of all rows by
    expectation-maximisation:
    :math:`d^2 = \sum_P n_P (\bar x_P - \mu_P)' \Sigma_P^{-1} (\bar x_P - \mu_P)`.

    References
    ----------
    R. J. A. Little (1988), A test of missing completely at random. J. American Statistical
    Association 83, 1198-1202.

    Examples
    --------
    >>> b = [1.0, 2.5, 3.0, None, None, None]
    >>> report = mcar_report(pd.DataFrame({"a": [1.0, 2.0, 3.0, 9.0, 10.0, 11.0], "b": b}))
    >>> report.tests["p_value"].round(4).tolist(), report.patterns["rows"].tolist()
    ([0.0006], [3, 3])
    """
    columns, matrix = Columns.read(df)
    holes = np.isnan(matrix)
    patterns, counts = np.unique(holes, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    table = pd.DataFrame(patterns[order], columns=list(columns.names)).assign(rows=counts[order])
    numeric = ~columns.nominal & ~holes.all(axis=0)
    return MCARReport(*_little(matrix[:, numeric]), _tests(columns, matrix, holes), table)


def _tests(columns: Columns, matrix: Floats, holes: NDArray[np.bool_]) -> pd.DataFrame:
    rows = []
    for j in np.flatnonzero(holes.any(axis=0)):
        for i, names in enumerate(columns.categories):
            if i == j:
                continue
            look()
            is_known = ~holes[:, i]
            with_hole = matrix[is_known & holes[:, j], i]
            without = matrix[is_known & ~holes[:, j], i]
            if names is None:
                test = ("t", *_welch(with_hole, without))
            else:
                test = ("chi-squared", *_chi_squared(with_hole, without, len(names)))
            rows.append((columns.names[j], columns.names[i], *test))
    return pd.DataFrame(rows, columns=["missing", "other", "test", "statistic", "p_value"])


def _welch(first: Floats, second: Floats) -> tuple[float, float]:
    if min(len(first), len(second)) < 2 or (np.ptp(first) == 0 and np.ptp(second) == 0):
        return float("nan"), float("nan")
    result = stats.ttest_ind(first, second, equal_var=False)
    return float(result.statistic), float(result.pvalue)


def _chi_squared(first: Floats, second: Floats, n_names: int) -> tuple[float, float]:
    table = np.array([np.bincount(x.astype(int), minlength=n_names) for x in (first, second)])
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] < 2 or not table.sum(axis=1).all():
        return float("nan"), float("nan")
    result = stats.chi2_contingency(table, correction=False)
    return float(result.statistic), float(result.pvalue)


@dataclass(frozen=True)
class _Pattern:
    """The rows with the same values missing."""

    is_known: NDArray[np.bool_]  # of each column
    n: int
    mean: Floats  # of the known columns
    covariance: Floats

    def inverse(self, sigma: Floats) -> Floats:
        """Return the inverse of the covariances of the known columns."""
        known = sigma[np.ix_(self.is_known, self.is_known)]
        return np.asarray(np.linalg.pinv(known, hermitian=True))


def _patterns(X: Floats) -> list[_Pattern]:
    holes, group = np.unique(np.isnan(X), axis=0, return_inverse=True)
    patterns = []
    for i, is_hole in enumerate(holes):
        rows = X[group.ravel() == i][:, ~is_hole]
        if rows.shape[1]:
            covariance = np.cov(rows.T, bias=True).reshape(rows.shape[1], -1)
            patterns.append(_Pattern(~is_hole, len(rows), rows.mean(axis=0), covariance))
    return patterns


def _little(X: Floats) -> tuple[float, float, float]:
    """Return Little's statistic, its degrees of freedom and its p-value; NaN without a test."""
    no_test = (float("nan"), float("nan"), float("nan"))
    X = X[~np.isnan(X).all(axis=1)]
    if X.shape[1] < 2 or not np.isnan(X).any() or len(X) < 3:
        return no_test
    mean, spread = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    varies = np.nanmax(X, axis=0) > np.nanmin(X, axis=0)
    X = (X[:, varies] - mean[varies]) / spread[varies]
    patterns = _patterns(X)
    dof = sum(int(pattern.is_known.sum()) for pattern in patterns) - X.shape[1]
    if dof <= 0:
        return no_test
    mu, sigma = _maximise(patterns, X.shape[1])
    statistic = 0.0
    for pattern in patterns:
        shift = pattern.mean - mu[pattern.is_known]
        statistic += float(pattern.n * shift @ pattern.inverse(sigma) @ shift)
    return statistic, float(dof), float(stats.chi2.sf(statistic, dof))


def _maximise(patterns: list[_Pattern], d: int) -> tuple[Floats, Floats]:
    """Return the mean and the covariances of all rows by expectation-maximisation."""
    n, mu, sigma = sum(pattern.n for pattern in patterns), np.zeros(d), np.eye(d)
    for _ in range(MAX_ITER):
        look()
        first, second = np.zeros(d), np.zeros((d, d))
        for pattern in patterns:
            is_known = pattern.is_known
            # The regression of all columns on the known ones, and the covariances around it.
            slopes = np.zeros((d, int(is_known.sum())))
            slopes[is_known] = np.eye(len(pattern.mean))
            slopes[~is_known] = sigma[np.ix_(~is_known, is_known)] @ pattern.inverse(sigma)
            residual = sigma - slopes @ sigma[is_known]
            residual[is_known] = residual[:, is_known] = 0.0
            shift = pattern.mean - mu[is_known]
            moments = pattern.covariance + np.outer(shift, shift)
            first += pattern.n * slopes @ shift
            second += pattern.n * (slopes @ moments @ slopes.T + residual)
        step = first / n
        new = second / n - np.outer(step, step)
        change = max(float(np.abs(step).max()), float(np.abs(new - sigma).max()))
        mu, sigma = mu + step, (new + new.T) / 2
        if change < TOL:
            break
    return mu, sigma


def make_holes(X: ArrayLike, mechanism: str, share: float = 0.3, random_state: Any = 0) -> Floats:
    """Delete values of the last column by a mechanism.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers without holes, of two columns or more.
    mechanism : {"MCAR", "MAR", "MNAR"}
        At random; more where the first column is large; more where the value itself is large.
    share : float
        The share of the values that is deleted.
    random_state : int, RandomState or None
        The seed.

    Returns
    -------
    ndarray of shape (n_samples, n_features)
        A copy with NaN.

    Examples
    --------
    >>> X = np.column_stack([np.arange(10.0), np.arange(10.0)])
    >>> int(np.isnan(make_holes(X, "MCAR", 0.3)).sum())
    3
    """
    if mechanism not in MECHANISMS:
        raise ValueError(f"mechanism must be one of {', '.join(MECHANISMS)}; it was {mechanism!r}.")
    values = np.array(X, float)
    rng = check_random_state(random_state)
    causes = {"MCAR": np.zeros(len(values)), "MAR": values[:, 0], "MNAR": values[:, -1]}
    cause = causes[mechanism]
    z = (cause - cause.mean()) / (float(standard_deviations(cause)) or 1.0)
    # The largest keys of a Gumbel draw are a sample without replacement whose odds rise with z.
    key = SLOPE * z + rng.gumbel(size=len(values))
    values[np.argsort(-key, kind="stable")[: round(share * len(values))], -1] = np.nan
    return values
