"""Scales of columns: what is taken away, what it is divided by, and powers before that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Param, Spoken, check_params
from dmlib.preprocessing.transformation.powers import (
    FAMILIES,
    best_origin,
    best_power,
    log_likelihood,
    power,
    root,
)
from dmlib.squares import check_largest, deviations
from dmlib.trace import look

METHODS: Mapping[str, str] = {
    "min_max": "min-max, from 0 to 1",
    "z_score": "z-score",
    "robust": "robust: median and quartiles",
    "max_abs": "largest absolute value 1",
    "rank": "rank, from 0 to 1",
    "quantile": "normal quantiles",
    "log": "logarithm",
    "box_cox": "Box-Cox power",
    "yeo_johnson": "Yeo-Johnson power",
    "none": "as it is",
}
POSITIVE = ("log", "box_cox")
RANKED = ("rank", "quantile")
EDGE = 1e-7  # ranks are kept so far from 0 and 1, where normal quantiles are infinite
POWERS = np.linspace(-3, 3, 61)  # at which the likelihood is drawn


@dataclass(frozen=True)
class RescalerStep:
    """A column was measured, or brought to its scale.

    Attributes
    ----------
    phase : {"measure", "power", "scale", "done"}
        What happened.
    column : int
        Which; -1 in the end.
    centre, unit : float
        What is taken away, and what the rest is divided by.
    lam : float
        The power; 1 where there is none.
    origin : float
        The number whose power is 0; NaN where there is no power.
    likelihoods : ndarray of shape (61,)
        Log-likelihoods of powers from -3 to 3; empty without powers.
    n_rows : int
        How many rows there are.
    """

    phase: str
    column: int
    centre: float = 0.0
    unit: float = 1.0
    lam: float = 1.0
    origin: float = np.nan
    likelihoods: Floats = field(default_factory=lambda: np.empty(0))
    n_rows: int = 0


class Rescaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    r"""Bring columns to a common scale.

    Parameters
    ----------
    scale : str, default="z_score"
        "min_max": :math:`(x - min) / (max - min)`. "z_score": mean and standard deviation (dividing
        by n). "robust": median and distance of the quartiles. "max_abs": divided by the largest
        absolute value. "rank": ranks from 0 to 1, mean ranks of equal values. "quantile": the
        normal quantiles of these. "log": natural logarithm. "box_cox", "yeo_johnson": the power of
        the greatest likelihood, then z-scores. "none": no change.
    scales : mapping or None, default=None
        The scales of columns that have another one, by their names or their numbers from 0.

    Attributes
    ----------
    methods_ : tuple of str
        The scale of each column.
    center_, scale_ : ndarray of shape (n_features,)
        What is taken away, and what the rest is divided by; 1 for a constant column.
    lambdas_ : ndarray of shape (n_features,)
        The powers; 1 without.
    origins_ : ndarray of shape (n_features,)
        The numbers whose powers are 0: 1 of "box_cox" and 0 of "yeo_johnson", but the median where
        a column is so far from 0 for its spread that powers would differ by less than their
        rounding errors; NaN without powers.
    sorted_ : ndarray of shape (n_samples, n_features)
        The sorted columns, from which ranks are read; where no column has ranks, empty.
    prepared_ : ndarray of shape (n_samples, n_features)
        The scaled rows.
    n_rows_ : int
        How many rows there are.
    spread_ratio_ : float
        The largest standard deviation of a scaled column by the smallest; NaN if all are constant.
    skewness_ : float
        The largest absolute skewness of a scaled column.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or not positive where a logarithm is taken, or ``scales`` names what
        is not there.

    Notes
    -----
    O(n p); O(n log n p) for medians and ranks. New values between those of ``fit`` get ranks
    between theirs.

    References
    ----------
    G. E. P. Box and D. R. Cox (1964), An analysis of transformations. JRSS B 26, 211-252.
    I.-K. Yeo and R. A. Johnson (2000), A new family of power transformations. Biometrika 87,
    954-959.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [6.0]]
    >>> Rescaler("min_max").fit_transform(X).ravel().tolist()
    [0.0, 0.2, 0.4, 1.0]
    >>> Rescaler("robust").fit_transform(X).ravel().tolist()
    [-0.75, -0.25, 0.25, 1.75]
    >>> Rescaler("min_max", scales={1: "max_abs"}).fit_transform([[1.0, 5.0], [3.0, 10.0]]).tolist()
    [[0.0, 0.5], [1.0, 1.0]]
    """

    PARAMS: ClassVar[dict[str, Param]] = {"scale": Choice(tuple(METHODS))}
    SPOKEN: ClassVar[Spoken] = {"scale": METHODS}

    def __init__(self, scale: str = "z_score", *, scales: Mapping[Any, str] | None = None) -> None:
        self.scale = scale
        self.scales = scales

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Measure the columns; ``y`` is not used."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[RescalerStep], X: ArrayLike, y: Any = None) -> Self:
        """Become what the steps say."""
        rows = validate_data(self, X, dtype=np.float64)
        of = {step.column: step for step in steps if step.phase == "scale"}
        columns = [of[j] for j in range(rows.shape[1])]
        self.center_ = np.array([step.centre for step in columns])
        self.scale_ = np.array([step.unit for step in columns])
        self.lambdas_ = np.array([step.lam for step in columns])
        self.origins_ = np.array([step.origin for step in columns])
        self.methods_ = self.methods(rows.shape[1], getattr(self, "feature_names_in_", None))
        ranked = not set(RANKED).isdisjoint(self.methods_)
        self.sorted_ = np.sort(rows, axis=0) if ranked else np.empty((0, rows.shape[1]))
        self.prepared_ = self.transform(X)
        self.n_rows_ = len(rows)
        self.spread_ratio_, self.skewness_ = spread_ratio(self.prepared_), skewness(self.prepared_)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return rows on the scales of the columns, shape (n_samples, n_features)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        _check(rows, self.methods_, getattr(self, "feature_names_in_", None))
        columns = [self._shape(rows[:, j], j) for j in range(rows.shape[1])]
        return np.asarray((np.column_stack(columns) - self.center_) / self.scale_)

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return rows in the units of the columns, shape (n_samples, n_features)."""
        check_is_fitted(self)
        rows = check_array(X, dtype=np.float64) * self.scale_ + self.center_
        return np.column_stack([self._unshape(rows[:, j], j) for j in range(rows.shape[1])])

    def methods(self, n_features: int, names: Any = None) -> tuple[str, ...]:
        """Return the scale of each column.

        Raises
        ------
        ValueError
            If ``scales`` names a column or a scale that is not there.
        """
        found = [self.scale] * n_features
        places = {j: j for j in range(n_features)} | {
            str(name): j for j, name in enumerate(() if names is None else names)
        }
        for name, scale in ({} if self.scales is None else self.scales).items():
            if name not in places:
                raise ValueError(
                    f"scales must name columns by their names or numbers from 0, got {name!r}."
                )
            if scale not in METHODS:
                raise ValueError(
                    f"The scale of {name!r} must be one of {', '.join(METHODS)}, got {scale!r}."
                )
            found[places[name]] = scale
        return tuple(found)

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[RescalerStep]:
        """Yield for each column what is measured, and then its scale."""
        check_params(self.PARAMS, self.get_params(deep=False))
        names = list(X.columns) if hasattr(X, "columns") else None
        rows = check_array(X, dtype=np.float64, estimator=self)
        methods = self.methods(rows.shape[1], names)
        _check(rows, methods, names)
        for j, (x, scale) in enumerate(zip(rows.T, methods, strict=True)):
            look()
            step = RescalerStep("measure", j, n_rows=len(x))
            if scale in FAMILIES:
                told = np.array([log_likelihood(x, lam, scale) for lam in POWERS])
                lam = best_power(x, scale)
                origin = best_origin(x, lam, scale)
                step = replace(step, phase="power", lam=lam, origin=origin, likelihoods=told)
                shaped = power(x, lam, scale, origin)
                centre, unit = float(shaped.mean()), float(shaped.std())
            else:
                shaped = x
                centre, unit = _measure(x, scale)
            largest = max(abs(centre), float(np.abs(shaped).max()), np.finfo(float).tiny)
            flat = unit <= 64 * np.finfo(float).eps * largest
            step = replace(step, centre=centre, unit=1.0 if flat else unit)
            yield step
            yield replace(step, phase="scale")
        yield replace(step, phase="done", column=-1)

    def _shape(self, x: Floats, j: int) -> Floats:
        """Return what is centred: the numbers, their ranks, logarithms or powers."""
        scale = self.methods_[j]
        if scale in RANKED:
            return ranks(x, self.sorted_[:, j], normal=scale == "quantile")
        if scale == "log":
            return np.log(x)
        return power(x, self.lambdas_[j], scale, self.origins_[j]) if scale in FAMILIES else x

    def _unshape(self, x: Floats, j: int) -> Floats:
        """Return the numbers of ranks, logarithms or powers."""
        scale = self.methods_[j]
        if scale in RANKED:
            known = self.sorted_[:, j]
            return np.interp(
                ndtr(x) if scale == "quantile" else x, np.linspace(0, 1, len(known)), known
            )
        if scale == "log":
            return np.asarray(np.exp(x))
        return root(x, self.lambdas_[j], scale, self.origins_[j]) if scale in FAMILIES else x


