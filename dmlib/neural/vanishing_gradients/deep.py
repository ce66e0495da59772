"""A deep network of equal layers, with or without batch normalisation, and its gradient layer by layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
        """All of them, one after the other."""
        return [*self.coefs, *self.intercepts, *self.scales, *self.shifts]

    def copy(self) -> Weights:
        """Return copies."""
        parts = (self.coefs, self.intercepts, self.scales, self.shifts)
        return Weights(*(tuple(array.copy() for array in part) for part in parts))


@dataclass(frozen=True)
class Flow:
    """What went through the network and back.

    Attributes
    ----------
    activations : list of ndarray of shape (n_rows, n_units)
        The input, then what each layer says.
    seen : list of Normalised
        The batch normalisation of each hidden layer; empty without it.
    gradients : list of ndarray
        The derivatives of the mean loss by all arrays of the weights, in their order.
    loss : float
        The mean loss.
    """

    activations: list[Floats]
    seen: list[Normalised]
    gradients: list[Floats]
    loss: float

    def norms(self, n_layers: int) -> Floats:
        """Return the root mean square of the derivatives by the weights of each layer, shape (n_layers,)."""
        return np.array([float(np.sqrt((g**2).mean())) for g in self.gradients[:n_layers]])

    @property
    def spreads(self) -> Floats:
        """The standard deviation of what each layer says, over rows and averaged over units; the input first."""
        return np.array([float(a.std(axis=0).mean()) for a in self.activations])


def flow(weights: Weights, X: Floats, Y: Floats, activation: str, loss_name: str) -> Flow:
    """Run a batch through the network and its error back.

    Examples
    --------
    >>> weights = Weights((np.ones((1, 1)), np.ones((1, 1))), (np.zeros(1), np.zeros(1)))
    >>> found = flow(weights, np.array([[0.0]]), np.array([[1.0]]), "sigmoid", "binary_log_loss")
    >>> found.gradients[1].round(4).tolist()
    [[-0.1888]]
    """
    f, loss, last = ACTIVATIONS[activation], LOSSES[loss_name], len(weights.coefs) - 1
    activations, before, seen = [X], list[Floats](), list[Normalised]()
    for i, (W, b) in enumerate(zip(weights.coefs, weights.intercepts, strict=True)):
        Z = dense(activations[-1], W, b)
        if weights.scales and i < last:
            seen.append(normalise(Z, weights.scales[i], weights.shifts[i]))
            Z = seen[-1].output
        before.append(Z)
        activations.append(loss.output(Z) if i == last else f.function(Z))
    value = float(loss.loss(activations[-1], Y).mean())
    delta = loss.slope(activations[-1], Y) / len(X)
    by_coefs, by_intercepts, by_scales, by_shifts = (list[Floats]() for _ in range(4))
    for i in range(last, -1, -1):
        if weights.scales and i < last:
            delta, by_gamma, by_beta = normalise_backward(delta, seen[i], weights.scales[i])
            by_scales.append(by_gamma)
            by_shifts.append(by_beta)
        by_coefs.append(activations[i].T @ delta)
        by_intercepts.append(delta.sum(axis=0))
        if i:
            delta = delta @ weights.coefs[i].T * f.derivative(before[i - 1], activations[i])
    gradients = [*by_coefs[::-1], *by_intercepts[::-1], *by_scales[::-1], *by_shifts[::-1]]
    return Flow(activations, seen, gradients, value)


def predict(
    weights: Weights, X: Floats, activation: str, loss_name: str, means: Layers, variances: Layers
) -> Floats:
    """Return the outputs for rows, with known means and variances where sums are normalised."""
    f, loss, A, last = ACTIVATIONS[activation], LOSSES[loss_name], X, len(weights.coefs) - 1
    for i, (W, b) in enumerate(zip(weights.coefs, weights.intercepts, strict=True)):
        Z = dense(A, W, b)
        if weights.scales and i < last:
            Z = normalise_as(Z, weights.scales[i], weights.shifts[i], means[i], variances[i])
        A = loss.output(Z) if i == last else f.function(Z)
    return A
