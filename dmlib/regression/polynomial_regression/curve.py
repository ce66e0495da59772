"""The base class of regressions on one column by a curve, and their errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats
from dmlib.estimator import Staged
from dmlib.params import Integer, Param, check_params
from dmlib.regression.targets import numeric_target
from dmlib.squares import check_squares, finite_values, r_squared


@dataclass(frozen=True)
class CurveErrors:
    """Errors of a curve at each level of its flexibility.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        Degrees, numbers of knots, or spans.
    train : ndarray of shape (n_levels,)
        Root mean squared errors of the training rows.
    left_out : ndarray of shape (n_levels,)
        Leave-one-out errors; NaN where a curve goes through a row whatever its height.
    test : ndarray of shape (n_levels,)
        Errors of the test rows; empty without any.
    """

    levels: Floats
    train: Floats
    left_out: Floats
    test: Floats


COLUMN: dict[str, Param] = {"column": Integer(1, 100_000, shown=(1, 10))}
"""Which column is x: all curves have it."""


class Curve(RegressorMixin, Staged, BaseEstimator):
    """Base class of regressions that predict a number from one column by a curve."""

    PARAMS: ClassVar[dict[str, Param]]
    column: int
    LEVEL: ClassVar[str]
    """The parameter that makes the curve more or less flexible."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # only one column is used
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the curve to a column of ``X`` and the numbers ``y``."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(self, steps: Sequence[Any], X: ArrayLike, y: ArrayLike) -> Self:
        """Become what the steps say."""
        rows, target = validate_data(self, X, numeric_target(y), dtype=np.float64, y_numeric=True)
        self.step_ = steps[-1]
        self._learn(self.step_)
        self.places_ = self.x_of(rows).copy()
        self.heights_ = np.asarray(target, float).copy()
        self.fitted_ = self.curve(self.step_, self.places_)
        residuals = self.heights_ - self.fitted_
        self.rmse_ = float(np.sqrt((residuals**2).mean()))
        self.r2_ = r_squared(self.heights_, float(residuals @ residuals))
        return self

    def _learned(self, step: Any) -> dict[str, Any]:
        return {"step_": step}

    def predict(self, X: ArrayLike) -> Floats:
        """Return the heights of the curve at the column of ``X``, shape (n_samples,)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: self.curve(self.step_, self.x_of(rows)))

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[Any]:
        """Yield the steps in which the curve is fitted."""
        check_params(self.PARAMS, self.get_params(deep=False))
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        rows, target = check_X_y(X, numeric_target(y), dtype=np.float64, y_numeric=True)
        if not 1 <= self.column <= rows.shape[1]:
            raise ValueError(
                f"column is {self.column}, but it must be the number of one of the columns, from 1"
                f" to {rows.shape[1]}."
            )
        check_squares(np.column_stack([self.x_of(rows), target]), each=True)
        yield from self._steps(self.x_of(rows), np.asarray(target, float))

    def x_of(self, X: Floats) -> Floats:
        """Return the column of rows that is x."""
        return X[:, self.column - 1]

    def _steps(self, x: Floats, y: Floats) -> Iterator[Any]:
        raise NotImplementedError

    def _learn(self, last: Any) -> None:
        """Set the fitted attributes of the last step."""

    def curve(self, step: Any, x: Floats) -> Floats:
        """Return the heights of the curve of a step, fitted to ``places_``."""
        raise NotImplementedError

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors at each level, fitted to ``x`` and ``y``."""
        raise NotImplementedError


def unit_scale(x: Floats) -> tuple[float, float]:
    """Return the middle and half of the range: z = (x - middle) / half goes from -1 to 1.

    Examples
    --------
    >>> unit_scale(np.array([2.0, 3.0, 6.0]))
    (4.0, 2.0)
    """
    low, high = float(x.min()), float(x.max())
    return low / 2 + high / 2, (high / 2 - low / 2) or 1.0


def rmse(residuals: Floats) -> Floats:
    """Return the root mean squares of residuals, over the last axis; NaN of none."""
    return np.sqrt((residuals**2).mean(axis=-1)) if residuals.shape[-1] else np.empty(0)


def left_out(residuals: Floats, leverage: Floats) -> Floats:
    """Return the leave-one-out root mean squared error, from residuals and leverages.

    The error of a row that is left out is its residual divided by 1 less its leverage.

    Examples
    --------
    >>> y = np.array([0.0, 3.0, 6.0])  # predicted by the mean of the two other rows: 4.5, 3, 1.5
    >>> round(float(left_out(y - y.mean(), np.full(3, 1 / 3))) ** 2, 6), (4.5**2 + 0 + 4.5**2) / 3
    (13.5, 13.5)
    """
    free = 1 - leverage
    is_exact = (free < 1e-9).any(axis=-1)
    error: Floats = np.where(is_exact, np.nan, rmse(residuals / np.where(free < 1e-9, 1.0, free)))
    return error
