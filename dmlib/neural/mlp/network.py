"""A network that learns by back-propagation: the base of the classifier and the regressor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self
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
from dmlib.estimator import Staged
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.initialisers import INITIALISERS, initial_layers
from dmlib.neural.layers import forward
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.learner import MAX_WEIGHT, Learner, Rows
from dmlib.neural.mlp.ranges import mlp_ranges
from dmlib.neural.mlp.targets import Targets, Weights
from dmlib.neural.optimizers import OPTIMIZERS
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Ranges, check_params
from dmlib.squares import finite_values

Phase = Literal["start", "epoch", "best", "done"]

MAX_NUMBER = 1e100  # numbers up to which sums are finite
MAX_UNITS = 1000  # in a layer
MAX_LAYERS = 20
OUTPUTS = {
    "log_loss": "softmax",
    "binary_log_loss": "sigmoid",
    "squared_sigmoid": "sigmoid",
    "squared_error": "identity",
    "hinge": "identity",
}
"""The activation function of the output units, by the loss."""

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
    """One step of learning.

    Attributes
    ----------
    phase : {"start", "epoch", "best", "done"}
        The initial weights are drawn; an epoch ends; the same with the smallest validation loss so
        far; the end.
    epoch : int
        The number of passes through the rows so far.
    coefs : tuple of ndarray of shape (n_inputs, n_units)
        The weights of each layer.
    intercepts : tuple of ndarray of shape (n_units,)
        The intercepts of each layer.
    loss : float
        The mean loss of the batches of the epoch with weight decay; at the start that of all rows.
    validation_loss : float or None
        The mean loss of the validation rows of early stopping, without weight decay.
    rate : float
        The learning rate of the epoch.
    n_updates : int
        The number of updates of the weights so far.
    watched : ndarray of shape (n_validation,)
        The validation rows, none without early stopping.
    best_epoch : int
        The epoch with the smallest validation loss so far; without early stopping the last.
    converged : bool
        On "done": whether the weights stayed finite.
    reason : str
        On "done": one sentence on why it ended.
    """

    phase: Phase
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


class Network(Staged, BaseEstimator):
    """The base of networks of fully connected layers.

    A class has :meth:`targets` of its output units, and :meth:`loss_name` of how they are measured.
    """

    coefs_: list[Floats]
    intercepts_: list[Floats]
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
        """Learn the weights from the rows of ``X`` and their targets."""
        rows, targets = self._checked(X, y)
        return self._set_fitted(self._learn(rows, targets), rows, targets)

    def fit_from(self, steps: Iterable[MLPStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps of this estimator on the same rows."""
        return self._set_fitted(steps, *self._checked(X, y))

    def _set_fitted(self, steps: Iterable[MLPStep], X: Floats, y: NDArray[Any]) -> Self:
        """Set the fitted attributes: those of the last step, and the curves of the losses."""
        self.loss_curve_: list[float] = []
        validation_losses: list[float] = []
        for step in steps:
            last = step
            if step.phase in ("epoch", "best"):
                self.loss_curve_.append(step.loss)
                if step.validation_loss is not None:
                    validation_losses.append(step.validation_loss)
        self.__dict__.update(self._learned(last))
        self.validation_loss_curve_ = validation_losses if self.early_stopping else None
        self.loss_ = last.loss
        self.n_iter_ = last.epoch
        self.best_epoch_ = last.best_epoch
        self.converged_ = last.converged
        self.n_layers_ = len(self.coefs_) + 1
        self.n_outputs_ = self.coefs_[-1].shape[1]
        self.out_activation_ = OUTPUTS[self.loss_name(self.n_outputs_)]
        self._set_of_targets(X, y)
        if not last.converged:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=3)
        return self

    def _learned(self, step: MLPStep) -> dict[str, list[Floats]]:
        coefs, intercepts = [W.copy() for W in step.coefs], [b.copy() for b in step.intercepts]
        return {"coefs_": coefs, "intercepts_": intercepts}

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[MLPStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64, **self._takes))

    def outputs(
        self, X: Floats, coefs: Sequence[Floats], intercepts: Sequence[Floats]
    ) -> list[Floats]:
        """Return the activations of each layer, shape (n_samples, n_units), with these weights."""
        loss = LOSSES[self.loss_name(coefs[-1].shape[1])]
        with np.errstate(over="ignore"):
            return forward(X, coefs, intercepts, ACTIVATIONS[self.activation], loss).activations[1:]

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        layers = list(pairwise((np.shape(X)[1], *self.layer_sizes, 1)))
        n_batches = -(-len(X) // self.batch_size)
        n_weights = sum(n * m for n, m in layers)
        n_epochs = epochs_of_draft(self.max_iter, n_batches * len(layers), len(X) * n_weights)
        return {"max_iter": n_epochs}

    @property
    def layer_sizes(self) -> tuple[int, ...]:
        """The numbers of hidden units, layer by layer."""
        sizes = self.hidden_layer_sizes
        if isinstance(sizes, int | np.integer):
            return (int(sizes),)
        return tuple(int(size) for size in sizes)

    _takes: ClassVar[dict[str, bool]] = {}  # options of scikit-learn's checks of the targets

    def _checked(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, NDArray[Any]]:
        """Return the rows and their targets after checks; a single column of targets is flat."""
        rows, targets = validate_data(self, X, y, dtype=np.float64, **self._takes)
        if targets.ndim == 2 and targets.shape[1] == 1:
            targets = column_or_1d(targets, warn=True)
        return rows, targets

    def _output(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_values(lambda: self.outputs(rows, self.coefs_, self.intercepts_)[-1])

    def targets(self, y: ArrayLike) -> Targets:
        """Return the targets of the output units, after checks."""
        raise NotImplementedError

    def loss_name(self, n_outputs: int) -> str:
        """Return which loss of :data:`dmlib.neural.losses.LOSSES` so many output units have."""
        raise NotImplementedError

    def _set_of_targets(self, X: Floats, y: NDArray[Any]) -> None:
        """Set the fitted attributes that depend on the kind of the targets."""

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[MLPStep]:
        rng = check_random_state(self.random_state)
        targets = self._prepare(X, y)
        learner = self._learner(X, targets, rng)
        rows = self._divide(X, targets, rng)
        step = best = MLPStep(
            "start",
            0,
            *targets.restored(learner.copies()),
            loss=learner.mean_loss(rows.X, rows.Y, self.alpha),
            validation_loss=learner.validation_loss(rows),
            rate=self.learning_rate,
            n_updates=0,
            watched=rows.watched,
            best_epoch=0,
        )
        yield step
        order = np.arange(len(rows.X))
        batch_size = min(self.batch_size, len(order))
        reason, converged = "All epochs are done.", True
        for epoch in range(1, self.max_iter + 1):
            rate = learner.optimizer.learning_rate = self._rate(epoch - 1)
            if self.shuffle:
                order = order[rng.permutation(len(order))]
            loss = learner.epoch(rows.X[order], rows.Y[order], batch_size, rng)
            if not (loss < MAX_WEIGHT and learner.is_bounded):
                reason, converged = self._diverged(epoch, X), False
                break
            validation_loss = learner.validation_loss(rows)
            is_better = (
                validation_loss is not None
                and best.validation_loss is not None
                and validation_loss < best.validation_loss
            )
            is_best = is_better or not self.early_stopping
            step = MLPStep(
                "best" if is_better else "epoch",
                epoch,
                *targets.restored(learner.copies()),
                loss=loss,
                validation_loss=validation_loss,
                rate=rate,
                n_updates=learner.n_updates,
                watched=rows.watched,
                best_epoch=epoch if is_best else best.epoch,
            )
            if is_best:
                best = step
            yield step
            if self.early_stopping and epoch - best.epoch >= self.n_iter_no_change:
                reason = (
                    f"The validation loss has not fallen since epoch {best.epoch}: its weights are"
                    " kept."
                )
                break
        yield replace(
            best,
            phase="done",
            epoch=epoch,
            loss=step.loss,
            rate=self._rate(epoch),
            n_updates=learner.n_updates,
            converged=converged,
            reason=reason,
        )

    def _rate(self, n_epochs: int) -> float:
        return self.learning_rate / (1 + self.decay * n_epochs)

    def _diverged(self, epoch: int, X: Floats) -> str:
        spread = float(np.abs(X).max())
        scale = f" The columns have numbers up to {spread:.3g}: scale them." if spread > 10 else ""
        return (
            f"The weights grow without bound in epoch {epoch}: the learning rate"
            f" {self.learning_rate:g} is too large.{scale or ' Choose a smaller one.'}"
        )

    def _prepare(self, X: Floats, y: NDArray[Any]) -> Targets:
        """Check parameters and data; return the targets of the output units."""
        check_params(self.PARAMS, {name: getattr(self, name) for name in self.PARAMS})
        self._check_sizes()
        if np.abs(X).max() > MAX_NUMBER:
            raise ValueError(
                f"X has numbers beyond {MAX_NUMBER:g}, which are too large; rescale its columns."
            )
        return self.targets(y)

    def _check_sizes(self) -> None:
        value = self.hidden_layer_sizes
        sizes = (value,) if np.isscalar(value) or value is None else tuple(value)
        if len(sizes) > MAX_LAYERS or not all(map(_is_layer_size, sizes)):
            raise ValueError(
                f"hidden_layer_sizes must be up to {MAX_LAYERS} whole numbers from 1 to"
                f" {MAX_UNITS}; it was {value!r}."
            )

    def _divide(self, X: Floats, targets: Targets, rng: np.random.RandomState) -> Rows:
        """Set the validation rows aside, as many of each class."""
        learned, watched = np.arange(len(X)), np.empty(0, np.intp)
        if self.early_stopping:
            n_watched = round(self.validation_fraction * len(X))
            if not 1 <= n_watched < len(X):
                raise ValueError(
                    f"Of {len(X)} rows, {n_watched} would be for validation: use more rows, another"
                    " validation_fraction, or no early stopping."
                )
            strata = targets.strata
            if strata is not None and not _can_stratify(strata, n_watched):
                strata = None
            learned, watched = train_test_split(
                learned, test_size=n_watched, random_state=rng, stratify=strata
            )
        Y = targets.Y
        return Rows(X[learned], Y[learned], watched, X[watched], Y[watched])

    def _learner(self, X: Floats, targets: Targets, rng: np.random.RandomState) -> Learner:
        """Return the initial weights with the rule by which they are updated."""
        n_outputs = targets.Y.shape[1]
        return Learner(
            *self._initial_weights((X.shape[1], *self.layer_sizes, n_outputs), targets, rng),
            ACTIVATIONS[self.activation],
            LOSSES[self.loss_name(n_outputs)],
            self.solver,
            self.learning_rate,
            momentum=self.momentum,
            alpha=self.alpha,
            dropout=self.dropout,
        )

    def _initial_weights(
        self, sizes: Sequence[int], targets: Targets, rng: np.random.RandomState
    ) -> tuple[Sequence[Floats], Sequence[Floats]]:
        """Return the initial weights and intercepts of each layer."""
        if isinstance(self.init, str):
            return initial_layers(self.init, sizes, self.activation, rng)
        shapes = list(pairwise(sizes))
        weights = given_weights(
            self.init, {"coefs": shapes, "intercepts": [(m,) for _, m in shapes]}
        )
        return targets.learned((weights["coefs"], weights["intercepts"]))


def _is_layer_size(size: Any) -> bool:
    is_integer = isinstance(size, int | np.integer) and not isinstance(size, bool)
    return is_integer and 1 <= size <= MAX_UNITS


def _can_stratify(strata: NDArray[Any], n_validation: int) -> bool:
    """Whether each class has rows enough to be in both parts."""
    counts = np.unique(strata, return_counts=True)[1]
    smaller_part = min(n_validation, len(strata) - n_validation)
    return bool(counts.min() >= 2 and len(counts) <= smaller_part)
