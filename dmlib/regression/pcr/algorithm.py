"""Regression on components of the columns: principal ones, or those of partial least squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats
from dmlib.params import Flag, Integer, Param, Ranges, check_params
from dmlib.regression.pcr.ranges import component_range
from dmlib.regression.targets import numeric_target
from dmlib.squares import centred, check_largest, deviations, finite_values, r_squared
from dmlib.trace import look

NOTHING = 1e-12  # share of the columns' variance up to which a component is none


@dataclass(frozen=True)
class ComponentStep:
    """A component was taken into the regression.

    Attributes
    ----------
    phase : {"centre", "component", "done"}
        "centre": the prediction is the mean of the target.
    n : int
        How many components there are now.
    weights : ndarray of shape (n_features,)
        The direction of the component in the scaled columns; its length is 1.
    variance : float
        Of its scores; it divides by n.
    product : float
        Sum of products of the scores with the target, around the means.
    square : float
        Sum of squares of the scores.
    slope : float
        The coefficient of the scores: product / square.
    coef : ndarray of shape (n_features,)
        The coefficients of the columns as they are.
    intercept : float
        The constant term.
    sse : float
        Sum of squared residuals.
    share : float
        The share of the scaled columns' variance that the components hold together.
    """

    phase: str
    n: int
    weights: Floats
    variance: float
    product: float
    square: float
    slope: float
    coef: Floats
    intercept: float
    sse: float
    share: float


class _Components(TransformerMixin, RegressorMixin, BaseEstimator):
    """What both have in common: scaling, and a regression on one component after another."""

    RANGES: ClassVar[Ranges] = staticmethod(component_range)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": Integer(1, 10_000, shown=(1, 20)),
        "scale": Flag(),
    }

    def __init__(self, n_components: int = 2, *, scale: bool = True) -> None:
        self.n_components = n_components
        self.scale = scale

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find components of the rows of ``X``, and regress their numbers ``y`` on them."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(self, steps: list[ComponentStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become what the steps say."""
        rows, target = validate_data(self, X, numeric_target(y), dtype=np.float64, y_numeric=True)
        taken = [step for step in steps if step.phase == "component"]
        last = steps[-1]
        self.mean_, self.scale_ = _scaling(rows, self.scale)
        self.n_components_ = len(taken)
        self.components_ = np.array([step.weights for step in taken]).reshape(
            len(taken), rows.shape[1]
        )
        self.slopes_ = np.array([step.slope for step in taken])
        self.coefs_ = np.array([step.coef for step in taken]).reshape(len(taken), rows.shape[1])
        self.coef_, self.intercept_ = last.coef.copy(), last.intercept
        self.explained_variance_ratio_ = np.diff([0.0, *(step.share for step in taken)])
        self.sse_, self.r2_ = last.sse, r_squared(target, last.sse)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return the predicted numbers of rows, shape (n_samples,)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: rows @ self.coef_ + self.intercept_)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the components."""
        check_is_fitted(self)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self.n_components_)], dtype=object)

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[ComponentStep]:
        """Yield one component after another, with the coefficients that come of it."""
        check_params(self.PARAMS, self.get_params(deep=False))
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        rows, target = check_X_y(X, numeric_target(y), dtype=np.float64, y_numeric=True)
        check_largest(rows, target)
        mean, scale = _scaling(rows, self.scale)
        height, t = centred(target)
        Z = deviations(rows) / scale
        whole = float((Z**2).sum())
        coef, held, rest = np.zeros(rows.shape[1]), 0.0, t.copy()
        step = ComponentStep(
            "centre",
            0,
            np.zeros(len(mean)),
            0.0,
            0.0,
            0.0,
            0.0,
            coef,
            float(height),
            float(t @ t),
            0.0,
        )
        yield step
        for n, (weights, turned, scores, held_now) in enumerate(self._components(Z, t), start=1):
            look()
            square = float(scores @ scores)
            product = float(scores @ t)
            slope = product / square
            coef = coef + slope * turned / scale
            rest = rest - slope * scores
            held += held_now
            step = ComponentStep(
                "component",
                n,
                weights,
                square / len(Z),
                product,
                square,
                slope,
                coef,
                float(height - mean @ coef),
                float(rest @ rest),
                held / whole if whole > 0 else 0.0,
            )
            yield step
            if n == self.n_components:
                break
        yield ComponentStep(**{**vars(step), "phase": "done"})

    def _components(self, Z: Floats, t: Floats) -> Iterator[tuple[Floats, Floats, Floats, float]]:
        """Yield directions, the same in terms of the columns, scores, and the sum of squares that they hold."""
        raise NotImplementedError


class PrincipalComponentRegression(_Components):
    r"""Predict a number by least squares on the first principal components of the columns.

    Components are found without the target: those that vary most come first, whether they predict
    or not. With all of them it is least squares on the columns.

    Parameters
    ----------
    n_components : int, default=2
        How many components are used; at most as many as vary.
    scale : bool, default=True
        Whether columns are divided by their standard deviation (with n - 1).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The coefficients of the columns as they are.
    intercept_ : float
        The constant term.
    coefs_ : ndarray of shape (n_components_, n_features)
        The coefficients after each component.
    components_ : ndarray of shape (n_components_, n_features)
        The directions in the scaled columns.
    slopes_ : ndarray of shape (n_components_,)
        The coefficients of the scores.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        The share of the scaled columns' variance that each component holds.
    n_components_ : int
        How many components there are.
    sse_, r2_ : float
        Sum of squared residuals; 1 - SSE / SST, NaN if all targets are equal.
    mean_, scale_ : ndarray of shape (n_features,)
        Of the columns.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(n p min(n, p)) for the singular value decomposition. Scores of different components are
    uncorrelated, so that each slope is a regression of its own. The largest weight of a direction
    is positive.

    References
    ----------
    W. F. Massy (1965), Principal components regression in exploratory statistical research. JASA
    60, 234-256. T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical
    Learning, section 3.5.1.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> PrincipalComponentRegression(1).fit(X, y).coef_.round(4).tolist()
    [0.5, 0.5]
    >>> (PrincipalComponentRegression(2).fit(X, y).coef_.round(4) + 0).tolist()
    [1.0, 0.0]
    """

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # the components that vary most need not predict
        return tags

    def transform(self, X: ArrayLike) -> Floats:
        """Return the scores of rows, shape (n_samples, n_components_)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: (rows - self.mean_) / self.scale_ @ self.components_.T)

    def _components(self, Z: Floats, t: Floats) -> Iterator[tuple[Floats, Floats, Floats, float]]:
        left, sizes, right = np.linalg.svd(Z, full_matrices=False)
        total = float((sizes**2).sum())
        for u, size, v in zip(left.T, sizes, right, strict=True):
            if size**2 <= NOTHING * total:
                return
            sign = np.sign(v[np.abs(v).argmax()])
            yield sign * v, sign * v, sign * size * u, float(size**2)


