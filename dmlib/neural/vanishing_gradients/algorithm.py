"""Deep networks that learn or do not: how large the gradient is in each layer, from the last back to the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self
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
from dmlib.neural.initialisers import initial_layers
from dmlib.neural.optimizers import SGD
from dmlib.neural.vanishing_gradients.deep import Flow, Layers, Weights, flow, predict
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params
from dmlib.trace import look

LARGEST = 1e100  # numbers up to which sums are finite
ALL_EPOCHS = "All epochs are done."
BEYOND = 1e8  # a weight beyond it is no answer any more


@dataclass(frozen=True)
class DeepStep:
    """One step of a deep network.

    Attributes
    ----------
    phase : {"start", "forward", "backward", "epoch", "done"}
        What was done: weights were drawn; the rows reached a layer; the error came back to a layer;
        an epoch ended; the end.
    epoch : int
        How many passes through the rows were made.
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
        The standard deviation of the input and of what each layer says, over all rows, averaged
        over units.
    loss : float
        The mean loss of all rows.
    converged : bool
        On "done": whether the weights stayed finite.
    reason : str
        On "done": one sentence on why it ended.
    """

    phase: str
    epoch: int
    layer: int
    weights: Weights
    means: Layers
    variances: Layers
    gradient_norms: Floats
    spreads: Floats
    loss: float
    converged: bool = field(default=False)
    reason: str = ""


class DeepMLPClassifier(ClassifierMixin, BaseEstimator):
    r"""Learn classes with many equal layers, and measure the gradient of each.

    Going back through a layer, the error is multiplied by its weights and by the slope of its
    activation:
    :math:`\delta_{l-1} = (\delta_l W_l^T) f'(z_{l-1})`. If a layer makes it smaller on average, after many layers
    nothing is left, and the first layers do not learn.

    Parameters
    ----------
    n_hidden_layers : int, default=8
        The number of hidden layers.
    n_units : int, default=8
        The number of units of each.
    activation : {"sigmoid", "tanh", "relu"}, default="sigmoid"
        What a hidden unit makes of its sum. The slope of the sigmoid is 1/4 at most, of the others
        1.
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
        The share of the last update that is added to the next one.
    batch_size : int, default=32
        How many rows a gradient is the mean of; a last batch of one row is joined to the one
        before.
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
        That of the first layer for that of the last, at the start.
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
        """Find the weights for the rows of ``X`` and their classes."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._take(self._learn(rows, labels), labels)

    def fit_from(self, steps: Iterable[DeepStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps of this estimator on the same rows."""
        _, labels = validate_data(self, X, y, dtype=np.float64)
        return self._take(steps, labels)

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DeepStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return the parameters of a run that is soon done, for a picture while a control moves: fewer epochs."""
        n_layers, n_batches = self.n_hidden_layers + 1, -(-len(X) // self.batch_size)
        n_weights = self.n_units * (np.shape(X)[1] + self.n_units * (n_layers - 2) + 1)
        # After each epoch all rows go through once more; batch normalisation takes as long again as
        # a layer.
        layers = (n_batches + 1.5) * n_layers * (1 + self.batch_norm)
        return {"max_iter": epochs_of_draft(self.max_iter, layers, 2 * len(X) * n_weights)}

    def shortened(
        self, steps: Sequence[DeepStep], X: Any, y: Any = None
    ) -> tuple[DeepStep, ...] | None:
        """Return the steps of this estimator among those of one with more epochs; None if these are not enough."""
        before = 1 + 2 * (self.n_hidden_layers + 1)  # the start, and the layers there and back
        return shortened(
            steps,
            before + self.max_iter,
            lambda last: _as(last, "done", 0, converged=True, reason=ALL_EPOCHS),
        )

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the shares of the classes, shape (n_samples, n_classes)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return self.shares(rows, self._end)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row."""
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = (
            True  # so many layers of sigmoids, the default, do not learn
        )
        return tags

    def shares(self, X: Floats, step: DeepStep) -> Floats:
        """Return the shares of the classes with the weights of a step, shape (n_samples, n_classes)."""
        name = loss_name(step.weights.coefs[-1].shape[1])
        with np.errstate(over="ignore"):
            output = predict(step.weights, X, self.activation, name, step.means, step.variances)
        return output if output.shape[1] > 1 else np.hstack([1 - output, output])

    def flow(self, weights: Weights, X: Floats, y: ArrayLike) -> Flow:
        """Return what goes through the network and back for rows and their classes."""
        return self._flow(weights, X, targets(np.asarray(y)))

    def _flow(self, weights: Weights, X: Floats, Y: Floats) -> Flow:
        with np.errstate(all="ignore"):
            return flow(weights, X, Y, self.activation, loss_name(Y.shape[1]))

    def draw(self, n_features: int, n_outputs: int, rng: np.random.RandomState) -> Weights:
        """Draw the initial weights, or take those that are given."""
        sizes = (n_features, *[self.n_units] * self.n_hidden_layers, n_outputs)
        units = [(m,) for m in sizes[1:]]
        if not isinstance(self.init, str):
            hidden = units[:-1] if self.batch_norm else []
            given = given_weights(
                self.init,
                {
                    "coefs": list(pairwise(sizes)),
                    "intercepts": units,
                    "scales": hidden,
                    "shifts": hidden,
                },
            )
            return Weights(*map(tuple, given.values()))
        coefs, intercepts = initial_layers(self.init, sizes, self.activation, rng)
        normed = sizes[1:-1] if self.batch_norm else ()
        return Weights(
            tuple(coefs),
            tuple(intercepts),
            tuple(np.ones(m) for m in normed),
            tuple(np.zeros(m) for m in normed),
        )

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[DeepStep]:
        check_params(self.PARAMS, self.get_params())
        Y, rng = self._checked(X, y), check_random_state(self.random_state)
        weights = self.draw(X.shape[1], Y.shape[1], rng)
        rule = SGD(weights.arrays, self.learning_rate, self.momentum)
        last = self._step("start", 0, 0, weights, X, Y)
        yield last
        n_layers = len(weights.coefs)
        stages = [("forward", k) for k in range(1, n_layers + 1)] + [
            ("backward", k) for k in range(n_layers, 0, -1)
        ]
        yield from (_as(last, phase, layer) for phase, layer in stages)
        order, reason, converged = np.arange(len(X)), ALL_EPOCHS, True
        for epoch in range(1, self.max_iter + 1):
            order = order[rng.permutation(len(order))]
            self._epoch(weights, rule, X[order], Y[order])
            step = self._step("epoch", epoch, 0, weights, X, Y)
            bounded = all(bool((np.abs(array) < BEYOND).all()) for array in weights.arrays)
            if not (bounded and np.isfinite(step.loss) and np.isfinite(step.gradient_norms).all()):
                reason, converged = self._diverged(epoch), False
                break
            last = step
            yield last
        yield _as(last, "done", 0, converged=converged, reason=reason)

    def _epoch(self, weights: Weights, rule: SGD, X: Floats, Y: Floats) -> None:
        """Change the weights by one batch after the other."""
        name = loss_name(Y.shape[1])
        starts = list(range(0, len(X), self.batch_size))
        if len(starts) > 1 and len(X) - starts[-1] == 1 and self.batch_norm:
            starts.pop()  # a single row has no variance
        with np.errstate(all="ignore"):  # weights that grow without bound are told by the caller
            for first, end in zip(starts, [*starts[1:], len(X)], strict=True):
                look()
                gradients = flow(
                    weights, X[first:end], Y[first:end], self.activation, name
                ).gradients
                for array, update in zip(weights.arrays, rule.updates(gradients), strict=True):
                    np.add(array, update, out=array)

    def _step(
        self, phase: str, epoch: int, layer: int, weights: Weights, X: Floats, Y: Floats
    ) -> DeepStep:
        found = self._flow(weights, X, Y)
        means, variances = (tuple(each[k] for each in found.seen) for k in (2, 3))
        with np.errstate(all="ignore"):
            norms, spreads = found.norms(len(weights.coefs)), found.spreads
        return DeepStep(
            phase, epoch, layer, weights.copy(), means, variances, norms, spreads, found.loss
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
        if np.abs(X).max() > LARGEST:
            raise ValueError(
                f"X has numbers beyond {LARGEST:g}, which are too large; rescale its columns."
            )
        return targets(y)

    def _take(self, steps: Iterable[DeepStep], y: NDArray[Any]) -> Self:
        self.loss_curve_: list[float] = []
        for step in steps:
            if step.phase == "start":
                self.start_gradient_norms_ = step.gradient_norms
            if step.phase == "epoch":
                self.loss_curve_.append(step.loss)
        first, last = self.start_gradient_norms_[0], self.start_gradient_norms_[-1]
        self.classes_, self._end = np.unique(y), step
        self.gradient_ratio_ = float(first / last) if last > 0 else 0.0
        weights = step.weights
        self.coefs_, self.intercepts_ = list(weights.coefs), list(weights.intercepts)
        self.scales_, self.shifts_ = list(weights.scales), list(weights.shifts)
        self.means_, self.variances_ = list(step.means), list(step.variances)
        self.loss_, self.n_iter_, self.converged_ = step.loss, step.epoch, step.converged
        if not step.converged:
            warn(f"Not converged. {step.reason}", ConvergenceWarning, stacklevel=3)
        return self


def _as(
    step: DeepStep, phase: str, layer: int, *, converged: bool = False, reason: str = ""
) -> DeepStep:
    """Return the same state as another step of the run."""
    return DeepStep(
        phase,
        step.epoch,
        layer,
        step.weights,
        step.means,
        step.variances,
        step.gradient_norms,
        step.spreads,
        step.loss,
        converged,
        reason,
    )


def loss_name(n_outputs: int) -> str:
    """Return the cross-entropy for so many output units."""
    return "log_loss" if n_outputs > 1 else "binary_log_loss"


def targets(y: NDArray[Any]) -> Floats:
    """Return a 1 for the class of each row and 0 for the others; of two classes, 1 for the second.

    Examples
    --------
    >>> targets(np.array(["a", "b"])).tolist()
    [[0.0], [1.0]]
    """
    classes, codes = np.unique(y, return_inverse=True)
    return codes[:, None].astype(float) if len(classes) == 2 else np.eye(len(classes))[codes]
