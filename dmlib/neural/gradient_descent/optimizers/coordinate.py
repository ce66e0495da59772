"""Coordinate descent: to the minimum along one variable, then along the other."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.newton import FLAT, Newton
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Slopes


class CoordinateDescent(Newton):
    """Step along one variable at a time, in turn: Δⱼ = −η gⱼ / |Hⱼⱼ|; η is 1 for the full step.

    On a quadratic function with a minimum the full step is exact: it ends where the function is
    smallest along that variable, the other held as it is. The value never rises. Where the
    curvature along the variable is 0, there is no step.

    References
    ----------
    S. J. Wright (2015), Coordinate descent algorithms. Mathematical Programming 151, 3-34.
    """

    title = "Coordinate descent"
    memory_names = ("H",)  # the curvatures along the variables, only for the ledger

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step along one variable; NaN where the function has no curvature along it."""
        j = (t - 1) % places.shape[1]
        g, H = slopes(places), self.hessian(places)
        curvatures = np.diagonal(H, axis1=1, axis2=2).copy()
        is_flat = ~(np.abs(curvatures[:, j]) > FLAT)
        step = np.zeros_like(places)
        with np.errstate(all="ignore"):
            step[:, j] = -factor * self.rate * g[:, j] / np.abs(curvatures[:, j])
        step[is_flat & (g[:, j] != 0)] = np.nan
        step[is_flat & (g[:, j] == 0)] = 0.0
        return Move(places, g, step, {"H": curvatures})