class PLSRegression(_Components):
    r"""Predict a number by partial least squares: components that vary and go along with the target.

    Each direction is that of the greatest covariance of its scores with the target; then the
    columns lose what the scores explain of them. With all components it is least squares on the
    columns.

    Parameters
    ----------
    n_components : int, default=2
        How many components are used; at most as many as vary.
    scale : bool, default=True
        Whether columns are divided by their standard deviation (with n - 1).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The coefficients of the columns as they are.
    intercept_ : float
        The constant term.
    coefs_ : ndarray of shape (n_components_, n_features)
        The coefficients after each component.
    components_ : ndarray of shape (n_components_, n_features)
        The weights of the columns that are left, for each component.
    rotations_ : ndarray of shape (n_components_, n_features)
        The same in terms of the scaled columns: scores are their products.
    slopes_ : ndarray of shape (n_components_,)
        The coefficients of the scores.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        The share of the scaled columns' variance that each component holds.
    n_components_ : int
        How many components there are.
    sse_, r2_ : float
        Sum of squared residuals; 1 - SSE / SST, NaN if all targets are equal.
    mean_, scale_ : ndarray of shape (n_features,)
        Of the columns.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    NIPALS for one target: O(n p) for each component.

    References
    ----------
    H. Wold (1975), Soft modelling by latent variables. In: Perspectives in Probability and
    Statistics. T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical
    Learning, section 3.5.2.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> PLSRegression(1).fit(X, y).coef_.round(4).tolist()
    [0.5616, 0.4493]
    """

    def fit_from(self, steps: list[ComponentStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become what the steps say."""
        super().fit_from(steps, X, y)
        changes = np.diff(np.vstack([np.zeros((1, len(self.coef_))), self.coefs_]), axis=0)
        self.rotations_ = (
            changes * self.scale_ / np.where(self.slopes_ == 0, 1.0, self.slopes_)[:, None]
        )
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return the scores of rows, shape (n_samples, n_components_)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: (rows - self.mean_) / self.scale_ @ self.rotations_.T)

    def _components(self, Z: Floats, t: Floats) -> Iterator[tuple[Floats, Floats, Floats, float]]:
        left, total = Z.copy(), float((Z**2).sum())
        directions: list[tuple[Floats, Floats]] = []  # how a column's rest follows from the columns
        for _ in range(min(Z.shape)):
            weights = left.T @ t
            length = float(np.linalg.norm(weights))
            if length**2 <= NOTHING**2 * total * float(t @ t) or total <= 0:
                return
            weights = weights / length
            scores = left @ weights
            square = float(scores @ scores)
            if square <= NOTHING * total:
                return
            loadings = left.T @ scores / square
            turned = weights.copy()
            for earlier, loading in reversed(directions):
                turned = turned - earlier * float(loading @ turned)
            directions.append((turned, loadings))
            left = left - np.outer(scores, loadings)
            yield weights, turned, scores, square * float(loadings @ loadings)


def _scaling(rows: Floats, scale: bool) -> tuple[Floats, Floats]:
    """Return the means of the columns, and what they are divided by; a constant column is left as it is."""
    mean, away = centred(rows)
    spread = np.sqrt((away**2).sum(axis=0) / max(len(rows) - 1, 1))
    flat = spread <= 64 * np.finfo(float).eps * np.abs(rows).max(axis=0)
    unit: Floats = np.where(flat | (not scale), 1.0, spread)
    return mean, unit
