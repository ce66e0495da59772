"""AdaGrad: a rate for each variable, which falls with its past gradients."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer, Slopes

EPSILON = 1e-8  # so that nothing is divided by 0 where all gradients were 0


class AdaGrad(Optimizer):
    """Divide the rate by the root of the sum of all squared gradients.

    s ← s + g² and Δ = −η g / (√s + ε). The first step has length η in each variable; the rate falls
    like 1/√t, and never rises.

    References
    ----------
    J. Duchi, E. Hazan and Y. Singer (2011), Adaptive subgradient methods for online learning and
    stochastic optimization.
    """

    title = "AdaGrad"
    memory_names = ("s",)

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step, scaled by the sum of the squared gradients."""
        g = slopes(places)
        s = memory["s"] + g**2
        return Move(places, g, -factor * self.rate * g / (np.sqrt(s) + EPSILON), {"s": s})
