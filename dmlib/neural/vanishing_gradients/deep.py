"""A deep network with or without batch normalisation, forwards and backwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.batch_norm import Normalised, normalise, normalise_as, normalise_backward
from dmlib.neural.layers import dense
from dmlib.neural.losses import LOSSES

Layers = tuple[Floats, ...]


@dataclass(frozen=True)
class Weights:
    """All weights of a deep network.

    Attributes
    ----------
    coefs, intercepts : tuple of ndarray
        The weights, shape (n_inputs, n_units), and the intercepts, shape (n_units,), of each layer.
    scales, shifts : tuple of ndarray of shape (n_units,)
        Gamma and beta of the batch normalisation of each hidden layer; empty without it.
    """

    coefs: Layers
    intercepts: Layers
    scales: Layers = ()
    shifts: Layers = ()

    @property
    def arrays(self) -> list[Floats]:
        """All arrays, one after the other."""
        return [*self.coefs, *self.intercepts, *self.scales, *self.shifts]

    def copy(self) -> Weights:
        """Return copies."""
        parts = (self.coefs, self.intercepts, self.scales, self.shifts)
        return Weights(*(tuple(array.copy() for array in part) for part in parts))


@dataclass(frozen=True)
class Flow:
    """The forward and the backward pass of a batch.

    Attributes
    ----------
    activations : list of ndarray of shape (n_rows, n_units)
        The input, then the activations of each layer.
    normalised : list of Normalised
        The batch normalisation of each hidden layer; empty without it.
    gradients : list of ndarray
        The derivatives of the mean loss by all arrays of the weights, in their order.
    loss : float
        The mean loss.
    """

    activations: list[Floats]
    normalised: list[Normalised]
    gradients: list[Floats]
    loss: float

    def norms(self, n_layers: int) -> Floats:
        """Return the root mean square of the derivatives by the weights of each layer."""
        return np.array([float(np.sqrt((g**2).mean())) for g in self.gradients[:n_layers]])

    @property
    def spreads(self) -> Floats:
        """The mean over units of their standard deviation, layer by layer, the input first."""
        return np.array([float(a.std(axis=0).mean()) for a in self.activations])


def flow(weights: Weights, X: Floats, Y: Floats, activation: str, loss_name: str) -> Flow:
    """Run a batch through the network and its error back.

    Examples
    --------
    >>> weights = Weights((np.ones((1, 1)), np.ones((1, 1))), (np.zeros(1), np.zeros(1)))
    >>> passes = flow(weights, np.array([[0.0]]), np.array([[1.0]]), "sigmoid", "binary_log_loss")
    >>> passes.gradients[1].round(4).tolist()
    [[-0.1888]]
    """
    f, loss = ACTIVATIONS[activation], LOSSES[loss_name]
    last = len(weights.coefs) - 1
    sums: list[Floats] = []
    activations = [X]
    normalised: list[Normalised] = []
    for layer, (W, b) in enumerate(zip(weights.coefs, weights.intercepts, strict=True)):
        Z = dense(activations[-1], W, b)
        if weights.scales and layer < last:
            normalised.append(normalise(Z, weights.scales[layer], weights.shifts[layer]))
            Z = normalised[-1].output
        sums.append(Z)
        activations.append(loss.output(Z) if layer == last else f.function(Z))
    delta = loss.slope(activations[-1], Y) / len(X)
    by_coefs: list[Floats] = []
    by_intercepts: list[Floats] = []
    by_scales: list[Floats] = []
    by_shifts: list[Floats] = []
    for layer in reversed(range(last + 1)):
        if weights.scales and layer < last:
            scale = weights.scales[layer]
            delta, by_scale, by_shift = normalise_backward(delta, normalised[layer], scale)
            by_scales.insert(0, by_scale)
            by_shifts.insert(0, by_shift)
        by_coefs.insert(0, activations[layer].T @ delta)
        by_intercepts.insert(0, delta.sum(axis=0))
        if layer > 0:
            slope = f.derivative(sums[layer - 1], activations[layer])
            delta = delta @ weights.coefs[layer].T * slope
    gradients = [*by_coefs, *by_intercepts, *by_scales, *by_shifts]
    return Flow(activations, normalised, gradients, float(loss.loss(activations[-1], Y).mean()))


def predict(
    weights: Weights, X: Floats, activation: str, loss_name: str, means: Layers, variances: Layers
) -> Floats:
    """Return the outputs for rows, normalised by these means and variances."""
    f, loss = ACTIVATIONS[activation], LOSSES[loss_name]
    last = len(weights.coefs) - 1
    A = X
    for i, (W, b) in enumerate(zip(weights.coefs, weights.intercepts, strict=True)):
        Z = dense(A, W, b)
        if weights.scales and i < last:
            Z = normalise_as(Z, weights.scales[i], weights.shifts[i], means[i], variances[i])
        A = loss.output(Z) if i == last else f.function(Z)
    return A


def loss_name(n_outputs: int) -> str:
    """Return the name of the cross-entropy for so many output units."""
    return "log_loss" if n_outputs > 1 else "binary_log_loss"


def targets(y: NDArray[Any]) -> Floats:
    """Return one-hot classes; of two classes a single column, 1 for the second.

    Examples
    --------
    >>> targets(np.array(["a", "b"])).tolist()
    [[0.0], [1.0]]
    """
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) == 2:
        return codes[:, None].astype(float)
    return np.eye(len(classes))[codes]
