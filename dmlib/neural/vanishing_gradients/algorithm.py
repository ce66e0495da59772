"""Deep networks whose gradients vanish or explode, and the size of the gradient in each layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft, shortened
from dmlib.estimator import Staged
from dmlib.neural.initialisers import initial_layers
from dmlib.neural.optimizers import SGD
from dmlib.neural.vanishing_gradients.deep import (
    Flow,
    Layers,
    Weights,
    flow,
    loss_name,
    predict,
    targets,
)
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params
from dmlib.trace import look

Phase = Literal["start", "forward", "backward", "epoch", "done"]

MAX_NUMBER = 1e100  # numbers up to which sums are finite
MAX_WEIGHT = 1e8  # a larger weight is that of a run that has diverged
ALL_EPOCHS = "All epochs are done."


@dataclass(frozen=True)
class DeepStep:
    """One step of a deep network.

    Attributes
    ----------
    phase : {"start", "forward", "backward", "epoch", "done"}
        The initial weights are drawn; the signal reaches a layer; the error is propagated back to a
        layer; an epoch ends; the end.
    epoch : int
        The number of passes through the rows so far.
    layer : int
        The layer of "forward" and "backward", from 1; 0 otherwise.
    weights : Weights
        All weights after the step.
    means, variances : tuple of ndarray of shape (n_units,)
        Those of the sums of each hidden layer over all rows, with batch normalisation.
    gradient_norms : ndarray of shape (n_layers,)
        The root mean square of the derivatives of the mean loss of all rows, by the weights of each
        layer.
    spreads : ndarray of shape (n_layers + 1,)
        The standard deviation of the input and of the activations of each layer, over all rows,
        averaged over units.
    loss : float
        The mean loss of all rows.
    converged : bool
        On "done": whether the weights stayed finite.
    reason : str
        On "done": one sentence on why it ended.
    """

    phase: Phase
    epoch: int
    layer: int
    weights: Weights
    means: Layers
    variances: Layers
    gradient_norms: Floats
    spreads: Floats
    loss: float
    converged: bool = False
    reason: str = ""

    @property
    def is_bounded(self) -> bool:
        """Whether the run has not diverged."""
        is_small = all(bool((np.abs(array) < MAX_WEIGHT).all()) for array in self.weights.arrays)
        return is_small and bool(np.isfinite([self.loss, *self.gradient_norms]).all())


class DeepMLPClassifier(ClassifierMixin, Staged, BaseEstimator):
    r"""Learn classes with many equal layers, and measure the gradient of each.

    Going back through a layer, the error is multiplied by its weights and by the slope of its
    activation: :math:`\delta_{l-1} = (\delta_l W_l^T) f'(z_{l-1})`. If each layer makes it smaller
    on average, it vanishes in many layers, and the first do not learn.

    Parameters
    ----------
    n_hidden_layers : int, default=8
        The number of hidden layers.
    n_units : int, default=8
        The number of units of each.
    activation : {"sigmoid", "tanh", "relu"}, default="sigmoid"
        The activation function of hidden units. The slope of the sigmoid is at most 1/4, of the
        others 1.
    init : {"glorot", "he", "lecun", "normal", "small"} or mapping, default="glorot"
        The initial weights: with a spread that fits the layer (Glorot, also called Xavier; He;
        LeCun), with a standard deviation of 1 or 0.01, or given: coefs, intercepts and, with batch
        normalisation, scales and shifts, lists of arrays like the fitted attributes.
    batch_norm : bool, default=False
        Whether the sums of each hidden layer are standardised over the batch, then scaled and
        shifted by weights.
    learning_rate : float, default=0.05
        The factor of each update.
    momentum : float, default=0.9
        The fraction of the last update that is added to the next one.
    batch_size : int, default=32
        The number of rows whose mean a gradient is; with batch normalisation, a last batch of one
        row is joined to the one before.
    max_iter : int, default=60
        The number of epochs: passes through all rows.
    random_state : int, RandomState or None, default=None
        The seed of initial weights and of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coefs_ : list of ndarray of shape (n_inputs, n_units)
        The weights of each layer.
    intercepts_ : list of ndarray of shape (n_units,)
        The intercepts of each layer.
    scales_, shifts_ : list of ndarray of shape (n_units,)
        Gamma and beta of the batch normalisation of each hidden layer.
    means_, variances_ : list of ndarray of shape (n_units,)
        Those of the sums of each hidden layer over all training rows, by which predictions are
        normalised.
    start_gradient_norms_ : ndarray of shape (n_hidden_layers + 1,)
        The root mean square of the gradient by the weights of each layer at the start.
    gradient_ratio_ : float
        The ratio of that of the first layer to that of the last, at the start.
    loss_ : float
        The mean loss of the training rows at the end.
    loss_curve_ : list of float
        The same after each epoch.
    n_iter_ : int
        The number of epochs.
    converged_ : bool
        False where the weights grew without bound, which ``fit`` warns of.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is only one class, numbers are beyond 1e100, or a parameter is out of bounds.

    Notes
    -----
    An epoch costs O(n w) for n rows and w weights. Without batch normalisation and with Glorot's
    initial weights, weights are those of :class:`dmlib.neural.MLPClassifier` and of scikit-learn
    with the same seed.

    References
    ----------
    S. Hochreiter (1991), Untersuchungen zu dynamischen neuronalen Netzen.
    X. Glorot and Y. Bengio (2010), Understanding the difficulty of training deep feedforward neural
    networks. K. He et al. (2015), Delving deep into rectifiers. S. Ioffe and C. Szegedy (2015),
    Batch normalization.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(100, noise=0.1, random_state=0)
    >>> deep = DeepMLPClassifier(random_state=0).fit(X, y)
    >>> bool(deep.gradient_ratio_ < 1e-4), round(deep.score(X, y), 2)
    (True, 0.5)
    >>> DeepMLPClassifier(activation="relu", init="he", random_state=0).fit(X, y).score(X, y)
    1.0
    """

    LENGTH: ClassVar[str] = "max_iter"
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_hidden_layers": Integer(1, 50, shown=(1, 20)),
        "n_units": Integer(1, 64, shown=(1, 32)),
        "activation": Choice(("sigmoid", "tanh", "relu")),
        "init": Choice(("glorot", "he", "lecun", "normal", "small"), arrays=True),
        "batch_norm": Flag(),
        "learning_rate": Number(1e-8, 1e4, shown=(0.001, 10.0), log=True),
        "momentum": Number(0.0, 0.999, shown=(0.0, 0.99), step=0.005),
        "batch_size": Integer(2, 1_000_000, shown=(2, 200)),
        "max_iter": Integer(1, 1000, shown=(1, 200)),
    }

    def __init__(
        self,
        n_hidden_layers: int = 8,
        n_units: int = 8,
        activation: str = "sigmoid",
        *,
        init: Any = "glorot",
        batch_norm: bool = False,
        learning_rate: float = 0.05,
        momentum: float = 0.9,
        batch_size: int = 32,
        max_iter: int = 60,
        random_state: Any = None,
    ) -> None:
        self.n_hidden_layers = n_hidden_layers
        self.n_units = n_units
        self.activation = activation
        self.init = init
        self.batch_norm = batch_norm
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the weights from the rows of ``X`` and their classes."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._set_fitted(self._learn(rows, labels), labels)

    def fit_from(self, steps: Iterable[DeepStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps of this estimator on the same rows."""
        _, labels = validate_data(self, X, y, dtype=np.float64)
        return self._set_fitted(steps, labels)

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DeepStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        n_layers, n_batches = self.n_hidden_layers + 1, -(-len(X) // self.batch_size)
        n_weights = self.n_units * (np.shape(X)[1] + self.n_units * (n_layers - 2) + 1)
        # After each epoch all rows go through once more; batch normalisation takes as long again as
        # a layer.
        layers = (n_batches + 1.5) * n_layers * (1 + self.batch_norm)
        return {"max_iter": epochs_of_draft(self.max_iter, layers, 2 * len(X) * n_weights)}

    def shortened(
        self, steps: Sequence[DeepStep], X: Any, y: Any = None
    ) -> tuple[DeepStep, ...] | None:
        """Return the steps of this estimator among those of one with more epochs, if possible."""
        n_before = 1 + 2 * (self.n_hidden_layers + 1)  # the start, and both passes

        def done(last: DeepStep) -> DeepStep:
            return replace(last, phase="done", layer=0, converged=True, reason=ALL_EPOCHS)

        return shortened(steps, n_before + self.max_iter, done)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the class probabilities, shape (n_samples, n_classes)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return self.shares(rows, self._last)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row."""
        codes = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = (
            True  # the default, eight layers of sigmoids, learns nothing
        )
        return tags

    def shares(self, X: Floats, step: DeepStep) -> Floats:
        """Return the class probabilities with the weights of a step."""
        name = loss_name(step.weights.coefs[-1].shape[1])
        with np.errstate(over="ignore"):
            output = predict(step.weights, X, self.activation, name, step.means, step.variances)
        return output if output.shape[1] > 1 else np.hstack([1 - output, output])

    def flow(self, weights: Weights, X: Floats, y: ArrayLike) -> Flow:
        """Return the forward and the backward pass of rows and their classes."""
        Y = targets(np.asarray(y))
        with np.errstate(all="ignore"):
            return flow(weights, X, Y, self.activation, loss_name(Y.shape[1]))

    def draw(self, n_features: int, n_outputs: int, rng: np.random.RandomState) -> Weights:
        """Return the initial weights."""
        sizes = (n_features, *[self.n_units] * self.n_hidden_layers, n_outputs)
        normalised = sizes[1:-1] if self.batch_norm else ()
        if isinstance(self.init, str):
            coefs, intercepts = initial_layers(self.init, sizes, self.activation, rng)
            scales, shifts = map(np.ones, normalised), map(np.zeros, normalised)
            return Weights(tuple(coefs), tuple(intercepts), tuple(scales), tuple(shifts))
        shapes: dict[str, list[Any]] = {
            "coefs": list(pairwise(sizes)),
            "intercepts": [(m,) for m in sizes[1:]],
            "scales": [(m,) for m in normalised],
            "shifts": [(m,) for m in normalised],
        }
        return Weights(*map(tuple, given_weights(self.init, shapes).values()))

    def _learned(self, step: DeepStep) -> dict[str, Any]:
        statistics = {"means": step.means, "variances": step.variances}
        return {f"{name}_": list(x) for name, x in (vars(step.weights) | statistics).items()}

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[DeepStep]:
        check_params(self.PARAMS, self.get_params())
        Y, rng = self._checked(X, y), check_random_state(self.random_state)
        weights = self.draw(X.shape[1], Y.shape[1], rng)
        optimizer = SGD(weights.arrays, self.learning_rate, self.momentum)
        last = self._step("start", 0, weights, X, Y)
        yield last
        layers = range(1, len(weights.coefs) + 1)
        for layer in layers:
            yield replace(last, phase="forward", layer=layer)
        for layer in reversed(layers):
            yield replace(last, phase="backward", layer=layer)
        order, reason, converged = np.arange(len(X)), ALL_EPOCHS, True
        for epoch in range(1, self.max_iter + 1):
            order = order[rng.permutation(len(order))]
            self._epoch(weights, optimizer, X[order], Y[order])
            step = self._step("epoch", epoch, weights, X, Y)
            if not step.is_bounded:
                reason, converged = self._diverged(epoch), False
                break
            last = step
            yield last
        yield replace(last, phase="done", converged=converged, reason=reason)

    def _epoch(self, weights: Weights, optimizer: SGD, X: Floats, Y: Floats) -> None:
        """Update the weights by one batch after the other."""
        name = loss_name(Y.shape[1])
        starts = list(range(0, len(X), self.batch_size))
        if len(starts) > 1 and len(X) - starts[-1] == 1 and self.batch_norm:
            starts.pop()  # a single row has no variance
        with np.errstate(all="ignore"):  # the caller asks whether the step is bounded
            for first, end in pairwise([*starts, len(X)]):
                look()
                batch = slice(first, end)
                gradients = flow(weights, X[batch], Y[batch], self.activation, name).gradients
                for array, update in zip(weights.arrays, optimizer.updates(gradients), strict=True):
                    np.add(array, update, out=array)

    def _step(self, phase: Phase, epoch: int, weights: Weights, X: Floats, Y: Floats) -> DeepStep:
        """Return a step with the gradients and the loss of all rows."""
        with np.errstate(all="ignore"):
            passes = flow(weights, X, Y, self.activation, loss_name(Y.shape[1]))
            return DeepStep(
                phase,
                epoch,
                0,
                weights.copy(),
                means=tuple(layer.mean for layer in passes.normalised),
                variances=tuple(layer.variance for layer in passes.normalised),
                gradient_norms=passes.norms(len(weights.coefs)),
                spreads=passes.spreads,
                loss=passes.loss,
            )

    def _diverged(self, epoch: int) -> str:
        return (
            f"The weights grow without bound in epoch {epoch}: the learning rate"
            f" {self.learning_rate:g} is too large. Choose a smaller one, or smaller initial"
            " weights."
        )

    def _checked(self, X: Floats, y: NDArray[Any]) -> Floats:
        check_classification_targets(y)
        if len(classes := np.unique(y)) < 2:
            raise ValueError(
                f"y has only one class, {classes[0]!s}; a classifier needs two or more."
            )
        if np.abs(X).max() > MAX_NUMBER:
            raise ValueError(
                f"X has numbers beyond {MAX_NUMBER:g}, which are too large; rescale its columns."
            )
        return targets(y)

    def _set_fitted(self, steps: Iterable[DeepStep], y: NDArray[Any]) -> Self:
        """Set the fitted attributes: those of the last step, and the curve of the losses."""
        self.loss_curve_: list[float] = []
        for last in steps:
            if last.phase == "start":
                self.start_gradient_norms_ = last.gradient_norms
            if last.phase == "epoch":
                self.loss_curve_.append(last.loss)
        self._last = last
        norms = self.start_gradient_norms_
        self.classes_ = np.unique(y)
        self.gradient_ratio_ = float(norms[0] / norms[-1]) if norms[-1] > 0 else 0.0
        self.__dict__.update(self._learned(last))
        self.loss_ = last.loss
        self.n_iter_ = last.epoch
        self.converged_ = last.converged
        if not last.converged:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=3)
        return self
