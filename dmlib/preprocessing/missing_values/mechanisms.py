"""Why values are missing: tests of it, and holes that are made on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns
from dmlib.squares import standard_deviations
from dmlib.trace import look

MECHANISMS = ("MCAR", "MAR", "MNAR")
STEEP = 2.0  # how much one standard deviation raises the log odds of a hole
TURNS, CLOSE = 300, 1e-9  # of expectation-maximisation


@dataclass(frozen=True)
class MCARReport:
    """Whether the holes of a table look as if chance alone had made them.

    Attributes
    ----------
    statistic, dof, p_value : float
        Little's test over the columns of numbers; NaN where it cannot be done.
    tests : DataFrame
        For each column with holes and each other column: Welch's t of the other's numbers, or
        chi-squared of its names, between the rows with and without the hole; with the p-value.
    patterns : DataFrame
        Which columns are missing together (true: missing), and in how many rows; the most frequent
        first.
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
    Little's statistic compares the means of each pattern with those that expectation-maximisation
    finds for all:
    :math:`d^2 = \sum_P n_P (\bar x_P - \mu_P)' \Sigma_P^{-1} (\bar x_P - \mu_P)`.

    References
    ----------
    R. J. A. Little (1988), A test of missing completely at random. J. American Statistical
    Association 83, 1198-1202.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [1.0, 2.0, 3.0, 9.0, 10.0, 11.0], "b": [1.0, 2.5, 3.0, None, None, None]})
    >>> report = mcar_report(table)
    >>> report.tests["p_value"].round(4).tolist(), report.patterns["rows"].tolist()
    ([0.0006], [3, 3])
    """
    columns, matrix = Columns.read(df)
    holes = np.isnan(matrix)
    found, counts = np.unique(holes, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    patterns = pd.DataFrame(found[order], columns=list(columns.names)).assign(rows=counts[order])
    numeric = ~columns.nominal & ~holes.all(axis=0)
    return MCARReport(*_little(matrix[:, numeric]), _tests(columns, matrix, holes), patterns)


def _tests(columns: Columns, matrix: Floats, holes: NDArray[np.bool_]) -> pd.DataFrame:
    rows = []
    for j in np.flatnonzero(holes.any(axis=0)):
        for i, names in enumerate(columns.categories):
            if i == j:
                continue
            look()
            there = ~holes[:, i]
            gone, kept = matrix[there & holes[:, j], i], matrix[there & ~holes[:, j], i]
            told = _welch(gone, kept) if names is None else _chi_squared(gone, kept, len(names))
            rows.append(
                (columns.names[j], columns.names[i], "t" if names is None else "chi-squared", *told)
            )
    return pd.DataFrame(rows, columns=["missing", "other", "test", "statistic", "p_value"])


def _welch(gone: Floats, kept: Floats) -> tuple[float, float]:
    if min(len(gone), len(kept)) < 2 or (np.ptp(gone) == 0 and np.ptp(kept) == 0):
        return float("nan"), float("nan")
    told = stats.ttest_ind(gone, kept, equal_var=False)
    return float(told.statistic), float(told.pvalue)


def _chi_squared(gone: Floats, kept: Floats, n_names: int) -> tuple[float, float]:
    table = np.array([np.bincount(part.astype(int), minlength=n_names) for part in (gone, kept)])
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] < 2 or not table.sum(axis=1).all():
        return float("nan"), float("nan")
    told = stats.chi2_contingency(table, correction=False)
    return float(told.statistic), float(told.pvalue)


def _little(X: Floats) -> tuple[float, float, float]:
    nothing = (float("nan"),) * 3
    X = X[~np.isnan(X).all(axis=1)]
    if X.shape[1] < 2 or not np.isnan(X).any() or len(X) < 3:
        return nothing
    mean, spread = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    varies = np.nanmax(X, axis=0) > np.nanmin(X, axis=0)
    X = (X[:, varies] - mean[varies]) / spread[varies]
    d = X.shape[1]
    groups, of = np.unique(np.isnan(X), axis=0, return_inverse=True)
    parts = []
    for g, missing in enumerate(groups):
        rows = X[of.ravel() == g][:, ~missing]
        if rows.shape[1]:
            parts.append(
                (
                    ~missing,
                    len(rows),
                    rows.mean(axis=0),
                    np.cov(rows.T, bias=True).reshape(rows.shape[1], -1),
                )
            )
    n, mu, sigma = sum(part[1] for part in parts), np.zeros(d), np.eye(d)
    for _ in range(TURNS):
        look()
        shift, second = np.zeros(d), np.zeros((d, d))
        for there, size, middle, cov in parts:
            to = np.zeros((d, int(there.sum())))
            to[there] = np.eye(len(middle))
            to[~there] = sigma[np.ix_(~there, there)] @ np.linalg.pinv(
                sigma[np.ix_(there, there)], hermitian=True
            )
            off = middle - mu[there]
            left = sigma - to @ sigma[there]
            left[there] = left[:, there] = 0.0
            shift += size * to @ off
            second += size * (to @ (cov + np.outer(off, off)) @ to.T + left)
        step = shift / n
        new = second / n - np.outer(step, step)
        moved = max(float(np.abs(step).max()), float(np.abs(new - sigma).max()))
        mu, sigma = mu + step, (new + new.T) / 2
        if moved < CLOSE:
            break
    squares = sum(
        size
        * (off := middle - mu[there])
        @ np.linalg.pinv(sigma[np.ix_(there, there)], hermitian=True)
        @ off
        for there, size, middle, _ in parts
    )
    dof = sum(int(there.sum()) for there, *_ in parts) - d
    return (float(squares), float(dof), float(stats.chi2.sf(squares, dof))) if dof > 0 else nothing


def make_holes(X: ArrayLike, mechanism: str, share: float = 0.3, random_state: Any = 0) -> Floats:
    """Take values out of the last column of numbers on purpose.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers without holes, of two columns or more.
    mechanism : {"MCAR", "MAR", "MNAR"}
        By chance alone; more where the first column is large; more where the value itself is large.
    share : float
        Which share of the values is taken.
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
    from sklearn.utils import check_random_state

    values = np.array(X, float)
    rng = check_random_state(random_state)
    by = (
        np.zeros(len(values)) if mechanism == "MCAR" else values[:, 0 if mechanism == "MAR" else -1]
    )
    z = (by - by.mean()) / (float(standard_deviations(by)) or 1.0)
    # The largest keys of a Gumbel draw are a sample without replacement whose odds rise with z.
    key = STEEP * z + rng.gumbel(size=len(values))
    values[np.argsort(-key, kind="stable")[: round(share * len(values))], -1] = np.nan
    return values
