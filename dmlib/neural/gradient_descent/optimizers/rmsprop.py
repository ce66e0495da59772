"""RMSProp: a rate for each variable, by its recent gradients."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.adagrad import EPSILON
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer, Slopes


class RMSProp(Optimizer):
    """Divide the rate by the root of a running mean of squared gradients.

    s ← ρ s + (1 − ρ) g² and Δ = −η g / (√s + ε). The mean forgets, so that the rate does not fall
    for ever as AdaGrad's does.

    References
    ----------
    T. Tieleman and G. Hinton (2012), Lecture 6.5: Divide the gradient by a running average of its
    recent magnitude.
    """

    title = "RMSProp"
    memory_names = ("s",)

    def __init__(self, rate: float, rho: float) -> None:
        super().__init__(rate)
        self.rho = rho

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step, scaled by the running mean of the squared gradients."""
        g = slopes(places)
        s = self.rho * memory["s"] + (1 - self.rho) * g**2
        return Move(places, g, -factor * self.rate * g / (np.sqrt(s) + EPSILON), {"s": s})
