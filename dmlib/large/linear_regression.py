"""Linear regression in one pass over a table, from the sums of products of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.special import fdtrc, stdtr
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.large.blocks import complete, numbers, summarised
from dmlib.large.moments import Products
from dmlib.large.source import open_table
from dmlib.params import Flag, Param, check_params

DEPENDENT = 1e-10
"""Share of a column's variance that the columns before it leave unexplained, up to which it counts
as none."""


class LinearRegression(RegressorMixin, BaseEstimator):
    r"""Fit ordinary least squares in one pass over a table.

    With S the sums of products of the columns around their means and s those with the target, the
    coefficients are :math:`b = S^{-1} s`, SSE is :math:`s_{yy} - b's`, and the standard errors are
    the roots of the diagonal of :math:`S^{-1}` SSE / df.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether there is a constant term.

    Attributes
    ----------
    coef_ : ndarray of shape (n_columns,)
        The coefficients.
    intercept_ : float
        The constant term.
    sse_, r2_, rmse_ : float
        The sum of squared residuals; 1 - SSE / SST, where SST is around zero without an intercept;
        √(SSE / n).
    standard_errors_, t_values_, p_values_ : ndarray of shape (n_coefficients,)
        Of the coefficients, the intercept (if there is one) first; NaN if no degree of freedom is
        left.
    f_, f_p_ : float
        The test of all columns together.
    df_resid_ : int
        The residual degrees of freedom.
    n_samples_, n_incomplete_ : int
        How many rows were used, and left out because a value is missing.
    columns_ : tuple of str
        The columns that are used.

    Raises
    ------
    ValueError
        If a column holds no numbers, or there is no complete row.

    Notes
    -----
    O(n p²) in one pass; memory of p² numbers beside a block. Columns are scaled to the same length
    before their matrix is inverted, which has the square of their condition: a column of whose
    variance the columns before it leave less than 1e-10 is held at 0, as R does with dependent
    ones.

    References
    ----------
    T. F. Chan, G. H. Golub and R. J. LeVeque (1979), Updating formulae and a pairwise algorithm for
    computing sample variances. N. R. Draper and H. Smith (1998), Applied Regression Analysis,
    chapters 1 and 5.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [1.0, 2.0, 4.0, 5.0]})
    >>> model = LinearRegression().fit(frame, "y")
    >>> model.coef_.round(6).tolist(), round(model.intercept_, 6), round(model.r2_, 6)
    ([1.4], 0.9, 0.98)
    >>> model.standard_errors_.round(6).tolist()
    [0.264575, 0.141421]
    """

    PARAMS: ClassVar[dict[str, Param]] = {"fit_intercept": Flag()}

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: str, *, columns: Any = None) -> Self:
        """Find the coefficients for the column ``y`` of a large table (see :func:`open_table`).

        ``columns`` are those that predict it, by default all others of numbers.
        """
        check_params(self.PARAMS, self.get_params())
        source = open_table(X)
        target = source.select([y], numeric=True)
        self.columns_ = tuple(name for name in source.select(columns, numeric=True) if name != y)
        if not self.columns_:
            raise ValueError(f"There is no column of numbers beside {y!r} to predict it from.")
        summary = summarised(source, (*self.columns_, *target), _all_rows)
        self.n_samples_, self.n_incomplete_ = summary.products.n, summary.n - summary.products.n
        if not self.n_samples_:
            raise ValueError("No row is complete: each has a missing value in one of the columns.")
        self._solve(summary.products)
        return self

    def predict(self, X: Any) -> Floats:
        """Return the predictions for a data frame or a matrix that fits into memory."""
        check_is_fitted(self)
        rows = (
            X[list(self.columns_)].to_numpy(float)
            if isinstance(X, pd.DataFrame)
            else np.asarray(X, float)
        )
        predicted: Floats = rows @ self.coef_ + self.intercept_
        return predicted

    def _solve(self, sums: Products) -> None:
        """Solve the normal equations."""
        n, constant = sums.n, int(self.fit_intercept)
        around = sums.products if constant else sums.products + n * np.outer(sums.mean, sums.mean)
        S, s, total = around[:-1, :-1], around[:-1, -1], float(around[-1, -1])
        means, height = sums.mean[:-1], float(sums.mean[-1])
        inverse, free = _inverse(S, n - constant)
        self.coef_ = inverse @ s
        self.coef_ += inverse @ (
            s - S @ self.coef_
        )  # once more, for the digits that the inverse has lost
        self.coef_[~free] = 0.0
        self.intercept_ = height - float(means @ self.coef_) if constant else 0.0
        self.sse_ = max(0.0, total - float(self.coef_ @ (2 * s - S @ self.coef_)))
        self.r2_ = 1 - self.sse_ / total if total > 0 else np.nan
        self.rmse_ = (self.sse_ / n) ** 0.5
        spread = inverse
        if constant:
            cross = -inverse @ means
            spread = np.block(
                [[np.array([[1 / n - means @ cross]]), cross[None]], [cross[:, None], inverse]]
            )
        self._test(spread, free, total)

    def _test(self, spread: Floats, free: NDArray[np.bool_], total: float) -> None:
        """Set the standard errors and tests."""
        rank, constant = int(free.sum()), int(self.fit_intercept)
        self.df_resid_ = self.n_samples_ - rank - constant
        values = np.concatenate([[self.intercept_] * constant, self.coef_])
        is_complete = np.concatenate([[True] * constant, free])
        if self.df_resid_ < 1 or not rank + constant:
            self.standard_errors_ = self.t_values_ = self.p_values_ = np.full(len(values), np.nan)
            self.f_ = self.f_p_ = np.nan
            return
        variance = self.sse_ / self.df_resid_
        with np.errstate(divide="ignore", invalid="ignore"):
            self.standard_errors_ = np.where(
                is_complete, np.sqrt(variance * np.diag(spread)), np.nan
            )
            self.t_values_ = values / self.standard_errors_
            self.f_ = float(np.divide((total - self.sse_) / rank, variance)) if rank else np.nan
        self.p_values_ = 2 * stdtr(self.df_resid_, -np.abs(self.t_values_))
        self.f_p_ = float(fdtrc(rank, self.df_resid_, max(self.f_, 0.0)))


@dataclass(frozen=True)
class _AllRows:
    n: int
    products: Products

    def merge(self, following: _AllRows) -> _AllRows:
        return _AllRows(self.n + following.n, self.products.merge(following.products))


def _all_rows(block: pd.DataFrame, _start: int) -> _AllRows:
    return _AllRows(len(block), Products.of(complete(numbers(block))))


def _inverse(S: Floats, max_rank: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Return S⁻¹ on the independent columns, zeros elsewhere, and which columns these are."""
    sizes = np.sqrt(np.diag(S))
    R = S / np.outer(np.where(sizes > 0, sizes, 1), np.where(sizes > 0, sizes, 1))
    free: list[int] = []
    L = np.zeros((0, 0))
    for j in np.flatnonzero(sizes > 0).tolist():
        row = solve_triangular(L, R[free, j], lower=True) if free else np.empty(0)
        n_free = R[j, j] - row @ row
        if n_free > DEPENDENT and len(free) < max_rank:
            L = np.block(
                [[L, np.zeros((len(free), 1))], [row[None], np.array([[np.sqrt(n_free)]])]]
            )
            free.append(j)
    inverse = np.zeros_like(S)
    if free:
        inverse[np.ix_(free, free)] = cho_solve(
            cho_factor(R[np.ix_(free, free)]), np.eye(len(free))
        ) / np.outer(sizes[free], sizes[free])
    return inverse, np.isin(np.arange(len(S)), free)
