"""What the classifier and the regressor share: a network of layers that learns by back-propagation, epoch by epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state, check_X_y, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.neural.activations import ACTIVATIONS, Activation
from dmlib.neural.initialisers import INITIALISERS, initial_layers
from dmlib.neural.layers import backward, forward, mean_loss, penalty
from dmlib.neural.losses import LOSSES, Loss
from dmlib.neural.mlp.ranges import mlp_ranges
from dmlib.neural.optimizers import OPTIMIZERS, Optimizer
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Ranges, check_params
from dmlib.squares import finite_values
from dmlib.trace import look

Weights = tuple[Floats, ...]

LARGEST = 1e100  # numbers up to which sums are finite
BEYOND = 1e8  # a weight or a mean loss beyond it is no answer any more
MOST_UNITS, MOST_LAYERS = 1000, 20
OUTPUTS = {
    "log_loss": "softmax",
    "binary_log_loss": "sigmoid",
    "squared_sigmoid": "sigmoid",
    "squared_error": "identity",
    "hinge": "identity",
}
"""What the output units make of their sums, by the loss."""

COMMON: dict[str, Param] = {
    "activation": Choice(("sigmoid", "tanh", "relu", "softplus", "identity")),
    "solver": Choice(tuple(OPTIMIZERS)),
    "learning_rate": Number(1e-8, 1e4, shown=(0.0001, 10.0), log=True),
    "decay": Number(0.0, 1e3, shown=(0.0, 1.0), step=0.005),
    "momentum": Number(0.0, 0.999, shown=(0.0, 0.99), step=0.005),
    "alpha": Number(0.0, 1e6, shown=(0.0, 10.0), log=True),
    "dropout": Number(0.0, 0.95, shown=(0.0, 0.8), step=0.005),
    "batch_size": Integer(1, 1_000_000, shown=(1, 500)),
    "max_iter": Integer(1, 10_000, shown=(1, 500)),
    "shuffle": Flag(),
    "early_stopping": Flag(),
    "validation_fraction": Number(0.01, 0.9, shown=(0.05, 0.5), step=0.005),
    "n_iter_no_change": Integer(1, 10_000, shown=(1, 100)),
    "init": Choice(tuple(INITIALISERS), arrays=True),
}


@dataclass(frozen=True)
class MLPStep:
    """One step of a network that learns.

    Attributes
    ----------
    phase : {"start", "epoch", "best", "done"}
        What was done: the initial weights were drawn; an epoch ended; the same with the smallest
        validation loss so far; the end.
    epoch : int
        How many passes through the rows were made.
    coefs : tuple of ndarray of shape (n_inputs, n_units)
        The weights of each layer.
    intercepts : tuple of ndarray of shape (n_units,)
        The intercepts of each layer.
    loss : float
        The mean loss of the batches of the epoch with weight decay; at the start that of all rows.
    validation_loss : float or None
        The mean loss of the rows that are kept for early stopping, without weight decay.
    rate : float
        The learning rate of the epoch.
    n_updates : int
        How often the weights were changed so far.
    watched : ndarray of shape (n_validation,)
        The rows that are kept for validation, none without early stopping.
    best_epoch : int
        The epoch with the smallest validation loss so far; without early stopping the last.
    converged : bool
        On "done": whether the weights stayed finite.
    reason : str
        On "done": one sentence on why it ended.
    """

    phase: str
    epoch: int
    coefs: Weights
    intercepts: Weights
    loss: float
    validation_loss: float | None
    rate: float
    n_updates: int
    watched: NDArray[np.intp]
    best_epoch: int
    converged: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Rows:
    """The rows that weights are changed by, those that are only watched, and their targets."""

    X: Floats
    Y: Floats
    watched: NDArray[np.intp]  # places of the validation rows among all
    X_watched: Floats
    Y_watched: Floats


@dataclass(frozen=True)
class Targets:
    """What the output units are to say of each row.

    Attributes
    ----------
    Y : ndarray of shape (n_samples, n_outputs)
        The targets as they are learned.
    strata : ndarray of shape (n_samples,) or None
        The classes by which a validation set is stratified.
    shift, unit : float or ndarray of shape (n_outputs,)
        What was taken from targets that are numbers, and what they were divided by.
    """

    Y: Floats
    strata: NDArray[Any] | None = None
    shift: Any = 0.0
    unit: Any = 1.0

    def restored(self, weights: tuple[Weights, Weights]) -> tuple[Weights, Weights]:
        """Return learned weights in the units of the target."""
        (*coefs, W), (*intercepts, b) = weights
        return (*coefs, W * self.unit), (*intercepts, b * self.unit + self.shift)

    def learned(self, weights: tuple[Weights, Weights]) -> tuple[Weights, Weights]:
        """Return weights in the units of the target as they are learned."""
        (*coefs, W), (*intercepts, b) = weights
        return (*coefs, W / self.unit), (*intercepts, (b - self.shift) / self.unit)


class Learner:
    """The weights of a network, views of one array, and how a batch changes them."""

    def __init__(
        self,
        coefs: list[Floats],
        intercepts: list[Floats],
        hidden: Activation,
        loss: Loss,
        model: Any,
    ):
        self.hidden, self.loss, self.model, params = hidden, loss, model, [*coefs, *intercepts]
        self.all = np.concatenate([param.ravel() for param in params])
        parts = np.split(self.all, np.cumsum([param.size for param in params])[:-1])
        views = [part.reshape(param.shape) for part, param in zip(parts, params, strict=True)]
        self.coefs, self.intercepts = views[: len(coefs)], views[len(coefs) :]
        more = {"momentum": model.momentum} if model.solver == "sgd" else {}
        self.rule: Optimizer = OPTIMIZERS[model.solver]([self.all], model.learning_rate, **more)
        self.n_updates = 0

    def epoch(self, X: Floats, Y: Floats, size: int, rng: np.random.RandomState) -> float:
        """Change the weights by one batch after the other; return the mean loss of the batches."""
        model, coefs, outputs, decay = self.model, self.coefs, list[Floats](), 0.0
        with np.errstate(all="ignore"):  # weights that grow without bound are told by the caller
            for first in range(0, len(X), size):
                look()
                x, y = X[first : first + size], Y[first : first + size]
                seen = forward(
                    x,
                    coefs,
                    self.intercepts,
                    self.hidden,
                    self.loss,
                    dropout=model.dropout,
                    rng=rng,
                )
                outputs.append(seen.output)
                decay += penalty(coefs, model.alpha)
                by_coefs, by_intercepts, _ = backward(
                    seen, y, coefs, self.hidden, self.loss, model.alpha
                )
                gradient = np.concatenate([part.ravel() for part in by_coefs + by_intercepts])
                self.all += self.rule.updates([gradient])[0]
                self.n_updates += 1
            return float(self.loss.loss(np.concatenate(outputs), Y).sum() + decay) / len(X)

    def mean_loss(self, X: Floats, Y: Floats, alpha: float = 0.0) -> float:
        """Return the mean loss of some rows."""
        with np.errstate(all="ignore"):
            seen = forward(X, self.coefs, self.intercepts, self.hidden, self.loss)
            return mean_loss(seen, Y, self.coefs, self.loss, alpha)

    def copies(self) -> tuple[Weights, Weights]:
        """Return the weights as they are now."""
        return tuple(W.copy() for W in self.coefs), tuple(b.copy() for b in self.intercepts)

    @property
    def bounded(self) -> bool:
        """Whether all weights are finite, and none is too large."""
        return bool((np.abs(self.all) < BEYOND).all())


class Network(BaseEstimator):
    """The base of networks of fully connected layers.

    A class says by :meth:`_targets` what the output units are to say, and by :meth:`_loss_name` how
    that is measured.
    """

    PARAMS: ClassVar[dict[str, Param]]
    RANGES: ClassVar[Ranges] = staticmethod(mlp_ranges)
    APPLIES: ClassVar[Conditions] = {
        "momentum": ("solver", ("sgd",)),
        "validation_fraction": ("early_stopping", (True,)),  # type: ignore[dict-item]
        "n_iter_no_change": ("early_stopping", (True,)),  # type: ignore[dict-item]
    }
    hidden_layer_sizes: Any
    activation: str
    solver: str
    learning_rate: float
    decay: float
    momentum: float
    alpha: float
    dropout: float
    batch_size: int
    max_iter: int
    shuffle: bool
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    init: Any
    random_state: Any

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the weights for the rows of ``X`` and their targets."""
        rows, targets = self._checked(X, y)
        return self._take(self._learn(rows, targets), rows, targets)

    def fit_from(self, steps: Iterable[MLPStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps of this estimator on the same rows."""
        return self._take(steps, *self._checked(X, y))

    def _take(self, steps: Iterable[MLPStep], X: Floats, y: NDArray[Any]) -> Self:
        """Keep what the steps end with, and the curves of their losses."""
        self.loss_curve_: list[float] = []
        watched: list[float] = []
        for step in steps:
            end = step
            if step.phase in ("epoch", "best"):
                self.loss_curve_.append(step.loss)
                watched += [] if step.validation_loss is None else [step.validation_loss]
        self.coefs_, self.intercepts_ = (
            [W.copy() for W in end.coefs],
            [b.copy() for b in end.intercepts],
        )
        self.validation_loss_curve_ = watched if self.early_stopping else None
        self.loss_, self.n_iter_ = end.loss, end.epoch
        self.best_epoch_, self.converged_ = end.best_epoch, end.converged
        self.n_layers_, self.n_outputs_ = len(self.coefs_) + 1, self.coefs_[-1].shape[1]
        self.out_activation_ = OUTPUTS[self.loss_name(self.n_outputs_)]
        self._understand(X, y)
        if not end.converged:
            warn(f"Not converged. {end.reason}", ConvergenceWarning, stacklevel=3)
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[MLPStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64, **self._takes))

    def outputs(
        self, X: Floats, coefs: Sequence[Floats], intercepts: Sequence[Floats]
    ) -> list[Floats]:
        """Return the activations of each layer for rows, shapes (n_samples, n_units), with given weights."""
        loss = LOSSES[self.loss_name(coefs[-1].shape[1])]
        with np.errstate(over="ignore"):
            return forward(X, coefs, intercepts, ACTIVATIONS[self.activation], loss).activations[1:]

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return the parameters of a run that is soon done, for a picture while a control moves: fewer epochs."""
        layers = list(pairwise((np.shape(X)[1], *self.layer_sizes, 1)))
        n_batches, n_weights = -(-len(X) // self.batch_size), sum(n * m for n, m in layers)
        return {
            "max_iter": epochs_of_draft(self.max_iter, n_batches * len(layers), len(X) * n_weights)
        }

    @property
    def layer_sizes(self) -> tuple[int, ...]:
        """The numbers of hidden units, layer by layer."""
        sizes = self.hidden_layer_sizes
        return (
            (int(sizes),)
            if isinstance(sizes, int | np.integer)
            else tuple(int(size) for size in sizes)
        )

    _takes: ClassVar[dict[str, bool]] = {}  # what scikit-learn's checks are told of the targets

    def _checked(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, NDArray[Any]]:
        """Return the rows and their targets after checks; of one target in a column, its numbers."""
        rows, targets = validate_data(self, X, y, dtype=np.float64, **self._takes)
        one = targets.ndim == 2 and targets.shape[1] == 1
        return rows, column_or_1d(targets, warn=True) if one else targets

    def _output(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: self.outputs(rows, self.coefs_, self.intercepts_)[-1])

    def targets(self, y: ArrayLike) -> Targets:
        """Return what the output units are to say, after checks of the targets."""
        raise NotImplementedError

    def loss_name(self, n_outputs: int) -> str:
        """Return which loss of :data:`dmlib.neural.losses.LOSSES` so many output units have."""
        raise NotImplementedError

    def _understand(self, X: Floats, y: NDArray[Any]) -> None:
        """Keep what else is known of the targets."""

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[MLPStep]:
        rng = check_random_state(self.random_state)
        targets = self._prepare(X, y)
        hidden, loss = ACTIVATIONS[self.activation], LOSSES[self.loss_name(targets.Y.shape[1])]
        sizes = (X.shape[1], *self.layer_sizes, targets.Y.shape[1])
        learner = Learner(*self._start(sizes, rng, targets), hidden, loss, self)
        rows = self._divide(X, targets, rng)
        weights = learner.copies()
        value, watched = learner.mean_loss(rows.X, rows.Y, self.alpha), self._watch(learner, rows)
        best, order = (0, watched, weights), np.arange(len(rows.X))
        yield MLPStep(
            "start",
            0,
            *targets.restored(weights),
            value,
            watched,
            self.learning_rate,
            0,
            rows.watched,
            0,
        )
        epoch, reason, converged = 0, "", True
        while epoch < self.max_iter and not reason:
            rate = learner.rule.learning_rate = self.learning_rate / (1 + self.decay * epoch)
            if self.shuffle:
                order = order[rng.permutation(len(order))]
            new = learner.epoch(rows.X[order], rows.Y[order], min(self.batch_size, len(order)), rng)
            epoch += 1
            if not (new < BEYOND and learner.bounded):
                reason, converged = self._diverged(epoch, X), False
                break
            value, watched, weights = new, self._watch(learner, rows), learner.copies()
            better = watched is not None and best[1] is not None and watched < best[1]
            best = (epoch, watched, weights) if better or watched is None else best
            phase = "best" if better else "epoch"
            yield MLPStep(
                phase,
                epoch,
                *targets.restored(weights),
                value,
                watched,
                rate,
                learner.n_updates,
                rows.watched,
                best[0],
            )
            if watched is not None and epoch - best[0] >= self.n_iter_no_change:
                reason = (
                    f"The validation loss has not fallen since epoch {best[0]}: its weights are"
                    " kept."
                )
        reason = reason or "All epochs are done."
        yield MLPStep(
            "done",
            epoch,
            *targets.restored(best[2]),
            value,
            best[1],
            self.learning_rate / (1 + self.decay * epoch),
            learner.n_updates,
            rows.watched,
            best[0],
            converged,
            reason,
        )

    def _watch(self, learner: Learner, rows: Rows) -> float | None:
        return learner.mean_loss(rows.X_watched, rows.Y_watched) if len(rows.watched) else None

    def _diverged(self, epoch: int, X: Floats) -> str:
        spread = float(np.abs(X).max())
        scale = f" The columns have numbers up to {spread:.3g}: scale them." if spread > 10 else ""
        return (
            f"The weights grow without bound in epoch {epoch}: the learning rate"
            f" {self.learning_rate:g} is too large.{scale or ' Choose a smaller one.'}"
        )

    def _prepare(self, X: Floats, y: NDArray[Any]) -> Targets:
        """Check everything; return the targets of the output units."""
        check_params(self.PARAMS, {name: getattr(self, name) for name in self.PARAMS})
        self._check_sizes()
        if np.abs(X).max() > LARGEST:
            raise ValueError(
                f"X has numbers beyond {LARGEST:g}, which are too large; rescale its columns."
            )
        return self.targets(y)

    def _check_sizes(self) -> None:
        given = self.hidden_layer_sizes
        sizes = (given,) if np.isscalar(given) or given is None else tuple(given)
        whole = all(
            isinstance(s, int | np.integer) and not isinstance(s, bool) and 1 <= s <= MOST_UNITS
            for s in sizes
        )
        if not whole or len(sizes) > MOST_LAYERS:
            raise ValueError(
                f"hidden_layer_sizes must be up to {MOST_LAYERS} whole numbers from 1 to"
                f" {MOST_UNITS}; it was {given!r}."
            )

    def _divide(self, X: Floats, targets: Targets, rng: np.random.RandomState) -> Rows:
        """Set the validation rows aside, as many of each class."""
        watched, learned, strata, Y = (
            np.empty(0, np.intp),
            np.arange(len(X)),
            targets.strata,
            targets.Y,
        )
        if self.early_stopping:
            n_watched = round(self.validation_fraction * len(X))
            if not 1 <= n_watched < len(X):
                raise ValueError(
                    f"Of {len(X)} rows, {n_watched} would be for validation: "
                    "use more rows, another validation_fraction, or no early stopping."
                )
            if strata is not None:
                counts = np.unique(strata, return_counts=True)[1]
                enough = counts.min() >= 2 and len(counts) <= min(n_watched, len(X) - n_watched)
                strata = strata if enough else None
            learned, watched = train_test_split(
                learned, test_size=n_watched, random_state=rng, stratify=strata
            )
        return Rows(X[learned], Y[learned], watched, X[watched], Y[watched])

    def _start(
        self, sizes: Sequence[int], rng: np.random.RandomState, targets: Targets
    ) -> tuple[list[Floats], list[Floats]]:
        """Return the initial weights and intercepts of each layer."""
        shapes = list(pairwise(sizes))
        if not isinstance(self.init, str):
            given = given_weights(
                self.init, {"coefs": shapes, "intercepts": [(m,) for _, m in shapes]}
            )
            weights, constants = targets.learned((given["coefs"], given["intercepts"]))
            return list(weights), list(constants)
        return initial_layers(self.init, sizes, self.activation, rng)
