"""Gradient descent in two variables: momentum, adaptive rates, Newton's method, coordinates."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import repeat
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.neural.gradient_descent.optimizers import BY_CURVATURE, BY_LENGTH, BY_SLOPE, OPTIMIZERS
from dmlib.neural.gradient_descent.optimizers.optimizer import Optimizer
from dmlib.neural.gradient_descent.race import STATUS, DescentStep, Race, Rows, Surface, curvatures
from dmlib.neural.gradient_descent.ranges import gradient_descent_ranges
from dmlib.params import Choice, Integer, Number, Param, Ranges, Several, Spoken, check_params

DEFAULT_START = 0.1, 0.85  # of the sides of the domain
RATE_SHARE = 0.9  # of the largest stable rate, for "auto"
LENGTH_SHARE = 1 / 30  # of the narrower side of the domain, for "auto"
TRIES = 50  # places drawn for each start


class GradientDescent(BaseEstimator):
    r"""Minimise a function of two variables by its gradient, with one optimiser or several.

    From a start :math:`p`, each step adds :math:`\Delta` to it, which an optimiser computes from
    the gradient :math:`g = \nabla f(p)`: in the simplest case :math:`\Delta = -\eta g`.

    Parameters
    ----------
    optimizer : str, default="gradient,momentum,adam"
        One or several of gradient, momentum, nesterov, adagrad, rmsprop, adam, newton and
        coordinate (coordinate descent), joined by commas: they race from the same starts.
    learning_rate : float or "auto", default="auto"
        The step size η of gradient, momentum and nesterov: a factor of the gradient. "auto" is 0.9
        times the largest stable rate 2/λ, where λ is the largest curvature at the start (less for
        nesterov, whose limit is lower).
    adaptive_rate : float or "auto", default="auto"
        The step size η of adagrad, rmsprop and adam: a length in the units of the variables. "auto"
        is a thirtieth of the narrower side of the domain.
    newton_rate : float, default=1.0
        The fraction of the step of newton and coordinate that is made.
    momentum : float, default=0.9
        The fraction μ of the velocity that momentum and nesterov add to the next.
    rho : float, default=0.9
        The decay rate of rmsprop's running mean of squared gradients.
    beta_1, beta_2 : float, default=0.9, 0.999
        The decay rates of adam's running means of gradients and of squared gradients. ε = 1e-8 is
        added to the corrected root, as in Algorithm 1 of the paper.
    decay : float, default=0.0
        The rates of step t are divided by 1 + decay (t − 1).
    batch_size : int or None, default=None
        Rows in a mini-batch, from which the gradient of a step is computed: 1 is stochastic, None
        (all rows) is batch gradient descent. Only for the loss of a model; Newton's method and
        coordinate descent take all rows.
    max_iter : int, default=60
        The maximum number of steps.
    tol : float, default=0.001
        A walker has converged where its gradient, of all rows, is not longer than this.
    n_starts : int, default=1
        The number of starts. The first is ``init``, the others are drawn at random from the domain.
    init : "auto" or array of shape (2,), default="auto"
        The first start; "auto" is at the upper left of the domain.
    random_state : int, RandomState or None, default=None
        The seed of the other starts and of the order of the rows.

    Attributes
    ----------
    places_ : ndarray of shape (n_walkers, 2)
        The places at which the walkers end: optimiser by optimiser, start by start.
    values_ : ndarray of shape (n_walkers,)
        The values of the function there.
    best_place_ : ndarray of shape (2,)
        The lowest of these places.
    best_value_ : float
        The value there.
    curvature_ : ndarray of shape (2,)
        The eigenvalues of the Hessian there, the larger first.
    stable_rate_ : float
        The largest stable rate of gradient descent there, 2/λ.
    converged_ : ndarray of shape (n_walkers,)
        Whether each walker has converged.
    n_iter_ : int
        The number of steps.

    Raises
    ------
    ValueError
        If the surface has no value at the start.

    Notes
    -----
    A step costs a gradient for each walker: O(1) of a formula, O(n) of a loss over n rows, O(b) of
    a batch of b, and O(n) for the value at each place. A walker farther than five widths of the
    domain outside has diverged, or descends without bound; so all places are finite.

    References
    ----------
    B. T. Polyak (1964), Some methods of speeding up the convergence of iteration methods.
    Y. E. Nesterov (1983), A method of solving a convex programming problem with convergence rate
    O(1/k²). J. Duchi, E. Hazan and Y. Singer (2011), Adaptive subgradient methods for online
    learning and stochastic optimization. T. Tieleman and G. Hinton (2012), Lecture 6.5: Divide the
    gradient by a running average of its recent magnitude. D. P. Kingma and J. Ba (2015), Adam: a
    method for stochastic optimization. S. J. Wright (2015), Coordinate descent algorithms.

    Examples
    --------
    >>> from dmlib.problem import prepare_surface
    >>> bowl = prepare_surface("x^2 + 3*y^2")
    >>> model = GradientDescent("gradient", learning_rate=0.25, init=[4.0, 2.0], max_iter=2)
    >>> model.fit(bowl).places_.tolist(), model.best_value_, round(model.stable_rate_, 6)
    ([[1.0, 0.5]], 1.75, 0.333333)
    """

    RANGES: ClassVar[Ranges] = staticmethod(gradient_descent_ranges)
    APPLIES: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {
        "learning_rate": ("optimizer", BY_SLOPE),
        "adaptive_rate": ("optimizer", BY_LENGTH),
        "newton_rate": ("optimizer", BY_CURVATURE),
        "momentum": ("optimizer", ("momentum", "nesterov")),
        "rho": ("optimizer", ("rmsprop",)),
        "beta_1": ("optimizer", ("adam",)),
        "beta_2": ("optimizer", ("adam",)),
    }
    SPOKEN: ClassVar[Spoken] = {
        "optimizer": {name: optimizer.title for name, optimizer in OPTIMIZERS.items()}
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "optimizer": Several(tuple(OPTIMIZERS)),
        "learning_rate": Number(1e-9, 1e3, shown=(1e-3, 1.0), log=True, names=("auto",)),
        "adaptive_rate": Number(1e-9, 1e3, shown=(1e-2, 1.0), log=True, names=("auto",)),
        "newton_rate": Number(0.01, 2.0, shown=(0.05, 2.0), step=0.05),
        "momentum": Number(0.0, 0.9999, shown=(0.0, 0.99), step=0.01),
        "rho": Number(0.0, 0.9999, shown=(0.0, 0.99), step=0.01),
        "beta_1": Number(0.0, 0.9999, shown=(0.0, 0.99), step=0.01),
        "beta_2": Number(0.0, 0.99999, shown=(0.0, 0.999), step=0.001),
        "decay": Number(0.0, 100.0, shown=(0.0, 1.0), step=0.01),
        "batch_size": Integer(1, 500, shown=(1, 100), none="all rows"),
        "max_iter": Integer(1, 2000, shown=(1, 200)),
        "tol": Number(0.0, 1e6, shown=(1e-6, 10.0), log=True),
        "n_starts": Integer(1, 25, shown=(1, 12)),
        "init": Choice(("auto",), arrays=True),
    }

    def __init__(
        self,
        optimizer: str = "gradient,momentum,adam",
        *,
        learning_rate: float | str = "auto",
        adaptive_rate: float | str = "auto",
        newton_rate: float = 1.0,
        momentum: float = 0.9,
        rho: float = 0.9,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        decay: float = 0.0,
        batch_size: int | None = None,
        max_iter: int = 60,
        tol: float = 1e-3,
        n_starts: int = 1,
        init: Any = "auto",
        random_state: Any = None,
    ) -> None:
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.adaptive_rate = adaptive_rate
        self.newton_rate = newton_rate
        self.momentum = momentum
        self.rho = rho
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.decay = decay
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.tol = tol
        self.n_starts = n_starts
        self.init = init
        self.random_state = random_state

    def fit(self, X: Surface, y: Any = None) -> Self:
        """Minimise the surface ``X``; ``y`` is ignored."""
        last = deque(self.steps(X), maxlen=1).pop()
        self.places_ = last.places
        self.values_ = last.values
        self.n_iter_ = last.iteration
        self.best_place_ = last.best_place
        self.best_value_ = last.best_value
        self.curvature_ = last.curvature
        self.stable_rate_ = last.stable_rate
        self.converged_ = np.array([status == "rest" for status in last.status])
        for walker, status in enumerate(last.status):
            if status not in ("rest", "moving"):
                reason = f"{self.title(walker)} {STATUS[status]}"
                warn(f"Not converged. {reason}.", ConvergenceWarning, stacklevel=2)
                break
        return self

    def steps(self, X: Surface, y: Any = None) -> Iterator[DescentStep]:
        """Yield the start, each step of all walkers in lock-step, and the end."""
        check_params(self.PARAMS, self.get_params())
        if not all(hasattr(X, name) for name in ("domain", "value", "gradient")):
            raise ValueError(
                f"X must be a surface with domain, value and gradient, not {type(X).__name__}. Make"
                " one with dmlib.problem.prepare_surface."
            )
        rng = check_random_state(self.random_state)
        starts = self._starts(X, rng)
        race = Race(X, list(self.optimizers(X, starts[0]).values()), starts)
        yield from race.steps(self.max_iter, self.tol, self.decay, self._batches(X.n_rows, rng))

    def draft(self, X: Surface, y: Any = None) -> dict[str, Any]:
        """Return fewer steps, for a picture while a control moves."""
        n_walkers = len(self.names) * self.n_starts
        n_hessians = len(set(BY_CURVATURE) & set(self.names))
        n_evaluations = 2 + len(self.names) + 4 * n_hessians  # in a step
        if not X.n_rows:
            n_evaluations *= 5  # a formula is evaluated term by term
        n_steps = epochs_of_draft(self.max_iter, n_evaluations, 60 * n_walkers * X.n_rows)
        return {"max_iter": n_steps}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # X is a surface
        return tags

    @property
    def names(self) -> tuple[str, ...]:
        """The optimisers, in the order of their walkers."""
        return tuple(self.optimizer.split(","))

    def title(self, walker: int) -> str:
        """Return the title of a walker's optimiser."""
        return OPTIMIZERS[self.names[walker // self.n_starts]].title

    def optimizers(self, surface: Surface, start: Floats) -> dict[str, Optimizer]:
        """Return the optimisers by name, their rates chosen for a surface and a start."""
        options = {
            "momentum": (self.momentum,),
            "nesterov": (self.momentum,),
            "rmsprop": (self.rho,),
            "adam": (self.beta_1, self.beta_2),
            **dict.fromkeys(BY_CURVATURE, (surface.hessian,)),
        }
        x0, x1, y0, y1 = surface.domain
        width = min(x1 - x0, y1 - y0)
        curvature = float(np.abs(curvatures(surface, start)).max()) or 1 / width
        optimizers: dict[str, Optimizer] = {}
        for name in self.names:
            optimizer = OPTIMIZERS[name](1.0, *options.get(name, ()))
            if name in BY_CURVATURE:
                optimizer.rate = self.newton_rate
            elif name in BY_SLOPE:
                stable_rate = min(2 / curvature, optimizer.limit(curvature))
                optimizer.rate = _rate(self.learning_rate, RATE_SHARE * stable_rate)
            else:
                optimizer.rate = _rate(self.adaptive_rate, LENGTH_SHARE * width)
            optimizers[name] = optimizer
        return optimizers

    def _starts(self, surface: Surface, rng: np.random.RandomState) -> Floats:
        """Return the starts, at all of which the function has a value, shape (n_starts, 2)."""
        x0, x1, y0, y1 = surface.domain
        low, size = np.array([x0, y0]), np.array([x1 - x0, y1 - y0])
        if isinstance(self.init, str):
            first = low + DEFAULT_START * size
        else:
            first = np.asarray(self.init, float)
        if first.shape != (2,) or not np.isfinite(first).all():
            raise ValueError("init must have two finite numbers, the place of the first start.")
        slope = surface.gradient(first)
        if not (np.isfinite(surface.value(first)) and np.isfinite(slope).all()):
            place = f"({first[0]:.4g}, {first[1]:.4g})"
            raise ValueError(
                f"The function has no value or no slope at the start {place}. Move the start."
            )
        places = low + size * rng.uniform(size=(TRIES * (self.n_starts - 1), 2))
        has_value = np.isfinite(surface.value(places))
        has_slope = np.isfinite(surface.gradient(places)).all(axis=1)
        # The first fills up where too few places have a value:
        candidates = [places[has_value & has_slope], np.tile(first, (self.n_starts, 1))]
        return np.vstack([first, *candidates])[: self.n_starts]

    def _batches(self, n_rows: int, rng: np.random.RandomState) -> Iterator[Rows | None]:
        """Yield the rows of each step: in each epoch all of them, in a new order."""
        size = self.batch_size
        if size is None or size >= n_rows:
            yield from repeat(None)
            return
        while True:
            order = rng.permutation(n_rows)
            for first in range(0, n_rows, size):
                yield order[first : first + size]


def _rate(rate: float | str, default: float) -> float:
    return float(rate) if rate != "auto" else default
