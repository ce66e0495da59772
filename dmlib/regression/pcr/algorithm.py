"""Regression on components of the columns: principal ones, or those of partial least squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats
from dmlib.estimator import Staged
from dmlib.params import Flag, Integer, Param, Ranges, check_params
from dmlib.regression.pcr.ranges import component_range
from dmlib.regression.targets import numeric_target
from dmlib.squares import centred, check_largest, deviations, finite_values, r_squared
from dmlib.trace import look

NEGLIGIBLE = 1e-12  # fraction of the columns' variance up to which a component does not count

Phase = Literal["centre", "component", "done"]


@dataclass(frozen=True)
class ComponentStep:
    """A component was added to the regression.

    Attributes
    ----------
    phase : {"centre", "component", "done"}
        "centre": the prediction is the mean of the target.
    n : int
        The number of components so far.
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
        The fraction of the scaled columns' variance that the components explain together.
    """

    phase: Phase
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


@dataclass(frozen=True)
class _Component:
    weights: Floats  # (n_features,): the direction in the columns that it was found in
    rotation: Floats  # (n_features,): the same in the scaled columns: scores are their product
    scores: Floats  # (n_samples,)
    explained: float  # the part of the columns' sum of squares


class _Components(TransformerMixin, RegressorMixin, Staged, BaseEstimator):
    """Least squares on components of the scaled columns, added one by one."""

    coef_: Floats
    intercept_: float
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
        components = [step for step in steps if step.phase == "component"]
        shape = len(components), rows.shape[1]
        last = steps[-1]
        self.mean_, self.scale_ = _scaling(rows, self.scale)
        self.n_components_ = len(components)
        self.components_ = np.array([step.weights for step in components]).reshape(shape)
        self.slopes_ = np.array([step.slope for step in components])
        self.coefs_ = np.array([step.coef for step in components]).reshape(shape)
        self.__dict__.update(self._learned(last))
        self.explained_variance_ratio_ = np.diff([0.0, *(step.share for step in components)])
        self.sse_ = last.sse
        self.r2_ = r_squared(target, last.sse)
        return self

    def _learned(self, step: ComponentStep) -> dict[str, Any]:
        return {"coef_": step.coef.copy(), "intercept_": step.intercept}

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
        """Yield the components one by one, each with the coefficients so far."""
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
        total = float((Z**2).sum())
        coef = np.zeros(rows.shape[1])
        step = ComponentStep(
            phase="centre",
            n=0,
            weights=np.zeros(len(mean)),
            variance=0.0,
            product=0.0,
            square=0.0,
            slope=0.0,
            coef=coef,
            intercept=float(height),
            sse=float(t @ t),
            share=0.0,
        )
        yield step
        explained = 0.0
        residuals = t.copy()
        for n, component in enumerate(self._components(Z, t), start=1):
            look()
            scores = component.scores
            square = float(scores @ scores)
            product = float(scores @ t)
            slope = product / square
            coef = coef + slope * component.rotation / scale
            residuals = residuals - slope * scores
            explained += component.explained
            step = ComponentStep(
                phase="component",
                n=n,
                weights=component.weights,
                variance=square / len(Z),
                product=product,
                square=square,
                slope=slope,
                coef=coef,
                intercept=float(height - mean @ coef),
                sse=float(residuals @ residuals),
                share=explained / total if total > 0 else 0.0,
            )
            yield step
            if n == self.n_components:
                break
        yield replace(step, phase="done")

    def _components(self, Z: Floats, t: Floats) -> Iterator[_Component]:
        """Yield the components of scaled columns and a centred target."""
        raise NotImplementedError


class PrincipalComponentRegression(_Components):
    r"""Predict a number by least squares on the first principal components of the columns.

    Components are found without the target: those that vary most come first, whether they predict
    or not. With all of them it is least squares on the columns.

    Parameters
    ----------
    n_components : int, default=2
        The number of components; at most as many as vary.
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
        The fraction of the scaled columns' variance that each component explains.
    n_components_ : int
        The number of components.
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
        """Return the scores of rows, shape ``(n_samples, n_components_)``."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: (rows - self.mean_) / self.scale_ @ self.components_.T)

    def _components(self, Z: Floats, t: Floats) -> Iterator[_Component]:
        U, sizes, Vt = np.linalg.svd(Z, full_matrices=False)
        total = float((sizes**2).sum())
        for u, size, v in zip(U.T, sizes, Vt, strict=True):
            if size**2 <= NEGLIGIBLE * total:
                return
            sign = np.sign(v[np.abs(v).argmax()])
            yield _Component(sign * v, sign * v, sign * size * u, float(size**2))


class PLSRegression(_Components):
    r"""Predict a number by partial least squares: components of maximum covariance with the target.

    After each component the columns are deflated: the scores are regressed out of them. With all
    components it is least squares on the columns.

    Parameters
    ----------
    n_components : int, default=2
        The number of components; at most as many as vary.
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
        The weights of the deflated columns, for each component.
    rotations_ : ndarray of shape (n_components_, n_features)
        The same in terms of the scaled columns: scores are their products.
    slopes_ : ndarray of shape (n_components_,)
        The coefficients of the scores.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        The fraction of the scaled columns' variance that each component explains.
    n_components_ : int
        The number of components.
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
        """Return the scores of rows, shape ``(n_samples, n_components_)``."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: (rows - self.mean_) / self.scale_ @ self.rotations_.T)

    def _components(self, Z: Floats, t: Floats) -> Iterator[_Component]:
        deflated = Z.copy()
        total = float((Z**2).sum())
        earlier: list[tuple[Floats, Floats]] = []  # rotations and loadings
        for _ in range(min(Z.shape)):
            weights = deflated.T @ t
            length = float(np.linalg.norm(weights))
            if length**2 <= NEGLIGIBLE**2 * total * float(t @ t) or total <= 0:
                return
            weights = weights / length
            scores = deflated @ weights
            square = float(scores @ scores)
            if square <= NEGLIGIBLE * total:
                return
            loadings = deflated.T @ scores / square
            rotation = weights.copy()
            for earlier_rotation, earlier_loadings in reversed(earlier):
                rotation = rotation - earlier_rotation * float(earlier_loadings @ rotation)
            earlier.append((rotation, loadings))
            deflated = deflated - np.outer(scores, loadings)
            yield _Component(weights, rotation, scores, square * float(loadings @ loadings))


def _scaling(rows: Floats, scale: bool) -> tuple[Floats, Floats]:
    """Return means and divisors of the columns; a constant column is divided by 1."""
    mean, deviation = centred(rows)
    spread = np.sqrt((deviation**2).sum(axis=0) / max(len(rows) - 1, 1))
    is_constant = spread <= 64 * np.finfo(float).eps * np.abs(rows).max(axis=0)
    divisors: Floats = np.where(is_constant | (not scale), 1.0, spread)
    return mean, divisors
