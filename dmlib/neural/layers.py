"""Fully connected layers, forwards and backwards: pure functions on arrays.

A network is the list of its layers, each a pair of weights W, shape (n_inputs, n_units), and
intercepts b, shape (n_units,): z = a W + b and a' = f(z) for the rows a of a batch, shape (n_rows,
n_inputs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.activations import Activation
from dmlib.neural.losses import Loss

Weights = Sequence[Floats]


@dataclass(frozen=True)
class Pass:
    """A forward pass of a batch, as the backward pass needs it.

    Attributes
    ----------
    sums : list of ndarray of shape (n_rows, n_units)
        The sums z of each layer, the first hidden one first.
    activations : list of ndarray of shape (n_rows, n_units)
        The input, then the activations of each layer; the last are the outputs.
    masks : list of ndarray or None
        The factors by which dropout multiplied the activations of each layer; None without dropout.
    """

    sums: list[Floats]
    activations: list[Floats]
    masks: list[Floats | None]

    @property
    def output(self) -> Floats:
        """The activations of the output units, shape (n_rows, n_outputs)."""
        return self.activations[-1]


def dense(A: Floats, W: Floats, b: Floats) -> Floats:
    """Return the sums A W + b of a layer, shape (n_rows, n_units).

    Examples
    --------
    >>> dense(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([5.0])).tolist()
    [[16.0]]
    """
    Z = A @ W
    Z += b
    return Z


def dense_backward(delta: Floats, A: Floats, W: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the derivatives by W, b and the input A of a layer, summed over the rows.

    Parameters
    ----------
    delta : ndarray of shape (n_rows, n_units)
        The derivatives by the sums of the layer.
    A : ndarray of shape (n_rows, n_inputs)
        Its input.
    W : ndarray of shape (n_inputs, n_units)
        Its weights.

    Examples
    --------
    >>> delta, A, W = np.array([[1.0]]), np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])
    >>> by_W, by_b, by_A = dense_backward(delta, A, W)
    >>> by_W.tolist(), by_b.tolist(), by_A.tolist()
    ([[1.0], [2.0]], [1.0], [[3.0, 4.0]])
    """
    return A.T @ delta, delta.sum(axis=0), delta @ W.T


def drop(rng: np.random.RandomState, shape: tuple[int, ...], rate: float) -> Floats:
    """Return the factors of dropout: 0 for dropped units, 1 / (1 - rate) for the others.

    Examples
    --------
    >>> drop(np.random.RandomState(0), (1, 4), 0.5).tolist()
    [[2.0, 2.0, 2.0, 2.0]]
    """
    return (rng.random_sample(shape) >= rate) / (1.0 - rate)


def forward(
    X: Floats,
    coefs: Weights,
    intercepts: Weights,
    hidden: Activation,
    loss: Loss,
    *,
    dropout: float = 0.0,
    rng: np.random.RandomState | None = None,
) -> Pass:
    """Run rows through a network.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        The rows.
    coefs, intercepts : sequence of ndarray
        The weights of each layer.
    hidden : Activation
        The activation function of hidden units.
    loss : Loss
        It brings the activation function of the output units.
    dropout : float
        The fraction of hidden units that are dropped, drawn anew for each row by ``rng``; 0 to
        predict.
    rng : RandomState, optional
        Needed with dropout.

    Returns
    -------
    Pass
        All sums and activations.
    """
    A = X
    sums: list[Floats] = []
    activations = [X]
    masks: list[Floats | None] = []
    for W, b in zip(coefs, intercepts, strict=True):
        is_output = len(sums) == len(coefs) - 1
        Z = dense(A, W, b)
        A = loss.output(Z) if is_output else hidden.function(Z)
        mask = None
        if dropout and rng is not None and not is_output:
            mask = drop(rng, A.shape, dropout)
            A = A * mask
        sums.append(Z)
        activations.append(A)
        masks.append(mask)
    return Pass(sums, activations, masks)


def backward(
    forward_pass: Pass,
    Y: Floats,
    coefs: Weights,
    hidden: Activation,
    loss: Loss,
    alpha: float = 0.0,
) -> tuple[list[Floats], list[Floats], list[Floats]]:
    """Return the gradient of the mean loss of a batch by back-propagation.

    Parameters
    ----------
    forward_pass : Pass
        The forward pass of the batch.
    Y : ndarray of shape (n_rows, n_outputs)
        The targets.
    coefs : sequence of ndarray
        The weights of each layer.
    hidden, loss : Activation, Loss
        Those of the forward pass.
    alpha : float
        Weight decay: the mean loss has alpha / (2 n_rows) times the sum of squared weights added,
        as in scikit-learn.

    Returns
    -------
    coef_gradients, intercept_gradients : list of ndarray
        The derivatives by the weights of each layer.
    deltas : list of ndarray of shape (n_rows, n_units)
        The derivatives of each row's loss by the sums of each layer.
    """
    delta = loss.slope(forward_pass.output, Y)
    by_coefs: list[Floats] = []
    by_intercepts: list[Floats] = []
    deltas: list[Floats] = []
    for layer in reversed(range(len(coefs))):
        gradient = forward_pass.activations[layer].T @ delta
        if alpha:
            gradient += alpha * coefs[layer]
        by_coefs.insert(0, gradient / len(Y))
        by_intercepts.insert(0, delta.sum(axis=0) / len(Y))
        deltas.insert(0, delta)
        if layer > 0:
            delta = _before_activation(delta @ coefs[layer].T, forward_pass, layer - 1, hidden)
    return by_coefs, by_intercepts, deltas


def _before_activation(
    by_activations: Floats, forward_pass: Pass, layer: int, hidden: Activation
) -> Floats:
    """Return the derivatives by the sums of a hidden layer, from those by its activations."""
    Z, mask = forward_pass.sums[layer], forward_pass.masks[layer]
    if mask is None:
        return by_activations * hidden.derivative(Z, forward_pass.activations[layer + 1])
    return by_activations * mask * hidden.derivative(Z, hidden.function(Z))


def mean_loss(
    forward_pass: Pass, Y: Floats, coefs: Weights, loss: Loss, alpha: float = 0.0
) -> float:
    """Return the mean loss of a batch with its weight decay, whose gradient :func:`backward` is."""
    losses = loss.loss(forward_pass.output, Y)
    return (float(losses.sum()) + penalty(coefs, alpha)) / len(Y)


def penalty(coefs: Weights, alpha: float) -> float:
    """Return the weight decay of a batch: alpha / 2 times the sum of squared weights.

    Examples
    --------
    >>> penalty([np.array([[3.0, 4.0]])], 0.5), penalty([np.ones((1, 1))], 0.0)
    (6.25, 0.0)
    """
    return 0.5 * alpha * sum(float(np.vdot(W, W)) for W in coefs) if alpha else 0.0
