"""Penalised least squares by coordinate descent: one coefficient after another, each by its soft threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.params import Integer, Number, Param, Ranges, check_params
from dmlib.regression.ridge_lasso.ranges import alpha_range
from dmlib.trace import look

Floats = NDArray[np.float64]

ONE_BY_ONE = 20  # sweeps in which every coordinate is a step; then every sweep is one
LARGEST = 1e100  # numbers up to which sums of squares are finite


@dataclass(frozen=True)
class PenaltyStep:
    """A coefficient was updated.

    Attributes
    ----------
    phase : {"start", "update", "zero", "done"}
        "zero": the threshold swallowed the coefficient.
    sweep : int
        How many passes over the coefficients have begun.
    coordinate : int
        The coefficient; -1 at the start and at the end.
    rho : float
        Sum of products of the centred column with the residuals that all other columns leave.
    square : float
        Sum of squares of the centred column.
    before : float
        The coefficient until then.
    coef : ndarray of shape (n_features,)
        All coefficients now.
    intercept : float
        The mean of the target less that of the weighted columns.
    sse, penalty, objective : float
        Sum of squared residuals, alpha times the size of the coefficients, and their sum.
    converged : bool
        Whether no coefficient moves any more.
    """

    phase: str
    sweep: int
    coordinate: int
    rho: float
    square: float
    before: float
    coef: Floats
    intercept: float
    sse: float
    penalty: float
    objective: float
    converged: bool = False


@dataclass(frozen=True)
class Centred:
    """Sums of squares and products around the means: all that coordinate descent needs.

    Attributes
    ----------
    means : ndarray of shape (n_features,)
        Of the columns.
    y_mean : float
        Of the target.
    gram : ndarray of shape (n_features, n_features)
        Products of the centred columns.
    products : ndarray of shape (n_features,)
        Products of the centred columns with the centred target.
    total : float
        Sum of squares of the centred target.
    """

    means: Floats
    y_mean: float
    gram: Floats
    products: Floats
    total: float

    @classmethod
    def of(cls, X: Floats, y: Floats) -> Centred:
        """Centre and sum up."""
        means, y_mean = X.mean(axis=0), float(y.mean())
        Xc, yc = X - means, y - y_mean
        return cls(means, y_mean, Xc.T @ Xc, Xc.T @ yc, float(yc @ yc))

    def sse(self, coef: Floats) -> float:
        """Return the sum of squared residuals; never below 0."""
        return max(float(self.total - 2 * self.products @ coef + coef @ self.gram @ coef), 0.0)


def soft_threshold(rho: float, threshold: float) -> float:
    """Return rho moved towards 0 by a threshold, and 0 if that is farther than 0.

    Examples
    --------
    >>> soft_threshold(5.0, 2.0), soft_threshold(-5.0, 2.0), soft_threshold(1.0, 2.0)
    (3.0, -3.0, 0.0)
    """
    return float(np.sign(rho) * max(abs(rho) - threshold, 0.0))


class ElasticNet(RegressorMixin, BaseEstimator):
    r"""Least squares with a penalty on the absolute and on the squared size of the coefficients.

    :math:`SSE + \alpha \left(\rho \sum_j |b_j| + (1 - \rho) \sum_j b_j^2\right)` becomes least; the intercept is free.
    scikit-learn divides the SSE by 2n, and glmnet by 2n as well: the lasso with alpha here is theirs with alpha / 2n.

    Parameters
    ----------
    alpha : float, default=50.0
        The price: 0 is least squares.
    l1_ratio : float, default=0.5
        How much of it is paid for absolute values: 0 is ridge regression, 1 the lasso.
    max_iter : int, default=10000
        The largest number of passes over the coefficients.
    tol : float, default=1e-10
        It stops when no update changes the fit by more than this share of the target's length.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The coefficients.
    intercept_ : float
        The constant term.
    sse_, penalty_, objective_ : float
        Sum of squared residuals, the penalty, and their sum.
    r2_ : float
        1 - SSE / SST; NaN if all targets are equal.
    n_nonzero_ : int
        How many coefficients are not 0.
    n_iter_ : int
        The number of passes.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(n p^2) for the sums and O(p) for each update. An update of b_j solves its own problem exactly: with rho = sum of
    products of the column with the residuals of all other columns, b_j = S(rho, alpha l1_ratio / 2) / (square +
    alpha (1 - l1_ratio)), where S is the soft threshold.

    References
    ----------
    A. E. Hoerl and R. W. Kennard (1970), Ridge regression. Technometrics 12, 55-67.
    R. Tibshirani (1996), Regression shrinkage and selection via the lasso. JRSS B 58, 267-288.
    H. Zou and T. Hastie (2005), Regularization and variable selection via the elastic net. JRSS B 67, 301-320.
    J. Friedman, T. Hastie and R. Tibshirani (2010), Regularization paths by coordinate descent. J. Stat. Softw. 33.

    Examples
    --------
    >>> X, y = [[-1.0, 1.0], [0.0, -2.0], [1.0, 1.0]], [-2.0, -1.0, 3.0]
    >>> Lasso(4.0).fit(X, y).coef_.tolist(), Ridge(2.0).fit(X, y).coef_.round(6).tolist()
    ([1.5, 0.16666666666666666], [1.25, 0.375])
    """

    RANGES: ClassVar[Ranges] = staticmethod(alpha_range)
    PARAMS: ClassVar[dict[str, Param]] = {
        "alpha": Number(0.0, 1e12, shown=(0.01, 1000.0), log=True),
        "l1_ratio": Number(0.0, 1.0, step=0.05),
        "max_iter": Integer(1, 100_000, shown=(1, 1000)),
        "tol": Number(0.0, 1.0, shown=(1e-12, 0.01), log=True),
    }

    def __init__(
        self, alpha: float = 50.0, l1_ratio: float = 0.5, *, max_iter: int = 10_000, tol: float = 1e-10
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.max_iter = max_iter
        self.tol = tol

    @property
    def share(self) -> float:
        """How much of the price is paid for absolute values."""
        return self.l1_ratio

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the coefficients for the rows of ``X`` and their numbers ``y``."""
        validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        for step in self.steps(X, y):
            last = step
        return self._become(last, np.asarray(y, float))

    def fit_from(self, steps: list[PenaltyStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become what the steps say."""
        validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        return self._become(steps[-1], np.asarray(y, float))

    def _become(self, last: PenaltyStep, y: Floats) -> Self:
        self.coef_, self.intercept_ = last.coef.copy(), last.intercept
        self.sse_, self.penalty_, self.objective_ = last.sse, last.penalty, last.objective
        total = float(((y - y.mean()) ** 2).sum())
        self.r2_ = 1 - last.sse / total if total > 0 else float("nan")
        self.n_nonzero_, self.n_iter_ = int((last.coef != 0).sum()), max(last.sweep, 1)
        if not last.converged:
            warn(f"Not converged after {last.sweep} passes. Raise max_iter or alpha.", ConvergenceWarning, stacklevel=3)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return the predicted numbers of rows, shape (n_samples,)."""
        check_is_fitted(self)
        predicted: Floats = validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_ + self.intercept_
        return predicted

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[PenaltyStep]:
        """Yield every update; after 20 passes only the last of each pass."""
        data = self.centred(X, y)
        share, half = self.share, self.alpha * self.share / 2
        squared = self.alpha * (1 - share)
        coef = np.zeros(len(data.means))
        squares = np.diag(data.gram).copy()
        still = self.tol * np.sqrt(data.total)

        def step(phase: str, sweep: int, j: int, rho: float, before: float, converged: bool = False) -> PenaltyStep:
            sse, now = data.sse(coef), coef.copy()
            size = self.alpha * float(share * np.abs(now).sum() + (1 - share) * (now**2).sum())
            intercept = data.y_mean - float(now @ data.means)
            square = float(squares[j]) if j >= 0 else 0.0
            return PenaltyStep(phase, sweep, j, rho, square, before, now, intercept, sse, size, sse + size, converged)

        yield step("start", 0, -1, 0.0, 0.0)
        converged = False
        sweep = 0
        while sweep < self.max_iter and not converged:
            look()
            sweep += 1
            moved = 0.0
            for j, square in enumerate(squares):
                before = coef[j]
                rho = float(data.products[j] - data.gram[j] @ coef + square * before)
                whole = square + squared
                coef[j] = soft_threshold(rho, half) / whole if whole > 0 and square > 0 else 0.0
                moved = max(moved, abs(coef[j] - before) * np.sqrt(square))
                if sweep <= ONE_BY_ONE or j == len(squares) - 1:
                    yield step("update" if coef[j] else "zero", sweep, j, rho, float(before))
            converged = bool(moved <= still)
        yield step("done", sweep, -1, 0.0, 0.0, converged)

    def centred(self, X: ArrayLike, y: ArrayLike | None) -> Centred:
        """Return the sums around the means.

        Raises
        ------
        ValueError
            If there is no target, or numbers are too large.
        """
        check_params(self.PARAMS, self.get_params())
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        rows, target = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        if max(np.abs(rows).max(), np.abs(target).max()) > LARGEST:
            raise ValueError(f"A number is beyond {LARGEST:g}, and cannot be squared. Rescale the columns.")
        return Centred.of(rows, target.astype(np.float64))


WITHOUT_RATIO = {name: spec for name, spec in ElasticNet.PARAMS.items() if name != "l1_ratio"}


class Lasso(ElasticNet):
    """Least squares with a price on the absolute size of the coefficients, which makes some of them 0.

    SSE + alpha * sum of |b| becomes least; the intercept is free. See :class:`ElasticNet` for attributes, cost and
    sources.

    Parameters
    ----------
    alpha : float, default=50.0
        The price: 0 is least squares, and from 2 max |x'y| on (centred) all coefficients are 0.
    max_iter : int, default=10000
        The largest number of passes over the coefficients.
    tol : float, default=1e-10
        It stops when no update changes the fit by more than this share of the target's length.

    References
    ----------
    R. Tibshirani (1996), Regression shrinkage and selection via the lasso. JRSS B 58, 267-288.

    Examples
    --------
    >>> Lasso(6.0).fit([[-1.0], [0.0], [1.0]], [-3.0, 0.0, 3.0]).coef_.tolist()
    [1.5]
    """

    PARAMS: ClassVar[dict[str, Param]] = WITHOUT_RATIO

    def __init__(self, alpha: float = 50.0, *, max_iter: int = 10_000, tol: float = 1e-10) -> None:
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol

    @property
    def share(self) -> float:
        """All of the price is paid for absolute values."""
        return 1.0


class Ridge(ElasticNet):
    """Least squares with a price on the squared size of the coefficients, which shrinks all and makes none of them 0.

    SSE + alpha * sum of b^2 becomes least; the intercept is free. See :class:`ElasticNet` for attributes, cost and
    sources.

    Parameters
    ----------
    alpha : float, default=50.0
        The price: 0 is least squares.
    max_iter : int, default=10000
        The largest number of passes over the coefficients.
    tol : float, default=1e-10
        It stops when no update changes the fit by more than this share of the target's length.

    References
    ----------
    A. E. Hoerl and R. W. Kennard (1970), Ridge regression. Technometrics 12, 55-67.

    Examples
    --------
    >>> Ridge(2.0).fit([[-1.0], [0.0], [1.0]], [-3.0, 0.0, 3.0]).coef_.tolist()
    [1.5]
    """

    PARAMS: ClassVar[dict[str, Param]] = WITHOUT_RATIO

    def __init__(self, alpha: float = 50.0, *, max_iter: int = 10_000, tol: float = 1e-10) -> None:
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol

    @property
    def share(self) -> float:
        """None of the price is paid for absolute values."""
        return 0.0


def least_squares(data: Centred) -> Floats:
    """Return the coefficients without a price; the smallest ones where many are equally good."""
    return np.asarray(np.linalg.lstsq(data.gram, data.products, rcond=1e-12)[0])
