"""Ridge, lasso and elastic net: least squares with a penalty on the size of the coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dmlib.classification.columns import check_columns
from dmlib.estimator import Staged
from dmlib.params import Flag, Integer, Number, Param, Ranges
from dmlib.regression.design import Design
from dmlib.regression.linear_model import LinearModel
from dmlib.regression.ridge_lasso.penalty import Penalised, PenaltyStep, descend
from dmlib.regression.ridge_lasso.ranges import penalty_ranges

SHARED: dict[str, Param] = {
    "alpha": Number(0.0, 1e12, shown=(0.01, 10_000.0), log=True),
    "standardize": Flag(),
    "fit_intercept": Flag(),
    "max_iter": Integer(1, 10_000, shown=(1, 100)),
    "tol": Number(0.0, 1.0, shown=(1e-10, 0.1), log=True),
}


class _Penalty(Staged, LinearModel):
    """Base class: a subclass has its share of the absolute values in the penalty."""

    RANGES: ClassVar[Ranges] = staticmethod(penalty_ranges)
    PARAMS: ClassVar[dict[str, Param]] = SHARED
    LARGEST = 1e100

    def __init__(
        self,
        *,
        alpha: float = 50.0,
        standardize: bool = True,
        fit_intercept: bool = True,
        max_iter: int = 100,
        tol: float = 1e-4,
    ) -> None:
        self.alpha = alpha
        self.standardize = standardize
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    @property
    def share(self) -> float:
        """The share of the absolute values in the penalty."""
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Find the coefficients for the rows of ``X`` and their numbers ``y``."""
        check_columns(self, X, y)
        self._design, problem = self._problem(X, y)
        for step in descend(problem, self.max_iter, self.tol):
            last = step
        self.terms_ = self._design.terms
        self.standardized_coef_ = last.standardized_coef
        self.scale_ = problem.scale
        self._fitted_problem = problem
        self.__dict__.update(self._learned(last))
        self.sse_ = last.sse
        self.objective_ = last.objective
        self.n_iter_ = last.sweep
        total = problem.data.total
        n = len(problem.data.y)
        self.r2_ = 1 - last.sse / total if total > 0 else np.nan
        self.rmse_ = (last.sse / n) ** 0.5
        self.degrees_of_freedom_ = problem.degrees_of_freedom(last.standardized_coef)
        absolute = self.alpha * self.share / (2 * n)
        square = self.alpha * (1 - self.share) / n
        self.sklearn_ = _mixed(absolute, square)
        self.glmnet_ = _mixed(absolute, square * (total / n) ** 0.5)
        return self

    def _learned(self, step: PenaltyStep) -> dict[str, Any]:
        problem = self._fitted_problem
        coef = problem.original(step.standardized_coef)
        return {"coef_": coef, "intercept_": problem.data.intercept(coef)}

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[PenaltyStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from descend(self._problem(X, y)[1], self.max_iter, self.tol)

    def penalised(self, X: Any, y: ArrayLike) -> Penalised:
        """Return the problem that ``fit`` solves on these rows."""
        return self._problem(X, y)[1]

    def _problem(self, X: Any, y: Any) -> tuple[Design, Penalised]:
        """Check everything; return the terms and the problem."""
        design, data = self._prepare(X, y)
        return design, Penalised.of(data, self.alpha, self.share, self.standardize)


def _mixed(absolute: float, square: float) -> tuple[float, float]:
    """Return strength and share of SSE / 2n + strength · (share Σ|b| + (1 − share) / 2 Σ b²)."""
    strength = absolute + square
    return strength, absolute / strength if strength else 1.0


class Ridge(_Penalty):
    r"""Predict a number by least squares with a penalty on the squared coefficients.

    The coefficients of the standardised columns minimise :math:`SSE + \lambda \sum_j b_j^2`; the
    intercept is free.

    Parameters
    ----------
    alpha : float, default=50.0
        λ, the weight of the penalty; 0 is least squares. scikit-learn's ``Ridge`` has the same, on
        standardised columns.
    standardize : bool, default=True
        Whether columns are divided by their standard deviation (that of n) first, without an
        intercept by the root of their mean square, since they are not moved to mean 0; the
        coefficients are those of the columns as they are.
    fit_intercept : bool, default=True
        Whether there is a constant term, which is not penalised.
    max_iter : int, default=100
        The maximum number of sweeps over the columns. Equations that are solved after them make
        the result exact.
    tol : float, default=1e-4
        A sweep is the last if no fitted number moved by more than this, relative to the length of
        the target.

    Attributes
    ----------
    coef_, standardized_coef_ : ndarray of shape (n_terms,)
        The coefficients of the terms, as they are and standardised.
    intercept_ : float
        The constant term.
    terms_ : tuple of str
        The names of the terms; a nominal column has one for each level but its first.
    scale_ : ndarray of shape (n_terms,)
        What the terms were divided by; 0 for a constant one, whose coefficient is 0.
    sse_, objective_, r2_, rmse_ : float
        The sum of squared residuals, the same with the penalty, 1 - SSE / SST, √(SSE / n). Without
        an intercept SST is the sum of the squared targets.
    degrees_of_freedom_ : float
        The trace of the hat matrix, without the intercept.
    sklearn_, glmnet_ : tuple of (float, float)
        The same model in the scaling of other libraries: ``alpha, l1_ratio`` of scikit-learn's
        ``ElasticNet`` on standardised columns, and ``lambda, alpha`` of glmnet, which brings the
        target to standard deviation 1 as well.
    n_iter_ : int
        The number of sweeps.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or numbers are too large or too small to be squared.

    Notes
    -----
    With n rows and p terms, O(n p²) for the sums of products, O(p) a coordinate step, O(p³) for the
    equations.

    References
    ----------
    A. E. Hoerl and R. W. Kennard (1970), Ridge regression: biased estimation for nonorthogonal
    problems.

    Examples
    --------
    >>> model = Ridge(alpha=4.0).fit([[1.0], [2.0], [3.0], [6.0]], [2.0, 3.0, 7.0, 8.0])
    >>> model.standardized_coef_.round(4).tolist(), model.coef_.round(4).tolist()
    ([1.1359], [0.6071])
    """

    @property
    def share(self) -> float:
        """The share of the absolute values in the penalty: none."""
        return 0.0


class Lasso(_Penalty):
    r"""Predict a number by least squares with a penalty on the absolute coefficients.

    The coefficients of the standardised columns minimise :math:`SSE + \lambda \sum_j |b_j|`; the
    intercept is free.

    Parameters
    ----------
    alpha : float, default=50.0
        λ, the weight of the penalty; 0 is least squares. It is 2n times that of glmnet and of
        scikit-learn.
    standardize : bool, default=True
        Whether columns are divided by their standard deviation (that of n) first, without an
        intercept by the root of their mean square, since they are not moved to mean 0; the
        coefficients are those of the columns as they are.
    fit_intercept : bool, default=True
        Whether there is a constant term, which is not penalised.
    max_iter : int, default=100
        The maximum number of sweeps over the columns. Equations that are solved after them make
        the result exact.
    tol : float, default=1e-4
        A sweep is the last if no fitted number moved by more than this, relative to the length of
        the target.

    Attributes
    ----------
    coef_, standardized_coef_, intercept_, terms_, scale_, sse_, objective_, r2_, rmse_,
    degrees_of_freedom_
        As those of :class:`Ridge`; the degrees of freedom are the number of coefficients that are
        not 0.
    sklearn_, glmnet_, n_iter_, n_features_in_
        As those of :class:`Ridge`.

    Raises
    ------
    ValueError
        If a value is missing, or numbers are too large or too small to be squared.

    Notes
    -----
    As :class:`Ridge`; the equations are those of the columns that are not 0, found by feature-sign
    search. Of columns that depend on each other, the minimum leaves open which ones are not 0.

    References
    ----------
    R. Tibshirani (1996), Regression shrinkage and selection via the lasso.
    J. Friedman, T. Hastie and R. Tibshirani (2010), Regularization paths for generalized linear
    models via coordinate descent. H. Lee, A. Battle, R. Raina and A. Ng (2007), Efficient sparse
    coding algorithms.

    Examples
    --------
    >>> model = Lasso(alpha=4.0).fit([[1.0], [2.0], [3.0], [6.0]], [2.0, 3.0, 7.0, 8.0])
    >>> model.standardized_coef_.round(4).tolist(), model.coef_.round(4).tolist()
    ([1.7717], [0.947])
    """

    @property
    def share(self) -> float:
        """The share of the absolute values in the penalty: all of it."""
        return 1.0


class ElasticNet(_Penalty):
    r"""Predict a number by least squares with a penalty on absolute and squared coefficients.

    Few columns are selected as in the lasso, and correlated ones enter together.

    The coefficients of the standardised columns minimise
    :math:`SSE + \lambda (\rho \sum_j |b_j| + (1 - \rho) \sum_j b_j^2)`; the intercept is free.

    Parameters
    ----------
    alpha : float, default=50.0
        λ, the weight of the penalty; 0 is least squares.
    l1_ratio : float, default=0.5
        ρ, the share of the absolute values: 1 is the lasso, 0 ridge.
    standardize : bool, default=True
        Whether columns are divided by their standard deviation (that of n) first, without an
        intercept by the root of their mean square, since they are not moved to mean 0; the
        coefficients are those of the columns as they are.
    fit_intercept : bool, default=True
        Whether there is a constant term, which is not penalised.
    max_iter : int, default=100
        The maximum number of sweeps over the columns. Equations that are solved after them make
        the result exact.
    tol : float, default=1e-4
        A sweep is the last if no fitted number moved by more than this, relative to the length of
        the target.

    Attributes
    ----------
    coef_, standardized_coef_, intercept_, terms_, scale_, sse_, objective_, r2_, rmse_,
    degrees_of_freedom_
        As those of :class:`Ridge`.
    sklearn_, glmnet_, n_iter_, n_features_in_
        As those of :class:`Ridge`.

    Raises
    ------
    ValueError
        If a value is missing, or numbers are too large or too small to be squared.

    Notes
    -----
    As :class:`Lasso`.

    References
    ----------
    H. Zou and T. Hastie (2005), Regularization and variable selection via the elastic net.

    Examples
    --------
    >>> model = ElasticNet(alpha=4.0).fit([[1.0], [2.0], [3.0], [6.0]], [2.0, 3.0, 7.0, 8.0])
    >>> model.standardized_coef_.round(4).tolist()
    [1.3478]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "alpha": SHARED["alpha"],
        "l1_ratio": Number(0.0, 1.0, shown=(0.0, 1.0), step=0.05),
        **SHARED,
    }

    def __init__(
        self,
        *,
        alpha: float = 50.0,
        l1_ratio: float = 0.5,
        standardize: bool = True,
        fit_intercept: bool = True,
        max_iter: int = 100,
        tol: float = 1e-4,
    ) -> None:
        super().__init__(
            alpha=alpha,
            standardize=standardize,
            fit_intercept=fit_intercept,
            max_iter=max_iter,
            tol=tol,
        )
        self.l1_ratio = l1_ratio

    @property
    def share(self) -> float:
        """The share of the absolute values in the penalty."""
        return float(self.l1_ratio)
