"""Activation functions of units with their derivatives: pure functions on arrays of any shape.

A derivative is a function of the sum z and of the activation a = f(z), whichever is cheaper;
neither is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dmlib.arrays import Floats


@dataclass(frozen=True)
class Activation:
    """The activation function of a unit, with its derivative.

    Attributes
    ----------
    function : callable
        Sums z -> activations a, of the same shape.
    derivative : callable
        Sums z and activations a -> da / dz, of the same shape.
    formula : str
        The function, as a formula of z.

    Examples
    --------
    >>> tanh = ACTIVATIONS["tanh"]
    >>> a = tanh.function(np.array([0.0]))
    >>> tanh.derivative(np.array([0.0]), a).tolist()
    [1.0]
    """

    function: Callable[[Floats], Floats]
    derivative: Callable[[Floats, Floats], Floats]
    formula: str


def identity(z: Floats) -> Floats:
    """Return z: a linear unit."""
    return z


def sigmoid(z: Floats) -> Floats:
    """Return 1 / (1 + exp(-z)), without overflow.

    Examples
    --------
    >>> sigmoid(np.array([-1000.0, 0.0])).tolist()
    [0.0, 0.5]
    """
    a: Floats = expit(z)
    return a


def relu(z: Floats) -> Floats:
    """Return max(0, z)."""
    a: Floats = np.maximum(z, 0.0)
    return a


def softplus(z: Floats) -> Floats:
    """Return log(1 + exp(z)), a smooth max(0, z), without overflow.

    Examples
    --------
    >>> softplus(np.array([-1000.0, 1000.0])).tolist()
    [0.0, 1000.0]
    """
    a: Floats = np.logaddexp(0.0, z)
    return a


def softmax(Z: Floats) -> Floats:
    """Return exp(z) in each row (the last axis) divided by their sum: probabilities.

    Examples
    --------
    >>> softmax(np.array([[0.0, 0.0], [1000.0, 0.0]])).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    powers = np.exp(Z - Z.max(axis=-1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _ones(z: Floats, a: Floats) -> Floats:
    return np.ones_like(z)


def _sigmoid_slope(z: Floats, a: Floats) -> Floats:
    return a * (1.0 - a)


def _tanh_slope(z: Floats, a: Floats) -> Floats:
    return 1.0 - a * a


def _relu_slope(z: Floats, a: Floats) -> Floats:
    return (z > 0).astype(float)  # 0 at z = 0, where there is no derivative


def _softplus_slope(z: Floats, a: Floats) -> Floats:
    return sigmoid(z)


ACTIVATIONS: Mapping[str, Activation] = {
    "identity": Activation(identity, _ones, "z"),
    "sigmoid": Activation(sigmoid, _sigmoid_slope, "1 / (1 + exp(−z))"),
    "tanh": Activation(np.tanh, _tanh_slope, "tanh z"),
    "relu": Activation(relu, _relu_slope, "max(0, z)"),
    "softplus": Activation(softplus, _softplus_slope, "log(1 + exp z)"),
}
"""All activation functions of single units by name."""
