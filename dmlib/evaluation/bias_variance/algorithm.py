"""Bias and variance by simulation: many training sets, what a model makes of each, and what they make together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

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
    NEIGHBORS,
    PENALTIES,
    Family,
)
from dmlib.evaluation.bias_variance.families import SPOKEN as SPOKEN_MODELS
from dmlib.evaluation.bias_variance.truths import SPOKEN as SPOKEN_TRUTHS
from dmlib.evaluation.bias_variance.truths import TRUTHS, Truth, truth_of
from dmlib.params import Choice, Conditions, Integer, Number, Param, Spoken, check_params
from dmlib.squares import check_squares
from dmlib.trace import look

SQUARED, ZERO_ONE = "squared", "zero_one"
LOSSES = {SQUARED: "squared error", ZERO_ONE: "0/1 loss of a class"}
GRID = 61  # places at which curves are compared
BLOCK = 2**18  # values of training sets that are worked on at once


@dataclass(frozen=True, eq=False)
class BiasVarianceStep:
    """One step of the simulation.

    Attributes
    ----------
    phase : {"truth", "sample", "mean", "variance", "complexity", "done"}
        What was done: the curve and its noise fixed; a training set drawn and fitted; the mean
        curve taken; the scatter around it measured; all complexities compared; all told.
    index : int
        The number of the training set, from 0.
    x, y : ndarray of shape (n_samples,)
        The training set of this step; y are classes 0 and 1 with the 0/1 loss.
    curve : ndarray of shape (61,)
        What the model says along x, after that training set.
    places, truth : ndarray of shape (61,)
        Places along x, and the true curve there; with the 0/1 loss, the probability of class 1.
        First, and in the end.
    curves : ndarray of shape (n_sets, 61)
        What the models say, in the end.
    mean_curve : ndarray of shape (61,)
        Their mean; with the 0/1 loss, what most of them say.
    bias_at, variance_at, noise_at : ndarray of shape (61,)
        The parts of the error along x.
    levels : ndarray of shape (n_levels,)
        All complexities.
    biases, variances, noises, errors, train_errors : ndarray of shape (n_levels,)
        The parts of the error for each, the error, and that of the training rows.
    bias, variance, noise, error, train_error : float
        Those of the chosen complexity.
    """

    phase: str
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
    r"""Draw many training sets from a known curve with noise, and take the error of a model apart.

    :math:`E(y - \hat f(x))^2 = (f(x) - E \hat f(x))^2 + Var \hat f(x) + \sigma^2`: bias², variance and noise. A simple
    model has a large bias, a complex one a large variance.

    Parameters
    ----------
    model : {"polynomial", "knn", "tree", "ridge"}, default="polynomial"
        What is fitted to each training set.
    degree : int, default=9
        The degree of the polynomial.
    n_neighbors : int, default=3
        The number of neighbours.
    max_depth : int, default=4
        The depth of the tree.
    log_penalty : float, default=-3
        The decimal logarithm of the penalty λ on the coefficients of a polynomial of degree 12.
    loss : {"squared", "zero_one"}, default="squared"
        The squared error of a number; or the share of wrong classes, where a row is of class 1 if
        its number is above the middle, and the model's number is compared with one half.
    truth : {"data", "sine", "line", "step", "bump"}, default="data"
        The true curve: a smooth curve of the data, or a shape over their range.
    noise : float, default=0.25
        The standard deviation of the noise, in halves of the range of the heights.
    n_samples : int, default=30
        The rows of a training set, spread evenly over the range of x, each moved a little at
        random.
    n_sets : int, default=100
        The number of training sets.
    column : int, default=1
        The number of the column that is x, from 1; the others are left alone.
    random_state : int, RandomState or None, default=None
        The seed of the training sets.

    Attributes
    ----------
    bias_, variance_, noise_, error_ : float
        The parts of the expected error on new rows, and the error; bias_ is squared with the
        squared error.
    train_error_ : float
        The mean error of the training rows.
    places_, truth_, mean_curve_ : ndarray of shape (61,)
        Places along x, the true curve and the mean curve there.
    curves_ : ndarray of shape (n_sets, 61)
        The curves of the models.
    levels_, biases_, variances_, noises_, errors_, train_errors_ : ndarray of shape (n_levels,)
        All complexities of the model, and the same for each.
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
    >>> found = BiasVariance(degree=1, truth="line", random_state=0).fit(x, range(11))
    >>> bool(found.bias_ < 0.01 < found.variance_ < found.noise_)
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
    SPOKEN: ClassVar[Spoken] = {"model": SPOKEN_MODELS, "loss": LOSSES, "truth": SPOKEN_TRUTHS}

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
        """Take the range of the data (or their smooth curve), draw training sets and take the error apart."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        return self._adopt(list(self._steps(np.asarray(X), np.asarray(y, float))))

    def fit_from(self, steps: Sequence[BiasVarianceStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps, without simulating again."""
        validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        return self._adopt(steps)

    def _adopt(self, steps: Sequence[BiasVarianceStep]) -> Self:
        last = steps[-1]
        self.places_, self.truth_, self.mean_curve_, self.curves_ = (
            last.places,
            last.truth,
            last.mean_curve,
            last.curves,
        )
        self.levels_, self.biases_, self.variances_ = last.levels, last.biases, last.variances
        self.noises_, self.errors_, self.train_errors_ = last.noises, last.errors, last.train_errors
        self.bias_, self.variance_, self.noise_ = last.bias, last.variance, last.noise
        self.error_, self.train_error_ = last.error, last.train_error
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[BiasVarianceStep]:
        """Yield the truth, each training set with its curve, the mean, the parts and all complexities."""
        X, y = check_X_y(X, y, dtype=np.float64, y_numeric=True)
        yield from self._steps(np.asarray(X), np.asarray(y, float))

    @property
    def family(self) -> Family:
        """The models of all complexities."""
        return FAMILIES[self.model]

    @property
    def level(self) -> int:
        """The number of the chosen complexity among all."""
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
        truth, rng = truth_of(self.truth, data, y), check_random_state(self.random_state)
        places = np.linspace(truth.low, truth.high, GRID)
        known = self.target(truth, places)
        start = BiasVarianceStep("truth", places=places, truth=known)
        yield start
        said, trained, at = [], [], truth.scaled(places)
        sets = [self.training_set(truth, rng) for _ in range(self.n_sets)]
        at_once = max(1, BLOCK // (GRID * self.n_samples))
        for first in range(0, self.n_sets, at_once):
            look()
            x, heights = (
                np.array(each) for each in zip(*sets[first : first + at_once], strict=True)
            )
            found = self.family.fits(truth.scaled(x), heights, at)
            said.append(found[..., :GRID])
            trained.append(self._losses(found[..., GRID:], heights[:, None]).mean(axis=-1))
            curves = found[:, self.level, :GRID].copy()
            for i, curve in enumerate(curves):
                yield BiasVarianceStep("sample", first + i, x[i], heights[i], curve)
        everything, training = np.concatenate(said), np.concatenate(trained).mean(axis=0)
        parts = self._parts(everything.transpose(1, 0, 2), known, (self.noise * truth.half) ** 2)
        bias_at, variance_at, noise_at, mean_curve = (part[self.level] for part in parts)
        now = replace(
            start,
            phase="mean",
            curves=everything[:, self.level],
            mean_curve=mean_curve,
            bias_at=bias_at,
        )
        yield replace(now, bias=float(bias_at.mean()))
        biases, variances, noises = (part.mean(axis=1) for part in parts[:3])
        of_all = {
            "biases": biases,
            "variances": variances,
            "noises": noises,
            "errors": biases + variances + noises,
        }
        now = replace(
            now,
            phase="variance",
            variance_at=variance_at,
            noise_at=noise_at,
            bias=float(biases[self.level]),
            variance=float(variances[self.level]),
            noise=float(noises[self.level]),
            error=float(of_all["errors"][self.level]),
            train_error=float(training[self.level]),
        )
        yield now
        now = replace(
            now,
            phase="complexity",
            levels=np.array(self.family.levels),
            train_errors=training,
            **of_all,
        )
        yield now
        yield replace(now, phase="done")

    def target(self, truth: Truth, places: Floats) -> Floats:
        """Return the true curve; with the 0/1 loss, the probability of class 1."""
        heights, spread = truth(places), self.noise * truth.half
        if self.loss == SQUARED:
            return heights
        if not spread:
            return (heights > truth.middle).astype(float)
        return np.asarray(norm.cdf((heights - truth.middle) / spread))

    def _losses(self, said: Floats, y: Floats) -> Floats:
        if self.loss == SQUARED:
            return np.asarray((said - y) ** 2)
        return np.asarray((said > 0.5) != (y > 0.5), float)

    def _parts(
        self, said: Floats, known: Floats, noise: float
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Return bias, variance and noise along x, and the mean curve, each of shape (n_levels, 61)."""
        if self.loss == SQUARED:
            mean = said.mean(axis=1)
            return (mean - known) ** 2, said.var(axis=1), np.full(mean.shape, noise), mean
        votes = (said > 0.5).mean(axis=1)
        main, best = votes > 0.5, known > 0.5
        floor = np.broadcast_to(np.minimum(known, 1 - known), votes.shape)
        wrong = (main != best).astype(float)
        scatter = np.where(main, 1 - votes, votes)
        return (
            (1 - 2 * floor) * wrong,
            (1 - 2 * floor) * (1 - 2 * wrong) * scatter,
            floor,
            main.astype(float),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
