"""Ranges of the step sizes that fit a surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.params import Range, outward
from dmlib.problem import SurfaceProblem

SIZE = 9  # places along each side of the domain at which the curvature is computed
BEYOND = 1.5  # times the largest stable rate at their median curvature: there, steps diverge
MIN_SHARE = 1e-3  # of the highest rate
NO_ROWS = "A formula has no rows: choose the loss of a model as the data."
NO_SOLID = "The model on its rows is shown in place of the surface in 3-D."


def gradient_descent_ranges(model: Any, X: SurfaceProblem, y: Any = None) -> dict[str, Range]:
    """Return rates up to a little beyond the stable ones, and lengths that fit the domain.

    Examples
    --------
    >>> from dmlib.neural import GradientDescent
    >>> from dmlib.problem import prepare_surface
    >>> bowl = prepare_surface("x^2 + 3*y^2", (-3, 3, -3, 3))
    >>> ranges = gradient_descent_ranges(GradientDescent(), bowl)
    >>> ranges["learning_rate"], ranges["adaptive_rate"], ranges["batch_size"][:19]
    ((0.00049, 0.5), (0.0015, 1.5), 'A formula has no ro')
    """
    x, z, _ = X.grid(SIZE)
    H = X.hessian(np.stack(np.meshgrid(x, z), axis=-1).reshape(-1, 2))
    eigenvalues = np.linalg.eigvalsh(H[np.isfinite(H).all(axis=(1, 2))])
    curvature = np.abs(eigenvalues).max(axis=1, initial=0.0)
    x0, x1, y0, y1 = X.domain
    length = min(x1 - x0, y1 - y0) / 4
    curved = curvature[curvature > 1e-9]
    rate = length
    if len(curved):
        rate = min(max(BEYOND * 2 / float(np.median(curved)), 1e-6), 1e3)
    ranges: dict[str, Range] = {
        "learning_rate": outward(rate * MIN_SHARE, rate),
        "adaptive_rate": outward(length * MIN_SHARE, length),
    }
    if not X.n_rows:
        return ranges | {"batch_size": NO_ROWS}
    return ranges | {"batch_size": (1, min(X.n_rows, 100)), "turn": NO_SOLID}
