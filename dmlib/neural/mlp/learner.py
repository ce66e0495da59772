"""Stochastic gradient descent of a network: the weights, and an epoch of updates by batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import Activation
from dmlib.neural.layers import backward, forward, mean_loss, penalty
from dmlib.neural.losses import Loss
from dmlib.neural.mlp.targets import Weights
from dmlib.neural.optimizers import OPTIMIZERS, Optimizer
from dmlib.trace import look

MAX_WEIGHT = 1e8  # a larger weight or mean loss is a run that has diverged


@dataclass(frozen=True)
class Rows:
    """The rows of which a network learns, and those that are set aside for validation."""

    X: Floats
    Y: Floats
    watched: NDArray[np.intp]  # places of the validation rows among all
    X_watched: Floats
    Y_watched: Floats


class Learner:
    """The weights of a network, which a batch of rows changes by its gradient.

    Parameters
    ----------
    coefs, intercepts : sequence of ndarray
        The initial weights of each layer.
    hidden : Activation
        The activation function of the hidden units.
    loss : Loss
        The loss with that of the output units.
    solver : str
        The name of one of :data:`dmlib.neural.optimizers.OPTIMIZERS`.
    learning_rate, momentum, alpha, dropout : float
        Those of :class:`dmlib.neural.MLPClassifier`.

    Attributes
    ----------
    coefs, intercepts : list of ndarray
        The weights of each layer: views of one array.
    optimizer : Optimizer
        Turns a gradient into an update.
    n_updates : int
        How often the weights have changed.

    Examples
    --------
    >>> from dmlib.neural.activations import ACTIVATIONS
    >>> from dmlib.neural.losses import LOSSES
    >>> tanh, squares = ACTIVATIONS["tanh"], LOSSES["squared_error"]
    >>> learner = Learner([np.zeros((1, 1))], [np.zeros(1)], tanh, squares, "sgd", 0.5)
    >>> X, Y = np.array([[1.0], [0.0]]), np.array([[2.0], [0.0]])
    >>> learner.epoch(X, Y, 2, np.random.RandomState(0))
    1.0
    >>> learner.coefs, learner.intercepts
    ([array([[0.5]])], [array([0.5])])
    """

    def __init__(
        self,
        coefs: Sequence[Floats],
        intercepts: Sequence[Floats],
        hidden: Activation,
        loss: Loss,
        solver: str,
        learning_rate: float,
        *,
        momentum: float = 0.0,
        alpha: float = 0.0,
        dropout: float = 0.0,
    ) -> None:
        self.hidden = hidden
        self.loss = loss
        self.alpha = alpha
        self.dropout = dropout
        self.n_updates = 0
        arrays = [*coefs, *intercepts]
        self._weights = _flat(arrays)
        parts = np.split(self._weights, np.cumsum([array.size for array in arrays])[:-1])
        views = [part.reshape(array.shape) for part, array in zip(parts, arrays, strict=True)]
        self.coefs = views[: len(coefs)]
        self.intercepts = views[len(coefs) :]
        options = {"momentum": momentum} if solver == "sgd" else {}
        self.optimizer: Optimizer = OPTIMIZERS[solver]([self._weights], learning_rate, **options)

    def epoch(self, X: Floats, Y: Floats, batch_size: int, rng: np.random.RandomState) -> float:
        """Update the weights by one batch after the other; return the mean loss of the batches."""
        total = 0.0
        outputs = []
        with np.errstate(all="ignore"):  # the caller asks whether the weights are bounded
            for first in range(0, len(X), batch_size):
                look()
                batch = slice(first, first + batch_size)
                total += penalty(self.coefs, self.alpha)
                outputs.append(self._update(X[batch], Y[batch], rng))
            total = self.loss.loss(np.concatenate(outputs), Y).sum() + total
        return float(total) / len(X)

    def _update(self, X: Floats, Y: Floats, rng: np.random.RandomState) -> Floats:
        """Take a step down the gradient of a batch; return the outputs before it."""
        forward_pass = forward(
            X, self.coefs, self.intercepts, self.hidden, self.loss, dropout=self.dropout, rng=rng
        )
        by_coefs, by_intercepts, _ = backward(
            forward_pass, Y, self.coefs, self.hidden, self.loss, self.alpha
        )
        self._weights += self.optimizer.updates([_flat(by_coefs + by_intercepts)])[0]
        self.n_updates += 1
        return forward_pass.output

    def mean_loss(self, X: Floats, Y: Floats, alpha: float = 0.0) -> float:
        """Return the mean loss of some rows."""
        with np.errstate(all="ignore"):
            forward_pass = forward(X, self.coefs, self.intercepts, self.hidden, self.loss)
            return mean_loss(forward_pass, Y, self.coefs, self.loss, alpha)

    def validation_loss(self, rows: Rows) -> float | None:
        """Return the mean loss of the validation rows, without weight decay."""
        return self.mean_loss(rows.X_watched, rows.Y_watched) if len(rows.watched) else None

    def copies(self) -> tuple[Weights, Weights]:
        """Return copies of the coefficients and the intercepts of each layer."""
        return tuple(W.copy() for W in self.coefs), tuple(b.copy() for b in self.intercepts)

    @property
    def is_bounded(self) -> bool:
        """Whether all weights are finite, and none is too large."""
        return bool((np.abs(self._weights) < MAX_WEIGHT).all())


def _flat(arrays: Sequence[Floats]) -> Floats:
    return np.concatenate([array.ravel() for array in arrays])
