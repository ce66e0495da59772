"""Nesterov's accelerated gradient: look where the velocity leads, and correct it there."""

from __future__ import annotations

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.momentum import Momentum
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Slopes


class Nesterov(Momentum):
    """Step as momentum does, v ← μ v − η g and Δ = v, with the gradient at p + μ v.

    With a constant momentum μ, as networks are trained; in the original, μ grows from step to step.

    References
    ----------
    Y. E. Nesterov (1983), A method of solving a convex programming problem with convergence rate
    O(1/k²). I. Sutskever, J. Martens, G. Dahl and G. Hinton (2013), On the importance of
    initialization and momentum in deep learning.
    """

    title = "Nesterov"

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the velocity, corrected by the gradient ahead."""
        ahead = places + self.momentum * memory["v"]
        g = slopes(ahead)
        v = self.momentum * memory["v"] - factor * self.rate * g
        return Move(ahead, g, v, {"v": v})

    def limit(self, curvature: float) -> float:
        """Return 2(1 + μ)/((1 + 2μ)λ)."""
        return super().limit(curvature) / (1 + 2 * self.momentum)
