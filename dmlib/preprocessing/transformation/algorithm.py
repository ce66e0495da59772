"""Scales of columns: centres, units, ranks and powers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Number, Param, Spoken, check_params
from dmlib.preprocessing.transformation.functions import FUNCTIONS, apply, refusal, undo
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
    "range": "own range and limits",
    "max_abs": "largest absolute value 1",
    "rank": "rank, from 0 to 1",
    "quantile": "normal quantiles",
    "log": "logarithm",
    "box_cox": "Box-Cox power",
    "yeo_johnson": "Yeo-Johnson power",
    **FUNCTIONS,
    "none": "as it is",
}
POSITIVE = ("log", "box_cox")
RANKED = ("rank", "quantile")
EDGE = 1e-7  # the distance of ranks from 0 and 1, where normal quantiles are infinite
POWERS = np.linspace(-3, 3, 61)  # whose likelihood is drawn

Phase = Literal["measure", "power", "scale", "done"]


@dataclass(frozen=True)
class RescalerStep:
    """A column is measured, or scaled.

    Attributes
    ----------
    phase : {"measure", "power", "scale", "done"}
        The centre and the unit of a column are measured, with its power; it is scaled; all are.
    column : int
        Its number; -1 at the end.
    centre, unit : float
        The number that is subtracted, and that by which the difference is divided.
    lam : float
        The power; 1 where there is none.
    limits, target : tuple of (float, float)
        Of the scale "range": the numbers m and M, and those that they become.
    origin : float
        The number whose power is 0; NaN where there is no power.
    likelihoods : ndarray of shape (61,)
        Log-likelihoods of powers from -3 to 3; empty without powers.
    n_rows : int
        How many rows there are.
    """

    phase: Phase
    column: int
    centre: float = 0.0
    unit: float = 1.0
    lam: float = 1.0
    limits: tuple[float, float] = (0.0, 1.0)
    target: tuple[float, float] = (0.0, 1.0)
    origin: float = np.nan
    likelihoods: Floats = field(default_factory=lambda: np.empty(0))
    n_rows: int = 0


class Rescaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    r"""Bring columns to a common scale.

    Parameters
    ----------
    scale : str, default="z_score"
        "min_max": :math:`(x - min) / (max - min)`. "range": the same to limits of one's own, from
        numbers of one's own. "z_score": mean and standard deviation (dividing
        by n). "robust": median and distance of the quartiles. "max_abs": divided by the largest
        absolute value. "rank": ranks from 0 to 1, mean ranks of equal values. "quantile": the
        normal quantiles of these. "log": natural logarithm. "box_cox", "yeo_johnson": the power of
        the greatest likelihood, then z-scores. "exponent", "sqrt", "exp", "reciprocal", "sin":
        functions of the numbers. "none": no change.
    scales : mapping or None, default=None
        The scales of columns that have another one, by their names or their numbers from 0.
    new_min, new_max : float, default=0 and 1
        Of the scale "range", the numbers that the limits become.
    lower, upper : float or None, default=None
        Its limits m and M; None: the smallest and the largest value of the column.
    exponent : float, default=2
        The exponent p of the scale "exponent".

    Attributes
    ----------
    methods_ : tuple of str
        The scale of each column.
    center_, scale_ : ndarray of shape (n_features,)
        The centres and the units of the columns; the unit of a constant column is 1.
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
        If a value is missing or has no logarithm, root or reciprocal, ``scales`` names an unknown
        column or scale, or limits are not in ascending order.

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

    PARAMS: ClassVar[dict[str, Param]] = {
        "scale": Choice(tuple(METHODS)),
        "new_min": Number(-1e6, 1e6, shown=(-10.0, 10.0), step=0.5),
        "new_max": Number(-1e6, 1e6, shown=(-10.0, 100.0), step=0.5),
        "lower": Number(-1e12, 1e12, shown=(0.0, 100.0), none="minimum"),
        "upper": Number(-1e12, 1e12, shown=(0.0, 100.0), none="maximum"),
        "exponent": Number(-10.0, 10.0, shown=(-3.0, 3.0), step=0.25),
    }
    APPLIES: ClassVar[Conditions] = dict.fromkeys(
        ("new_min", "new_max", "lower", "upper"), ("scale", ("range",))
    ) | {"exponent": ("scale", ("exponent",))}
    SPOKEN: ClassVar[Spoken] = {"scale": METHODS}

    def __init__(
        self,
        scale: str = "z_score",
        *,
        scales: Mapping[Any, str] | None = None,
        new_min: float = 0.0,
        new_max: float = 1.0,
        lower: float | None = None,
        upper: float | None = None,
        exponent: float = 2.0,
    ) -> None:
        self.scale = scale
        self.scales = scales
        self.new_min = new_min
        self.new_max = new_max
        self.lower = lower
        self.upper = upper
        self.exponent = exponent

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Measure the columns; ``y`` is not used."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[RescalerStep], X: ArrayLike, y: Any = None) -> Self:
        """Set the fitted attributes from steps."""
        rows = validate_data(self, X, dtype=np.float64)
        step_of = {step.column: step for step in steps if step.phase == "scale"}
        columns = [step_of[j] for j in range(rows.shape[1])]
        self.center_ = np.array([step.centre for step in columns])
        self.scale_ = np.array([step.unit for step in columns])
        self.lambdas_ = np.array([step.lam for step in columns])
        self.origins_ = np.array([step.origin for step in columns])
        self.methods_ = self.methods(rows.shape[1], getattr(self, "feature_names_in_", None))
        has_ranks = not set(RANKED).isdisjoint(self.methods_)
        self.sorted_ = np.sort(rows, axis=0) if has_ranks else np.empty((0, rows.shape[1]))
        self.prepared_ = self.transform(X)
        self.n_rows_ = len(rows)
        self.spread_ratio_ = spread_ratio(self.prepared_)
        self.skewness_ = skewness(self.prepared_)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return rows on the scales of the columns, shape (n_samples, n_features)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        _check(rows, self.methods_, self.exponent, getattr(self, "feature_names_in_", None))
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
            If ``scales`` names an unknown column or scale.
        """
        methods = [self.scale] * n_features
        places: dict[Any, int] = {j: j for j in range(n_features)}
        if names is not None:
            places |= {str(name): j for j, name in enumerate(names)}
        for name, scale in (self.scales or {}).items():
            if name not in places:
                raise ValueError(
                    f"scales must name columns by their names or numbers from 0, got {name!r}."
                )
            if scale not in METHODS:
                raise ValueError(
                    f"The scale of {name!r} must be one of {', '.join(METHODS)}, got {scale!r}."
                )
            methods[places[name]] = scale
        return tuple(methods)

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[RescalerStep]:
        """Yield for each column its measurement, and then its scale."""
        check_params(self.PARAMS, self.get_params(deep=False))
        names = list(X.columns) if hasattr(X, "columns") else None
        rows = check_array(X, dtype=np.float64, estimator=self)
        methods = self.methods(rows.shape[1], names)
        _check(rows, methods, self.exponent, names)
        for j, (x, scale) in enumerate(zip(rows.T, methods, strict=True)):
            look()
            step = RescalerStep("measure", j, n_rows=len(x))
            if scale in FAMILIES:
                curve = np.array([log_likelihood(x, lam, scale) for lam in POWERS])
                lam = best_power(x, scale)
                origin = best_origin(x, lam, scale)
                step = replace(step, phase="power", lam=lam, origin=origin, likelihoods=curve)
                shaped = power(x, lam, scale, origin)
                centre, unit = float(shaped.mean()), float(shaped.std())
            elif scale == "range":
                shaped = x
                step = replace(step, limits=self._limits(x), target=(self.new_min, self.new_max))
                unit = (step.limits[1] - step.limits[0]) / (self.new_max - self.new_min)
                centre = step.limits[0] - self.new_min * unit
            else:
                shaped = apply(x, scale, self.exponent) if scale in FUNCTIONS else x
                step = replace(step, lam=self.exponent if scale == "exponent" else 1.0)
                centre, unit = _measure(x, scale)
            largest = max(abs(centre), float(np.abs(shaped).max()), np.finfo(float).tiny)
            is_constant = unit <= 64 * np.finfo(float).eps * largest
            step = replace(step, centre=centre, unit=1.0 if is_constant else unit)
            yield step
            yield replace(step, phase="scale")
        yield replace(step, phase="done", column=-1)

    def _shape(self, x: Floats, j: int) -> Floats:
        """Return the numbers of a column before centring: their ranks, logarithms or powers."""
        scale = self.methods_[j]
        if scale in RANKED:
            return ranks(x, self.sorted_[:, j], normal=scale == "quantile")
        if scale in FAMILIES:
            return power(x, self.lambdas_[j], scale, self.origins_[j])
        if scale in FUNCTIONS:
            return apply(x, scale, self.exponent)
        return np.log(x) if scale == "log" else x

    def _limits(self, x: Floats) -> tuple[float, float]:
        """Return the limits of a column that become the new minimum and maximum."""
        low = float(x.min()) if self.lower is None else self.lower
        high = float(x.max()) if self.upper is None else self.upper
        if not self.new_min < self.new_max:
            raise ValueError(
                f"The new minimum, {self.new_min:g}, must be below the new maximum,"
                f" {self.new_max:g}."
            )
        if low > high or (low == high and None not in (self.lower, self.upper)):
            raise ValueError(f"The lower limit, {low:g}, must be below the upper one, {high:g}.")
        return low, high

    def _unshape(self, x: Floats, j: int) -> Floats:
        """Return the numbers of ranks, logarithms or powers."""
        scale = self.methods_[j]
        if scale in RANKED:
            values = self.sorted_[:, j]
            share = ndtr(x) if scale == "quantile" else x
            return np.interp(share, np.linspace(0, 1, len(values)), values)
        if scale in FAMILIES:
            return root(x, self.lambdas_[j], scale, self.origins_[j])
        if scale in FUNCTIONS:
            return undo(x, scale, self.exponent)
        return np.asarray(np.exp(x)) if scale == "log" else x


def ranks(x: Floats, fitted: Floats, *, normal: bool = False) -> Floats:
    """Return the ranks of numbers among sorted ones, from 0 to 1, or their normal quantiles.

    Examples
    --------
    >>> ranks(np.array([1.0, 2.0, 2.5, 9.0]), np.array([1.0, 2.0, 2.0, 3.0])).round(3).tolist()
    [0.0, 0.5, 0.75, 1.0]
    """
    values, first = np.unique(fitted, return_index=True)
    mean_ranks = (rankdata(fitted)[first] - 1) / max(len(fitted) - 1, 1)
    shares = np.interp(x, values, mean_ranks)
    return np.asarray(ndtri(np.clip(shares, EDGE, 1 - EDGE))) if normal else shares


def spread_ratio(X: Floats) -> float:
    """Return the largest standard deviation of a column by the smallest above 0; NaN if none is.

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
    around_mean = deviations(X)
    spread = np.sqrt((around_mean**2).mean(axis=0))
    z = around_mean / np.where(spread > 0, spread, 1.0)
    return float(np.abs((z**3).mean(axis=0)).max())


