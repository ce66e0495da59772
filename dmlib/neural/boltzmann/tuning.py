"""Back-propagation through layers of sigmoid units, of which the first ones may stay fixed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.layers import forward
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.learner import Learner
from dmlib.neural.mlp.targets import Weights

MOMENTUM = 0.9
SIGMOID, SOFTMAX = ACTIVATIONS["sigmoid"], LOSSES["log_loss"]


class Tuning:
    """A network while it learns classes.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    coefs, intercepts : sequence of ndarray
        The initial weights of each layer.
    n_fixed : int
        The number of layers, from the first, whose weights stay as they are.
    learning_rate : float
        The factor of each update.
    batch_size : int
        The number of rows of an update.
    """

    def __init__(
        self,
        X: Floats,
        coefs: Sequence[Floats],
        intercepts: Sequence[Floats],
        n_fixed: int,
        learning_rate: float,
        batch_size: int,
    ) -> None:
        self.fixed = tuple(coefs[:n_fixed]), tuple(intercepts[:n_fixed])
        self.batch_size = batch_size
        self.rows = hidden(X, *self.fixed)[-1]
        self.learner = Learner(
            coefs[n_fixed:],
            intercepts[n_fixed:],
            SIGMOID,
            SOFTMAX,
            "sgd",
            learning_rate,
            momentum=MOMENTUM,
        )

    def epoch(self, Y: Floats, order: NDArray[np.intp], rng: np.random.RandomState) -> float:
        """Update the weights batch by batch; return the mean loss."""
        return self.learner.epoch(self.rows[order], Y[order], self.batch_size, rng)

    def weights(self) -> tuple[Weights, Weights]:
        """Return copies of the weights and intercepts of all layers."""
        coefs, intercepts = self.learner.copies()
        return (*self.fixed[0], *coefs), (*self.fixed[1], *intercepts)


def hidden(X: Floats, coefs: Sequence[Floats], intercepts: Sequence[Floats]) -> list[Floats]:
    """Return the rows, and the activations of each layer of sigmoid units.

    Examples
    --------
    >>> hidden(np.array([[1.0]]), [np.zeros((1, 2))], [np.zeros(2)])[-1].tolist()
    [[0.5, 0.5]]
    """
    activations = [X]
    for W, b in zip(coefs, intercepts, strict=True):
        activations.append(SIGMOID.function(activations[-1] @ W + b))
    return activations


def outputs(X: Floats, coefs: Sequence[Floats], intercepts: Sequence[Floats]) -> list[Floats]:
    """Return the activations of each layer, the class probabilities last."""
    return forward(X, coefs, intercepts, SIGMOID, SOFTMAX).activations[1:]
