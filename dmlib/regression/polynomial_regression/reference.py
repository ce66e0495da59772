"""The same curves by NumPy, scikit-learn, SciPy and statsmodels, and the code that fits them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.regression.polynomial_regression.algorithm import PolynomialRegression
from dmlib.regression.polynomial_regression.local_regression import LocalRegression

TOO_HIGH = 15  # from this degree on, rounding decides in other software


def polynomial_regression_reference(run: Run) -> Any:
    """Return the heights that other software gives the rows.

    Raises
    ------
    Incomparable
        If it has no such curve, or rounding decides.
    """
    model, learned = run.fitted, run.problem.training
    x, y = model.x_of(np.asarray(learned.X, float)), np.asarray(learned.y, float)
    if isinstance(model, PolynomialRegression):
        if not 0 < model.degree_ == run.model.degree <= TOO_HIGH:
            raise Incomparable(f"degree {model.degree_} is the mean, or decided by rounding.")
        named, fitted = _polynomial(x, y, model.degree_, run.model.alpha)
    elif isinstance(model, LocalRegression):
        from statsmodels.nonparametric.smoothers_lowess import lowess

        if run.model.degree != 1 or model.n_near(len(x)) != int(run.model.span * len(x) + 1e-10):
            raise Incomparable("statsmodels fits lines, to at least three rows.")
        named = "statsmodels.nonparametric.lowess"
        fitted = lowess(y, x, frac=run.model.span, it=run.model.n_iter, return_sorted=False)
        if not np.isfinite(fitted).all():
            raise Incomparable("statsmodels has no answer where neighbours stand at one place.")
    else:
        from scipy.interpolate import CubicSpline

        if len(model.knots_) < 3:
            raise Incomparable("with two knots it is a straight line.")
        named = "scipy.interpolate.CubicSpline and numpy.linalg.lstsq"
        columns = CubicSpline(model.knots_, np.eye(len(model.knots_)), bc_type="natural")(x)
        fitted = columns @ np.linalg.lstsq(columns, y)[0]
    return Answers(named, {"fitted_": fitted, "rmse_": float(np.sqrt(((y - fitted) ** 2).mean()))})


def _polynomial(x: Any, y: Any, degree: int, alpha: float) -> tuple[str, Any]:
    if not alpha:
        return "numpy.polynomial.Polynomial.fit", np.polynomial.Polynomial.fit(x, y, degree)(x)
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler

    powers = PolynomialFeatures(degree, include_bias=False)
    ridge = make_pipeline(
        MinMaxScaler((-1, 1)), powers, StandardScaler(), Ridge(alpha, solver="svd")
    )
    return "sklearn.linear_model.Ridge on sklearn.preprocessing.PolynomialFeatures", ridge.fit(
        x[:, None], y
    ).predict(x[:, None])


END = """reference.rmse_ = np.sqrt(((y - reference.fitted_) ** 2).mean())
reference.r2_ = 1 - ((y - reference.fitted_) ** 2).sum() / ((y - y.mean()) ** 2).sum()
"""
NUMPY = """
# The same with NumPy
from types import SimpleNamespace

import numpy as np

x, y = np.asarray(X)[:, {place}], np.asarray(y)
curve = np.polynomial.Polynomial.fit(x, y, {degree})
reference = SimpleNamespace(curve=curve, fitted_=curve(x))
"""
RIDGE = """
# The same with scikit-learn
from sklearn import linear_model, pipeline, preprocessing
import numpy as np

x, y = np.asarray(X)[:, [{place}]], np.asarray(y)
reference = pipeline.make_pipeline(
    preprocessing.MinMaxScaler((-1, 1)),
    preprocessing.PolynomialFeatures({degree}, include_bias=False),
    preprocessing.StandardScaler(),
    linear_model.Ridge({alpha}, solver="svd"),
).fit(x, y)
reference.fitted_ = reference.predict(x)
"""
SPLINE = """
# The same with SciPy: least squares on splines that are 1 at one knot and 0 at the others
from types import SimpleNamespace

import numpy as np
from scipy.interpolate import CubicSpline

x, y = np.asarray(X)[:, {place}], np.asarray(y)
places = np.unique(x)
knots = np.quantile(places, np.linspace(0, 1, min({n_knots}, len(places))))
columns = CubicSpline(knots, np.eye(len(knots)), bc_type="natural")(x)
reference = SimpleNamespace(knots_=knots, fitted_=columns @ np.linalg.lstsq(columns, y)[0])
"""
LOWESS = """
# The same with statsmodels, which has lines of degree 1
from types import SimpleNamespace

import numpy as np
from statsmodels.nonparametric.smoothers_lowess import lowess

x, y = np.asarray(X)[:, {place}], np.asarray(y)
reference = SimpleNamespace(fitted_=lowess(y, x, frac={span}, it={n_iter}, return_sorted=False))
"""


def polynomial_regression_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X`` and ``y``."""
    settings = run.model.get_params()
    if "alpha" in settings:
        start = RIDGE if settings["alpha"] and settings["degree"] else NUMPY
    else:
        start = SPLINE if "n_knots" in settings else LOWESS
    return start.format(**settings, place=run.model.column - 1) + END
