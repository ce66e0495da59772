"""Momentum: a heavy ball that loses a fraction of its velocity in each step."""

from __future__ import annotations

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer, Slopes


class Momentum(Optimizer):
    """Step by a velocity that accumulates gradients: v ← μ v − η g, Δ = v.

    Along a constant slope the velocity grows to 1 / (1 − μ) steps of gradient descent; across a
    ravine the steps of changing sign cancel.

    References
    ----------
    B. T. Polyak (1964), Some methods of speeding up the convergence of iteration methods.
    """

    title = "Momentum"
    memory_names = ("v",)

    def __init__(self, rate: float, momentum: float) -> None:
        super().__init__(rate)
        self.momentum = momentum

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the velocity."""
        g = slopes(places)
        v = self.momentum * memory["v"] - factor * self.rate * g
        return Move(places, g, v, {"v": v})

    def limit(self, curvature: float) -> float:
        """Return 2(1 + μ)/λ."""
        return 2 * (1 + self.momentum) / curvature
