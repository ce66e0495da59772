"""Curves over one column by NumPy, scikit-learn, SciPy and statsmodels."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.algorithm import PolynomialRegression
from dmlib.regression.polynomial_regression.local_regression import LocalRegression

MAX_DEGREE = 15  # beyond it, rounding decides in other software


def curve_answers(functions: str, y: Floats, fitted: Floats) -> Answers:
    """Return the heights of a curve at the rows, with its errors."""
    from dmlib.comparison import Answers

    mse, variance = ((y - fitted) ** 2).mean(), y.var()
    r2 = 1 - mse / variance if variance else np.nan
    return Answers(functions, {"fitted_": fitted, "rmse_": np.sqrt(mse), "r2_": r2})


def fit_polynomial(X: Floats, y: Floats, column: int, degree: int) -> Answers:
    """Fit NumPy's polynomial by least squares."""
    x = X[:, column]
    polynomial = np.polynomial.Polynomial.fit(x, y, degree)
    return curve_answers("numpy.polynomial.Polynomial.fit", y, polynomial(x))


def fit_ridge(X: Floats, y: Floats, column: int, degree: int, alpha: float) -> Answers:
    """Fit scikit-learn's ridge regression to standardised powers."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler

    x = X[:, [column]]
    ridge = make_pipeline(
        MinMaxScaler((-1, 1)),
        PolynomialFeatures(degree, include_bias=False),
        StandardScaler(),
        Ridge(alpha, solver="svd"),
    )
    name = "sklearn.linear_model.Ridge on sklearn.preprocessing.PolynomialFeatures"
    return curve_answers(name, y, ridge.fit(x, y).predict(x))


def fit_spline(X: Floats, y: Floats, column: int, n_knots: int) -> Answers:
    """Fit least squares to SciPy's natural splines that are 1 at one knot and 0 at all others."""
    from scipy.interpolate import CubicSpline

    x = X[:, column]
    places = np.unique(x)
    knots = np.quantile(places, np.linspace(0, 1, min(n_knots, len(places))))
    basis = CubicSpline(knots, np.eye(len(knots)), bc_type="natural")(x)
    fitted = basis @ np.linalg.lstsq(basis, y)[0]
    return curve_answers("scipy.interpolate.CubicSpline and numpy.linalg.lstsq", y, fitted)


def fit_lowess(X: Floats, y: Floats, column: int, span: float, n_iter: int) -> Answers:
    """Fit statsmodels' local lines."""
    from statsmodels.nonparametric.smoothers_lowess import lowess

    fitted = lowess(y, X[:, column], frac=span, it=n_iter, return_sorted=False)
    return curve_answers("statsmodels.nonparametric.lowess", y, fitted)


def polynomial_regression_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same curve by other software.

    Raises
    ------
    Incomparable
        If it has no such curve, or rounding decides.
    """
    model = run.fitted
    if isinstance(model, PolynomialRegression):
        return _polynomial_reference(run)
    if isinstance(model, LocalRegression):
        return _lowess_reference(run)
    if len(model.knots_) < 3:
        raise Incomparable("with two knots it is a straight line.")
    column = run.model.column - 1
    return Reference(
        fit_spline, "X", "y", helpers=(curve_answers,), column=column, n_knots=run.model.n_knots
    )


def _polynomial_reference(run: Run[Problem, PolynomialRegression]) -> Reference:
    degree = run.fitted.degree_
    if not 0 < degree == run.model.degree <= MAX_DEGREE:
        raise Incomparable(f"degree {degree} is the mean, or decided by rounding.")
    settings: dict[str, float] = {"column": run.model.column - 1, "degree": degree}
    if not run.model.alpha:
        return Reference(fit_polynomial, "X", "y", helpers=(curve_answers,), **settings)
    settings["alpha"] = run.model.alpha
    return Reference(fit_ridge, "X", "y", helpers=(curve_answers,), **settings)


def _lowess_reference(run: Run[Problem, LocalRegression]) -> Reference:
    model = run.fitted
    n = len(model.places_)
    if model.degree != 1 or model.n_near(n) != int(model.span * n + 1e-10):
        raise Incomparable("statsmodels fits lines, to at least three rows.")
    reference = Reference(
        fit_lowess,
        "X",
        "y",
        helpers=(curve_answers,),
        column=model.column - 1,
        span=model.span,
        n_iter=model.n_iter,
    )
    if not np.isfinite(reference.answer(run).fitted_).all():
        raise Incomparable("statsmodels has no answer where neighbours stand at one place.")
    return reference
