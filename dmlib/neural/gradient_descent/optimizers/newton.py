"""Newton's method: to the stationary point of the second-order Taylor polynomial."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer, Slopes

FLAT = 1e-12  # of the squared size of a Hessian: a smaller determinant has no inverse


class Newton(Optimizer):
    """Step by the inverse Hessian: Δ = −η H⁻¹ g; η is 1 for the full step.

    It goes to minima, maxima and saddle points alike. Where H has no inverse, there is no step.

    References
    ----------
    J. Nocedal and S. J. Wright (2006), Numerical optimization, section 3.3.
    """

    title = "Newton"
    memory_names: ClassVar[tuple[str, ...]] = (
        "H₁",
        "H₂",
    )  # the rows of the Hessian, only for the ledger

    def __init__(self, rate: float, hessian: Slopes) -> None:
        super().__init__(rate)
        self.hessian = hessian

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step; NaN where the Hessian has no inverse."""
        g, H = slopes(places), self.hessian(places)
        (a, b), (c, d) = H[:, 0].T, H[:, 1].T
        determinant = a * d - b * c
        with np.errstate(all="ignore"):
            adjugate = np.column_stack([d * g[:, 0] - b * g[:, 1], a * g[:, 1] - c * g[:, 0]])
            is_flat = ~(np.abs(determinant) > FLAT * (H**2).sum(axis=(1, 2)))
            step = -factor * self.rate * adjugate / determinant[:, None]
            step[is_flat] = np.nan
        return Move(places, g, step, {"H₁": H[:, 0], "H₂": H[:, 1]})
