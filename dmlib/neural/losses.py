"""Losses of networks: the loss of each row, and its derivative by the sums of the output units.

Outputs have shape (n_rows, n_outputs). The derivative is that by the *sums* of the output units, so
that there is no division by 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from dmlib.arrays import Floats
from dmlib.neural.activations import identity, sigmoid, softmax

SMALLEST = np.finfo(np.float64).eps  # shares nearer to 0 or 1 are moved there, as in scikit-learn


@dataclass(frozen=True)
class Loss:
    """A loss with the activation function of the output units that goes with it.

    Attributes
    ----------
    output : callable
        Sums of the output units, shape (n, k) -> outputs, shape (n, k).
    loss : callable
        Outputs and targets, both (n, k) -> the loss of each row, (n,).
    slope : callable
        Outputs and targets, both (n, k) -> the derivative of each row's loss by the sums, (n, k).
    formula : str
        The loss of a row, as a formula of its outputs p (or sums s) and its target y.

    Examples
    --------
    >>> loss = LOSSES["log_loss"]
    >>> P, Y = loss.output(np.zeros((1, 2))), np.array([[1.0, 0.0]])
    >>> loss.loss(P, Y).round(6).tolist(), loss.slope(P, Y).tolist()
    ([0.693147], [[-0.5, 0.5]])
    """

    output: Callable[[Floats], Floats]
    loss: Callable[[Floats, Floats], Floats]
    slope: Callable[[Floats, Floats], Floats]
    formula: str


def _cross_entropy(P: Floats, Y: Floats) -> Floats:
    losses: Floats = -xlogy(Y, np.clip(P, SMALLEST, 1 - SMALLEST)).sum(axis=1)
    return losses


def _binary_cross_entropy(P: Floats, Y: Floats) -> Floats:
    P = np.clip(P, SMALLEST, 1 - SMALLEST)
    losses: Floats = -(xlogy(Y, P) + xlogy(1 - Y, 1 - P)).sum(axis=1)
    return losses


def _half_squares(P: Floats, Y: Floats) -> Floats:
    losses: Floats = 0.5 * ((P - Y) ** 2).sum(axis=1)
    return losses


def _difference(P: Floats, Y: Floats) -> Floats:
    return P - Y


def _squares_of_sigmoids_slope(P: Floats, Y: Floats) -> Floats:
    return (P - Y) * P * (1 - P)


def _hinge(S: Floats, Y: Floats) -> Floats:
    losses: Floats = np.maximum(0.0, 1.0 - (2 * Y - 1) * S).sum(axis=1)
    return losses


def _hinge_slope(S: Floats, Y: Floats) -> Floats:
    sign = 2 * Y - 1
    return np.where(sign * S < 1, -sign, 0.0)  # 0 at the corner, where there is no derivative


LOSSES: Mapping[str, Loss] = {
    "log_loss": Loss(softmax, _cross_entropy, _difference, "−Σ y log p"),
    "binary_log_loss": Loss(
        sigmoid, _binary_cross_entropy, _difference, "−y log p − (1 − y) log(1 − p)"
    ),
    "squared_sigmoid": Loss(sigmoid, _half_squares, _squares_of_sigmoids_slope, "½ Σ (p − y)²"),
    "squared_error": Loss(identity, _half_squares, _difference, "½ Σ (p − y)²"),
    "hinge": Loss(identity, _hinge, _hinge_slope, "Σ max(0, 1 − (2y − 1) s)"),
}
"""All losses by name.

``log_loss`` is for softmax outputs, one of k classes; ``binary_log_loss`` for sigmoid outputs, each
of which is a yes or no; ``squared_sigmoid`` for the same with squared errors; ``squared_error`` for
numbers; ``hinge`` for sums whose sign decides. Targets of classes are 0 and 1.
"""