def _measure(x: Floats, method: str) -> tuple[float, float]:
    """Return the centre and the unit of a column."""
    if method == "min_max":
        return float(x.min()), float(np.ptp(x))
    if method == "z_score":
        return float(x.mean()), float(x.std())
    if method == "robust":
        low, median, high = np.quantile(x, [0.25, 0.5, 0.75])
        return float(median), float(high - low)
    return 0.0, float(np.abs(x).max()) if method == "max_abs" else 1.0


def _check(X: Floats, methods: Sequence[str], exponent: float, names: Any) -> None:
    """Raise if a number is too large, or has no logarithm, root or reciprocal."""
    check_largest(X)
    for j, method in enumerate(methods):
        if method in FUNCTIONS and (reason := refusal(X[:, j], method, exponent)):
            column = names[j] if names is not None else j + 1
            raise ValueError(
                f"Column {column}: the {FUNCTIONS[method]} {reason}. Give it another scale, or"
                " leave it out."
            )
    columns = np.flatnonzero([method in POSITIVE for method in methods])
    if len(columns) and X[:, columns].min() <= 0:
        row, place = np.unravel_index(int(X[:, columns].argmin()), (len(X), len(columns)))
        j = int(columns[place])
        column = f"column {names[j]}" if names is not None else f"column {j + 1}"
        raise ValueError(
            f"A logarithm needs positive numbers, and {column} holds {X[row, j]:g}."
            " Give the column another scale, as Yeo-Johnson powers, which take every number,"
            " or leave it out."
        )
