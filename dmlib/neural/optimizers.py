"""Optimisers: rules that turn gradients into updates of weights.

An optimiser is made once for the arrays of a network, and has its state in arrays like them;
``updates`` takes their gradients and returns what is to be added to each. The weights themselves
are not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from dmlib.arrays import Floats

Arrays = Sequence[Floats]


class Optimizer(Protocol):
    """A rule that turns gradients into updates.

    Attributes
    ----------
    learning_rate : float
        The factor of each step; it may be changed between steps.
    """

    learning_rate: float

    def updates(self, gradients: Arrays) -> list[Floats]:
        """Return what is to be added to each array."""
        ...


class SGD:
    """Stochastic gradient descent, with momentum or Nesterov's look-ahead.

    v <- momentum v - rate g, and the update is v; by Nesterov it is momentum v - rate g with the
    new v.

    Parameters
    ----------
    params : sequence of ndarray
        The weights: their shapes count.
    learning_rate : float
        The factor of the gradient.
    momentum : float
        The share of the last update that is added to the next, from 0 to below 1.
    nesterov : bool
        Whether the gradient is computed where the momentum leads to.

    Examples
    --------
    >>> rule = SGD([np.zeros(1)], 0.1, momentum=0.5)
    >>> [rule.updates([np.ones(1)])[0].round(6).tolist() for _ in range(3)]
    [[-0.1], [-0.15], [-0.175]]
    """

    def __init__(
        self, params: Arrays, learning_rate: float, momentum: float = 0.0, nesterov: bool = False
    ) -> None:
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.nesterov = nesterov
        self.velocities: list[Floats] = [np.zeros_like(param) for param in params]

    def updates(self, gradients: Arrays) -> list[Floats]:
        """Return what is to be added to each array."""
        rate, momentum = self.learning_rate, self.momentum
        steps: list[Floats] = [-rate * gradient for gradient in gradients]
        if not momentum:
            return steps
        self.velocities = [
            momentum * v + step for v, step in zip(self.velocities, steps, strict=True)
        ]
        if not self.nesterov:
            return self.velocities
        return [momentum * v + step for v, step in zip(self.velocities, steps, strict=True)]


class AdaGrad:
    """Divide each step by the root of the sum of all squared gradients so far.

    References
    ----------
    J. Duchi, E. Hazan and Y. Singer (2011), Adaptive subgradient methods for online learning and
    stochastic optimization.
    """

    def __init__(self, params: Arrays, learning_rate: float, epsilon: float = 1e-8) -> None:
        self.learning_rate = learning_rate
        self.epsilon = epsilon
        self.squares: list[Floats] = [np.zeros_like(param) for param in params]

    def updates(self, gradients: Arrays) -> list[Floats]:
        """Return what is to be added to each array."""
        self.squares = [s + g * g for s, g in zip(self.squares, gradients, strict=True)]
        return [
            -self.learning_rate * g / (np.sqrt(s) + self.epsilon)
            for s, g in zip(self.squares, gradients, strict=True)
        ]


class RMSProp:
    """Divide each step by the root of a decaying mean of squared gradients.

    References
    ----------
    T. Tieleman and G. Hinton (2012), Lecture 6.5: RMSProp.
    """

    def __init__(
        self, params: Arrays, learning_rate: float, rho: float = 0.9, epsilon: float = 1e-8
    ) -> None:
        self.learning_rate = learning_rate
        self.rho = rho
        self.epsilon = epsilon
        self.squares: list[Floats] = [np.zeros_like(param) for param in params]

    def updates(self, gradients: Arrays) -> list[Floats]:
        """Return what is to be added to each array."""
        rho = self.rho
        self.squares = [
            rho * s + (1 - rho) * g * g for s, g in zip(self.squares, gradients, strict=True)
        ]
        return [
            -self.learning_rate * g / (np.sqrt(s) + self.epsilon)
            for s, g in zip(self.squares, gradients, strict=True)
        ]


class Adam:
    """Divide a decaying mean of gradients by the root of that of their squares.

    ``epsilon`` is the paper's ε̂ (end of its section 2): it is added to the root before this is
    corrected for its start at 0, as in scikit-learn. Algorithm 1 of the paper, and PyTorch, add ε
    after it.

    References
    ----------
    D. P. Kingma and J. Ba (2015), Adam: a method for stochastic optimization.

    Examples
    --------
    >>> rule = Adam([np.zeros(1)], 0.1)
    >>> rule.updates([np.array([1000.0])])[0].round(6).tolist()
    [-0.1]
    """

    def __init__(
        self,
        params: Arrays,
        learning_rate: float,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
    ) -> None:
        self.learning_rate = learning_rate
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.t = 0
        self.means: list[Floats] = [np.zeros_like(param) for param in params]
        self.squares: list[Floats] = [np.zeros_like(param) for param in params]

    def updates(self, gradients: Arrays) -> list[Floats]:
        """Return what is to be added to each array."""
        beta_1, beta_2 = self.beta_1, self.beta_2
        self.t += 1
        self.means = [
            beta_1 * m + (1 - beta_1) * g for m, g in zip(self.means, gradients, strict=True)
        ]
        self.squares = [
            beta_2 * s + (1 - beta_2) * (g * g)
            for s, g in zip(self.squares, gradients, strict=True)
        ]
        rate = self.learning_rate * np.sqrt(1 - beta_2**self.t) / (1 - beta_1**self.t)
        return [
            -rate * m / (np.sqrt(s) + self.epsilon)
            for m, s in zip(self.means, self.squares, strict=True)
        ]


OPTIMIZERS: Mapping[str, Callable[..., Optimizer]] = {
    "sgd": SGD,
    "adagrad": AdaGrad,
    "rmsprop": RMSProp,
    "adam": Adam,
}
"""All optimisers by name: the arrays of the weights, the learning rate -> an optimiser."""
