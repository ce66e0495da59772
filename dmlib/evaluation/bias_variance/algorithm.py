"""Bias and variance of a model by simulation of many training sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.evaluation.bias_variance.families import (
    DEGREES,
    DEPTHS,
    FAMILIES,
    MODEL_LABELS,
    NEIGHBORS,
    PENALTIES,
    Family,
)
from dmlib.evaluation.bias_variance.truths import TRUTH_LABELS, TRUTHS, Truth, truth_of
from dmlib.params import Choice, Conditions, Integer, Number, Param, Spoken, check_params
from dmlib.squares import check_squares
from dmlib.trace import look

SQUARED, ZERO_ONE = "squared", "zero_one"
LOSSES = {SQUARED: "squared error", ZERO_ONE: "0/1 loss of a class"}
GRID = 61  # places at which curves are compared
BLOCK = 2**18  # values of training sets that are fitted at once

FITTED = (
    "places",
    "truth",
    "mean_curve",
    "curves",
    "levels",
    "biases",
    "variances",
    "noises",
    "errors",
    "train_errors",
    "bias",
    "variance",
    "noise",
    "error",
    "train_error",
)
"""Attributes of the last step that are fitted attributes."""

Phase = Literal["truth", "sample", "mean", "variance", "complexity", "done"]


@dataclass(frozen=True, eq=False)
class BiasVarianceStep:
    """One step of the simulation.

    Attributes
    ----------
    phase : {"truth", "sample", "mean", "variance", "complexity", "done"}
        The true curve and its noise; a training set and the model fitted to it; the mean curve; the
        scatter around it; all complexities; the end.
    index : int
        The number of the training set, from 0.
    x, y : ndarray of shape (n_samples,)
        The training set of this step; y are classes 0 and 1 with the 0/1 loss.
    curve : ndarray of shape (61,)
        The predictions along x of the model fitted to that training set.
    places, truth : ndarray of shape (61,)
        Places along x, and the true curve there; with the 0/1 loss, the probability of class 1.
        At the first step, and from "mean" on.
    curves : ndarray of shape (n_sets, 61)
        The predictions of all models, from "mean" on.
    mean_curve : ndarray of shape (61,)
        Their mean; with the 0/1 loss, the majority.
    bias_at, variance_at, noise_at : ndarray of shape (61,)
        The parts of the error along x.
    levels : ndarray of shape (n_levels,)
        All complexities.
    biases, variances, noises, errors, train_errors : ndarray of shape (n_levels,)
        The parts of the error for each, the error, and the training error.
    bias, variance, noise, error, train_error : float
        The same for the chosen complexity.
    """

    phase: Phase
    index: int = -1
    x: Any = ()
    y: Any = ()
    curve: Any = ()
    places: Any = ()
    truth: Any = ()
    curves: Any = ()
    mean_curve: Any = ()
    bias_at: Any = ()
    variance_at: Any = ()
    noise_at: Any = ()
    levels: Any = ()
    biases: Any = ()
    variances: Any = ()
    noises: Any = ()
    errors: Any = ()
    train_errors: Any = ()
    bias: float = np.nan
    variance: float = np.nan
    noise: float = np.nan
    error: float = np.nan
    train_error: float = np.nan


class BiasVariance(BaseEstimator):
    r"""Decompose the error of a model into bias, variance and noise by simulation.

    Many training sets are drawn from a known curve with noise.
    :math:`E(y - \hat f(x))^2 = (f(x) - E \hat f(x))^2 + Var \hat f(x) + \sigma^2`: bias², variance
    and noise. A simple model has a large bias, a complex one a large variance.

    Parameters
    ----------
    model : {"polynomial", "knn", "tree", "ridge"}, default="polynomial"
        The model that is fitted to each training set.
    degree : int, default=9
        The degree of the polynomial.
    n_neighbors : int, default=3
        The number of neighbours.
    max_depth : int, default=4
        The depth of the tree.
    log_penalty : float, default=-3
        The decimal logarithm of the penalty λ on the coefficients of a polynomial of degree 12.
    loss : {"squared", "zero_one"}, default="squared"
        The squared error of a number; or the misclassification rate, where a row is of class 1 if
        its number is above the middle, and the model's number is compared with one half.
    truth : {"data", "sine", "line", "step", "bump"}, default="data"
        The true curve: a smooth curve of the data, or a shape over their range.
    noise : float, default=0.25
        The standard deviation of the noise, in halves of the range of the heights.
    n_samples : int, default=30
        The rows of a training set, spread evenly over the range of x with random jitter.
    n_sets : int, default=100
        The number of training sets.
    column : int, default=1
        The number of the column that is x, from 1; the other columns are not used.
    random_state : int, RandomState or None, default=None
        The seed of the training sets.

    Attributes
    ----------
    bias_, variance_, noise_, error_ : float
        The parts of the expected error on new rows, and the error; ``bias_`` is squared with the
        squared error.
    train_error_ : float
        The mean error of the training rows.
    places_, truth_, mean_curve_ : ndarray of shape (61,)
        Places along x, the true curve and the mean curve.
    curves_ : ndarray of shape (n_sets, 61)
        The curves of the models.
    levels_, biases_, variances_, noises_, errors_, train_errors_ : ndarray of shape (n_levels,)
        All complexities of the model, and the errors of each.
    n_features_in_ : int
        The number of columns seen by ``fit``; the first is x.

    Raises
    ------
    ValueError
        If the numbers are too large to be squared.

    Notes
    -----
    All complexities are fitted to the same training sets at once: O(n_sets · n_samples · n_levels)
    and a decomposition for each set. With the 0/1 loss the parts are those of Domingos: where most
    models are right, variance harms; where most are wrong, it helps, and its part is negative.

    References
    ----------
    S. Geman, E. Bienenstock and R. Doursat (1992), Neural networks and the bias/variance dilemma.
    P. Domingos (2000), A unified bias-variance decomposition.

    Examples
    --------
    >>> x = [[float(i)] for i in range(11)]
    >>> line = BiasVariance(degree=1, truth="line", random_state=0).fit(x, range(11))
    >>> bool(line.bias_ < 0.01 < line.variance_ < line.noise_)
    True
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "model": Choice(tuple(FAMILIES)),
        "degree": Integer(0, int(DEGREES[-1])),
        "n_neighbors": Integer(1, int(NEIGHBORS[-1])),
        "max_depth": Integer(0, int(DEPTHS[-1])),
        "log_penalty": Number(PENALTIES[0], PENALTIES[-1], step=0.5),
        "loss": Choice(tuple(LOSSES)),
        "truth": Choice(TRUTHS),
        "noise": Number(0.0, 5.0, shown=(0.0, 1.5), step=0.05),
        "n_samples": Integer(20, 200),
        "n_sets": Integer(2, 300, shown=(10, 200)),
        "column": Integer(1, 100_000, shown=(1, 10)),
    }
    APPLIES: ClassVar[Conditions] = {
        family.parameter: ("model", (name,)) for name, family in FAMILIES.items()
    }
    SPOKEN: ClassVar[Spoken] = {"model": MODEL_LABELS, "loss": LOSSES, "truth": TRUTH_LABELS}

    bias_: float
    curves_: Floats
    error_: float
    noise_: float
    train_error_: float
    truth_: Floats
    variance_: float

    def __init__(
        self,
        model: str = "polynomial",
        *,
        degree: int = 9,
        n_neighbors: int = 3,
        max_depth: int = 4,
        log_penalty: float = -3.0,
        loss: str = SQUARED,
        truth: str = "data",
        noise: float = 0.25,
        n_samples: int = 30,
        n_sets: int = 100,
        column: int = 1,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.degree = degree
        self.n_neighbors = n_neighbors
        self.max_depth = max_depth
        self.log_penalty = log_penalty
        self.loss = loss
        self.truth = truth
        self.noise = noise
        self.n_samples = n_samples
        self.n_sets = n_sets
        self.column = column
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Simulate training sets over the range of the data, and decompose the error."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        return self._adopt(list(self._steps(np.asarray(X), np.asarray(y, float))))

    def fit_from(self, steps: Sequence[BiasVarianceStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become what the steps say."""
        validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        return self._adopt(steps)

    def _adopt(self, steps: Sequence[BiasVarianceStep]) -> Self:
        last = steps[-1]
        for name in FITTED:
            setattr(self, f"{name}_", getattr(last, name))
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[BiasVarianceStep]:
        """Yield truth, training sets with their curves, mean, variance and all complexities."""
        X, y = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        yield from self._steps(np.asarray(X), np.asarray(y, float))

    @property
    def family(self) -> Family:
        """The models of all complexities."""
        return FAMILIES[self.model]

    @property
    def level(self) -> int:
        """The index of the chosen complexity."""
        levels = np.array(self.family.levels)
        return int(np.argmin(np.abs(levels - float(getattr(self, self.family.parameter)))))

    def training_set(self, truth: Truth, rng: Any) -> tuple[Floats, Floats]:
        """Draw places and heights, or classes."""
        t = (np.arange(self.n_samples) + rng.uniform(size=self.n_samples)) / self.n_samples
        x = truth.low + (truth.high - truth.low) * t
        y = truth(x) + self.noise * truth.half * rng.standard_normal(self.n_samples)
        return x, (y > truth.middle).astype(float) if self.loss == ZERO_ONE else y

    def _steps(self, X: Floats, y: Floats) -> Iterator[BiasVarianceStep]:
        check_params(self.PARAMS, self.get_params(deep=False))
        if not 1 <= self.column <= X.shape[1]:
            raise ValueError(
                f"column is {self.column}, but it must be the number of one of the columns, from 1"
                f" to {X.shape[1]}."
            )
        data = X[:, self.column - 1]
        check_squares(np.column_stack([data, y]))
        truth = truth_of(self.truth, data, y)
        rng = check_random_state(self.random_state)
        sets = [self.training_set(truth, rng) for _ in range(self.n_sets)]
        places = np.linspace(truth.low, truth.high, GRID)
        start = BiasVarianceStep("truth", places=places, truth=self.target(truth, places))
        yield start
        curves, train_losses = [], []
        n_sets = max(1, BLOCK // (GRID * self.n_samples))
        for first in range(0, self.n_sets, n_sets):
            look()
            x, heights = map(np.array, zip(*sets[first : first + n_sets], strict=True))
            fits = self.family.fits(truth.scaled(x), heights, truth.scaled(places))
            curves.append(fits[..., :GRID])
            train_losses.append(self._losses(fits[..., GRID:], heights[:, None]).mean(axis=-1))
            for i, curve in enumerate(fits[:, self.level, :GRID].copy()):
                yield BiasVarianceStep("sample", first + i, x[i], heights[i], curve)
        train_errors = np.concatenate(train_losses).mean(axis=0)
        noise = (self.noise * truth.half) ** 2
        yield from self._decomposition(start, np.concatenate(curves), train_errors, noise)

    def _decomposition(
        self, start: BiasVarianceStep, curves: Floats, train_errors: Floats, noise: float
    ) -> Iterator[BiasVarianceStep]:
        """Yield the steps after the training sets; curves have shape (n_sets, n_levels, 61)."""
        level = self.level
        parts = self._parts(curves.transpose(1, 0, 2), start.truth, noise)
        bias_at, variance_at, noise_at, mean_curve = (part[level] for part in parts)
        mean = replace(
            start, phase="mean", curves=curves[:, level], mean_curve=mean_curve, bias_at=bias_at
        )
        yield replace(mean, bias=float(bias_at.mean()))
        biases, variances, noises = (part.mean(axis=1) for part in parts[:3])
        errors = biases + variances + noises
        variance = replace(
            mean,
            phase="variance",
            variance_at=variance_at,
            noise_at=noise_at,
            bias=float(biases[level]),
            variance=float(variances[level]),
            noise=float(noises[level]),
            error=float(errors[level]),
            train_error=float(train_errors[level]),
        )
        yield variance
        complexity = replace(
            variance,
            phase="complexity",
            levels=np.array(self.family.levels),
            biases=biases,
            variances=variances,
            noises=noises,
            errors=errors,
            train_errors=train_errors,
        )
        yield complexity
        yield replace(complexity, phase="done")

    def target(self, truth: Truth, places: Floats) -> Floats:
        """Return the true curve; with the 0/1 loss, the probability of class 1."""
        heights = truth(places)
        spread = self.noise * truth.half
        if self.loss == SQUARED:
            return heights
        if not spread:
            return (heights > truth.middle).astype(float)
        with np.errstate(over="ignore"):  # of the tiniest noise
            return np.asarray(norm.cdf((heights - truth.middle) / spread))

    def _losses(self, predicted: Floats, y: Floats) -> Floats:
        if self.loss == SQUARED:
            return np.asarray((predicted - y) ** 2)
        return np.asarray((predicted > 0.5) != (y > 0.5), float)

    def _parts(
        self, curves: Floats, truth: Floats, noise: float
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Return bias, variance, noise and mean curve along x, each of shape (n_levels, 61)."""
        if self.loss == SQUARED:
            mean = curves.mean(axis=1)
            return (mean - truth) ** 2, curves.var(axis=1), np.full(mean.shape, noise), mean
        votes = (curves > 0.5).mean(axis=1)
        majority = votes > 0.5
        bayes_error = np.broadcast_to(np.minimum(truth, 1 - truth), votes.shape)
        is_biased = (majority != (truth > 0.5)).astype(float)
        minority = np.where(majority, 1 - votes, votes)
        bias = (1 - 2 * bayes_error) * is_biased
        variance = (1 - 2 * bayes_error) * (1 - 2 * is_biased) * minority
        return bias, variance, bayes_error, majority.astype(float)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
