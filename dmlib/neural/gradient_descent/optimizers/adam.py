"""Adam: momentum and a rate for each variable, both by running means."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.adagrad import EPSILON
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer, Slopes


class Adam(Optimizer):
    """Divide the mean gradient by the root of the mean squared gradient, both bias-corrected.

    m ← β₁ m + (1 − β₁) g and s ← β₂ s + (1 − β₂) g²; Δ = −η m̂ / (√ŝ + ε), with m̂ = m / (1 − β₁ᵗ)
    and ŝ = s / (1 − β₂ᵗ). The first step has length η in each variable.

    References
    ----------
    D. P. Kingma and J. Ba (2015), Adam: a method for stochastic optimization, Algorithm 1.
    """

    title = "Adam"
    memory_names = ("m", "s")

    def __init__(self, rate: float, beta_1: float, beta_2: float) -> None:
        super().__init__(rate)
        self.beta_1, self.beta_2 = beta_1, beta_2

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step, by both means."""
        g = slopes(places)
        m = self.beta_1 * memory["m"] + (1 - self.beta_1) * g
        s = self.beta_2 * memory["s"] + (1 - self.beta_2) * g**2
        mean, square = m / (1 - self.beta_1**t), s / (1 - self.beta_2**t)
        step = -factor * self.rate * mean / (np.sqrt(square) + EPSILON)
        return Move(places, g, step, {"m": m, "s": s})
