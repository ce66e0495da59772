"""Gradient descent: a step against the gradient."""

from __future__ import annotations

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer, Slopes


class Gradient(Optimizer):
    """Step against the gradient: Δ = −η g.

    On a quadratic function each eigenvector's part is multiplied by 1 − ηλ, so it shrinks while η <
    2/λ.

    References
    ----------
    A. Cauchy (1847), Méthode générale pour la résolution des systèmes d'équations simultanées.
    """

    title = "Gradient descent"

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step −η g."""
        g = slopes(places)
        return Move(places, g, -factor * self.rate * g, {})

    def limit(self, curvature: float) -> float:
        """Return 2/λ."""
        return 2 / curvature
