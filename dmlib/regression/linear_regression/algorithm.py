"""Linear regression: least squares with standard errors, tests and limits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import check_columns
from dmlib.estimator import Staged
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Spoken
from dmlib.regression.design import Design, LeastSquares
from dmlib.regression.linear_model import LinearModel
from dmlib.regression.linear_regression.inference import Inference, infer
from dmlib.regression.linear_regression.several_targets import (
    TargetsStep,
    joint_steps,
    several_targets,
)
from dmlib.regression.linear_regression.solvers import (
    LinearRegressionStep,
    gradient_descent,
    normal_equations,
    singular_values,
)


class LinearRegression(Staged, LinearModel):
    r"""Predict a number by a weighted sum of the columns with the smallest squared residuals.

    :math:`\hat y = b_0 + \sum_j b_j x_j` minimises :math:`SSE = \sum_i (y_i - \hat y_i)^2`. A
    nominal column becomes one 0/1 term for each of its levels but the first, the base level
    (treatment coding). With a column of weights, :math:`\sum_i w_i (y_i - \hat y_i)^2` is
    minimised, by the normal equations :math:`X^T W X b = X^T W y`. Of several targets each has its
    own coefficients, by the same equations: :math:`X^T X B = X^T Y`.

    Parameters
    ----------
    solver : {"normal", "svd", "gd"}, default="normal"
        How the coefficients are computed. "normal" solves the normal equations; "svd" takes one
        singular value after the other; "gd" descends along the gradient of SSE / 2n, from zeros,
        on the columns as they are.
    weight_column : int, default=0
        The number of the column, from 1, that holds the weights of the rows, above 0; it is no
        term. 0 for none. Standard errors are right where a row's variance is σ² divided by its
        weight.
    fit_intercept : bool, default=True
        Whether there is a constant term.
    learning_rate : float, default=0.1
        The step length of "gd". Above 2 / λmax of X'X / n (X with a column of ones) it diverges.
    max_iter : int, default=1000
        The maximum number of iterations of "gd".
    tol : float, default=1e-6
        "gd" stops when the cosine of every column with the residuals, times their length relative
        to the target, is at most this.
    confidence_level : float, default=0.95
        The level of confidence and prediction limits.

    Attributes
    ----------
    coef_ : ndarray of shape (n_terms,) or (n_targets, n_terms)
        The coefficients of the terms.
    intercept_ : float or ndarray of shape (n_targets,)
        The constant term. Of several targets, what follows has a number or a row for each, too.
    terms_ : tuple of str
        The names of the terms.
    bases_ : dict of str to str
        The base level of each nominal column.
    sse_, r2_, adjusted_r2_, rmse_ : float
        The (weighted) sum of squared residuals; 1 - SSE / SST, where SST is around zero without an
        intercept; the same with mean squares; √(SSE / n). The last but one is NaN if no degree of
        freedom is left, both if all targets are equal.
    inference_ : Inference or None
        Standard errors, tests and limits; None if no degree of freedom is left or "gd" has not
        converged. Of several targets, that of the first.
    inferences_ : tuple of Inference
        That of each target; empty where there is none.
    residual_covariance_ : ndarray of shape (n_targets, n_targets)
        The covariances of the residuals, E'E / df.
    standard_errors_, t_values_, p_values_ : ndarray of shape (n_coefficients,)
        The same, the intercept (if there is one) first; NaN without inference.
    f_, f_p_ : float
        The test of all terms together.
    n_iter_ : int
        The number of iterations of "gd".
    converged_ : bool
        Whether these are the coefficients of least squares.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, a weight is not above 0, or numbers are too large or too small to be
        squared.

    Notes
    -----
    With n rows and p terms, "normal" takes O(n p² + p³), "svd" O(n p²) with a larger constant, an
    iteration of "gd" O(n p). The first two work around the means, so that columns far from zero
    keep their digits. Where terms depend linearly on others, "normal" holds those that come later
    at 0, as R does, and "svd" takes the solution of smallest coefficients, as scikit-learn does;
    predictions are the same. Targets do not help each other: a column of B is the regression on its
    own target. What they have in common is in the residuals.

    References
    ----------
    A.-M. Legendre (1805), Nouvelles méthodes pour la détermination des orbites des comètes.
    N. R. Draper and H. Smith (1998), Applied Regression Analysis, chapters 1, 5 and 8.
    G. H. Golub and C. F. Van Loan (2013), Matrix Computations, chapter 5. A. C. Aitken (1935), On
    least squares and linear combinations of observations (weights).

    Examples
    --------
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 2.0, 4.0, 5.0])
    >>> model.coef_.round(6).tolist(), round(model.intercept_, 6), round(model.r2_, 6)
    ([1.4], 0.9, 0.98)
    >>> model.standard_errors_.round(6).tolist()
    [0.264575, 0.141421]
    >>> Y = [[1.0, 0.0], [2.0, 2.0], [4.0, 4.0], [5.0, 6.0]]
    >>> LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], Y).coef_.round(6).tolist()
    [[1.4], [2.0]]
    """

    sse_: Any
    r2_: Any
    rmse_: Any
    APPLIES: ClassVar[Conditions] = dict.fromkeys(
        ("learning_rate", "max_iter", "tol"), ("solver", ("gd",))
    )
    SPOKEN: ClassVar[Spoken] = {"solver": {"normal": "normal equations"}}
    LARGEST = 1e150
    PARAMS: ClassVar[dict[str, Param]] = {
        "solver": Choice(("normal", "svd", "gd")),
        "weight_column": Integer(0, 10_000, shown=(0, 10)),
        "fit_intercept": Flag(),
        "learning_rate": Number(1e-12, 1e12, shown=(1e-4, 10.0), log=True),
        "max_iter": Integer(0, 100_000, shown=(1, 1000)),
        "tol": Number(0.0, 1.0, shown=(1e-12, 0.01), log=True),
        "confidence_level": Number(0.5, 0.999, shown=(0.5, 0.999)),
    }

    def __init__(
        self,
        *,
        solver: str = "normal",
        weight_column: int = 0,
        fit_intercept: bool = True,
        learning_rate: float = 0.1,
        max_iter: int = 1000,
        tol: float = 1e-6,
        confidence_level: float = 0.95,
    ) -> None:
        self.solver = solver
        self.weight_column = weight_column
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol
        self.confidence_level = confidence_level

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Find the coefficients for the rows of ``X`` and their numbers ``y``.

        A column of ``y`` is a target.
        """
        check_columns(self, X, y)
        (self._design, data), *others = self._problems(X, y)
        problems = [data, *(problem for _, problem in others)]
        (last,) = deque(joint_steps([*map(self._steps, problems)], problems), maxlen=1)
        assert last.residual_covariance is not None  # it is the end
        self.terms_ = self._design.terms
        self.bases_ = self._design.bases
        self.__dict__.update(self._learned(last if others else last.parts[0]))
        is_single = not others
        self.sse_, self.r2_, self.rmse_ = (
            float(values[0]) if is_single else values for values in (last.sse, last.r2, last.rmse)
        )
        self.inferences_ = last.inferences
        self.inference_ = next(iter(last.inferences), None)
        self.residual_covariance_ = last.residual_covariance
        self.n_iter_ = last.iteration
        self.converged_ = last.converged
        self._means = data.means
        self._mean_leverage = 1 / data.total_weight if self.fit_intercept else 0.0
        if not last.converged:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def _learned(self, step: LinearRegressionStep | TargetsStep) -> dict[str, Any]:
        return {"coef_": step.coef.copy(), "intercept_": step.intercept}

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[Any]:
        """Yield every step; the last is the answer of ``fit``.

        Of several targets each is a :class:`dmlib.regression.TargetsStep`.
        """
        problems = [problem for _, problem in self._problems(X, y)]
        if len(problems) == 1:
            yield from self._steps(problems[0])
        else:
            yield from joint_steps([*map(self._steps, problems)], problems)

    def _problems(self, X: Any, y: ArrayLike | None) -> list[tuple[Design, LeastSquares]]:
        """Return the terms and the problem of each target."""
        targets = several_targets(y)
        if targets is None:
            return [self._prepare(X, y)]
        return [self._prepare(X, target) for target in targets.T]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def leverage(self, X: Any) -> Floats:
        """Return the leverage w x'(X'WX)⁻¹x of rows, shape (n_samples,).

        Raises
        ------
        ValueError
            If there is no inference.
        """
        return self.row_weights(X) * self._spread_at(X)

    def _spread_at(self, X: Any) -> Floats:
        """Return x'(X'WX)⁻¹x of rows: times σ², the variance of their predictions."""
        inference = self._required_inference()
        C = self.design(X) - self._means
        spread: Floats = self._mean_leverage + np.einsum("ij,jk,ik->i", C, inference.spread, C)
        return spread

    def intervals(self, X: Any, *, observation: bool = False) -> Floats:
        """Return lower and upper limits of rows at ``confidence_level``, shape (n_samples, 2).

        They are those of the mean (confidence interval) or of a new ``observation`` (prediction
        interval).

        Raises
        ------
        ValueError
            If there is no inference, or there are several targets.
        """
        inference = self._required_inference()
        if self.coef_.ndim > 1:
            raise ValueError("Limits are those of one target: fit a model to its column alone.")
        quantile = stdtrit(inference.df_resid, 0.5 + self.confidence_level / 2)
        noise = 1 / self.row_weights(X) if observation else 0.0
        margin = quantile * inference.sigma * np.sqrt(self._spread_at(X) + noise)
        predicted = self.predict(X)
        return np.column_stack([predicted - margin, predicted + margin])

    def least_squares(self, X: Any, y: ArrayLike) -> LeastSquares:
        """Return the problem that ``fit`` solves on these rows."""
        return self._prepare(X, y)[1]

    @property
    def adjusted_r2_(self) -> Any:
        """1 - (SSE / df_resid) / (SST / (n - 1)); NaN without inference."""
        inference = self.inference_
        if inference is None:
            return self._tested_together("f")
        df = inference.df_resid
        return 1 - (1 - self.r2_) * (inference.df_model + df) / df

    @property
    def standard_errors_(self) -> Floats:
        """The standard errors, the intercept first."""
        return self._tested("standard_errors")

    @property
    def t_values_(self) -> Floats:
        """Coefficients / standard errors."""
        return self._tested("t")

    @property
    def p_values_(self) -> Floats:
        """Two-sided p-values of t."""
        return self._tested("p")

    @property
    def f_(self) -> Any:
        """The F statistic of all terms together."""
        return self._tested_together("f")

    @property
    def f_p_(self) -> Any:
        """Its p-value."""
        return self._tested_together("f_p")

    @property
    def no_inference_(self) -> str:
        """Why there are no standard errors, as a sentence."""
        if not self.converged_:
            return (
                "There are no standard errors: gradient descent has not converged to least squares."
            )
        return (
            "There are no standard errors: the model has no residual degree of freedom. Add rows or"
            " drop columns."
        )

    def _tested(self, name: str) -> Floats:
        if self.inference_ is None:
            return np.full((*self.coef_.shape[:-1], len(self.terms_) + self.fit_intercept), np.nan)
        values = np.array([getattr(inference, name) for inference in self.inferences_])
        return values if self.coef_.ndim > 1 else np.asarray(values[0])

    def _tested_together(self, name: str) -> Any:
        """Return a number of the test of all terms, one for each of several targets."""
        if self.inference_ is None:
            return np.full(len(self.coef_), np.nan) if self.coef_.ndim > 1 else np.nan
        values = np.array([getattr(inference, name) for inference in self.inferences_])
        return values if self.coef_.ndim > 1 else float(values[0])

    def _required_inference(self) -> Inference:
        check_is_fitted(self)
        if self.inference_ is None:
            raise ValueError(self.no_inference_)
        return self.inference_

    def _steps(self, data: LeastSquares) -> Iterator[LinearRegressionStep]:
        if self.solver == "normal":
            end = yield from normal_equations(data)
        elif self.solver == "svd":
            end = yield from singular_values(data)
        else:
            end = yield from gradient_descent(data, self.learning_rate, self.max_iter, self.tol)
        with np.errstate(over="ignore", invalid="ignore"):
            residuals = data.residuals(end.coef, end.intercept)
            sse = float(residuals @ residuals)
        inference = None
        if end.converged:
            inference = infer(data, end.coef, end.intercept, end.free, self.confidence_level)
        yield LinearRegressionStep(
            "done",
            end.iteration,
            end.intercept,
            end.coef,
            sse,
            converged=end.converged,
            reason=end.reason,
            r2=1 - sse / data.total if data.total > 0 else np.nan,
            rmse=(sse / len(data.y)) ** 0.5,
            inference=inference,
            **end.details,
        )