def ranks(x: Floats, known: Floats, *, normal: bool = False) -> Floats:
    """Return the ranks of numbers among sorted ones, from 0 to 1, or the normal quantiles of the ranks.

    Examples
    --------
    >>> ranks(np.array([1.0, 2.0, 2.5, 9.0]), np.array([1.0, 2.0, 2.0, 3.0])).round(3).tolist()
    [0.0, 0.5, 0.75, 1.0]
    """
    at, first = np.unique(known, return_index=True)
    mean_ranks = (rankdata(known)[first] - 1) / max(len(known) - 1, 1)
    found = np.interp(x, at, mean_ranks)
    return np.asarray(ndtri(np.clip(found, EDGE, 1 - EDGE))) if normal else found


def spread_ratio(X: Floats) -> float:
    """Return the largest standard deviation of a column by the smallest that is not 0; NaN if all are 0.

    Examples
    --------
    >>> spread_ratio(np.array([[0.0, 0.0, 1.0], [1.0, 10.0, 1.0]]))
    10.0
    """
    with np.errstate(over="ignore", invalid="ignore"):
        spread = np.sqrt((deviations(X) ** 2).mean(axis=0))
    spread = spread[spread > 0]
    return float(spread.max() / spread.min()) if len(spread) else float("nan")


def skewness(X: Floats) -> float:
    """Return the largest absolute skewness of a column.

    Examples
    --------
    >>> skewness(np.array([[0.0, 1.0], [0.0, 2.0], [3.0, 3.0]])).__round__(4)
    0.7071
    """
    rest = deviations(X)
    spread = np.sqrt((rest**2).mean(axis=0))
    z = rest / np.where(spread > 0, spread, 1.0)
    return float(np.abs((z**3).mean(axis=0)).max())


def _measure(x: Floats, method: str) -> tuple[float, float]:
    """Return what is taken away from a column, and what it is divided by."""
    if method == "min_max":
        return float(x.min()), float(np.ptp(x))
    if method == "z_score":
        return float(x.mean()), float(x.std())
    if method == "robust":
        low, middle, high = np.quantile(x, [0.25, 0.5, 0.75])
        return float(middle), float(high - low)
    return 0.0, float(np.abs(x).max()) if method == "max_abs" else 1.0


def _check(X: Floats, methods: Sequence[str], names: Any) -> None:
    """Refuse what a scale is not for."""
    check_largest(X)
    wanted = np.flatnonzero([method in POSITIVE for method in methods])
    if len(wanted) and X[:, wanted].min() <= 0:
        row, place = np.unravel_index(int(X[:, wanted].argmin()), (len(X), len(wanted)))
        j = int(wanted[place])
        named = f"column {names[j]}" if names is not None else f"column {j + 1}"
        raise ValueError(
            f"A logarithm needs positive numbers, and {named} holds {X[row, j]:g}. Give the column"
            " another scale, as Yeo-Johnson powers, which take every number, or leave it out."
        )
