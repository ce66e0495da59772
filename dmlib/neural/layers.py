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
    """What a forward pass leaves behind, for the way back.

    Attributes
    ----------
    sums : list of ndarray of shape (n_rows, n_units)
        The sums z of each layer, the first hidden one first.
    activations : list of ndarray of shape (n_rows, n_units)
        The input, then what each layer makes of its sums; the last are the outputs.
    masks : list of ndarray or None
        By which factors dropout multiplied the activations of each hidden layer; None where it did
        not.
    """

    sums: list[Floats]
    activations: list[Floats]
    masks: list[Floats | None]

    @property
    def output(self) -> Floats:
        """What the network says of each row, shape (n_rows, n_outputs)."""
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
    """Return the derivatives by W, by b and by the input A of a layer, from those by its sums, summed over the rows.

    Examples
    --------
    >>> dense_backward(np.array([[1.0]]), np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))[0].tolist()
    [[1.0], [2.0]]
    """
    return A.T @ delta, delta.sum(axis=0), delta @ W.T


def drop(rng: np.random.RandomState, shape: tuple[int, ...], rate: float) -> Floats:
    """Return the factors of dropout: 0 for the units that are left out, 1 / (1 - rate) for the others.

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
        What hidden units make of their sums.
    loss : Loss
        It knows what the output units make of theirs.
    dropout : float
        The share of hidden units that are left out, drawn anew for each row by ``rng``; 0 to
        predict.
    rng : RandomState, optional
        Needed with dropout.

    Returns
    -------
    Pass
        All sums and activations.
    """
    sums: list[Floats] = []
    activations, masks = [X], list[Floats | None]()
    last = len(coefs) - 1
    for i, (W, b) in enumerate(zip(coefs, intercepts, strict=True)):
        Z = dense(activations[-1], W, b)
        A = loss.output(Z) if i == last else hidden.function(Z)
        mask = drop(rng, A.shape, dropout) if dropout and rng is not None and i < last else None
        sums.append(Z)
        masks.append(mask)
        activations.append(A if mask is None else A * mask)
    return Pass(sums, activations, masks)


def backward(
    seen: Pass, Y: Floats, coefs: Weights, hidden: Activation, loss: Loss, alpha: float = 0.0
) -> tuple[list[Floats], list[Floats], list[Floats]]:
    """Return the gradient of the mean loss of a batch by back-propagation.

    Parameters
    ----------
    seen : Pass
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
    n = len(Y)
    delta = loss.slope(seen.output, Y)
    by_coefs: list[Floats] = []
    by_intercepts: list[Floats] = []
    deltas: list[Floats] = []
    for i in range(len(coefs) - 1, -1, -1):
        A = seen.activations[i]
        gradient = A.T @ delta
        if alpha:
            gradient += alpha * coefs[i]
        gradient /= n
        by_coefs.append(gradient)
        by_intercepts.append(delta.sum(axis=0) / n)
        deltas.append(delta)
        if i:
            delta = delta @ coefs[i].T
            mask, a = seen.masks[i - 1], A
            if mask is not None:
                delta *= mask
                a = hidden.function(seen.sums[i - 1])  # before units were left out
            delta *= hidden.derivative(seen.sums[i - 1], a)
    return by_coefs[::-1], by_intercepts[::-1], deltas[::-1]


def mean_loss(seen: Pass, Y: Floats, coefs: Weights, loss: Loss, alpha: float = 0.0) -> float:
    """Return the mean loss of a batch with its weight decay, whose gradient :func:`backward` is."""
    return (float(loss.loss(seen.output, Y).sum()) + penalty(coefs, alpha)) / len(Y)


def penalty(coefs: Weights, alpha: float) -> float:
    """Return the weight decay of a batch: alpha / 2 times the sum of squared weights.

    Examples
    --------
    >>> penalty([np.array([[3.0, 4.0]])], 0.5), penalty([np.ones((1, 1))], 0.0)
    (6.25, 0.0)
    """
    return 0.5 * alpha * sum(float(np.vdot(W, W)) for W in coefs) if alpha else 0.0
