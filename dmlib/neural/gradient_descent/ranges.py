"""Ranges of the step sizes that fit a surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.params import Range, outward

SIZE = 9  # places along each side of the domain at which the curvature is looked at
BEYOND = 1.5  # times the largest stable rate of the flattest of them: there, steps diverge
DECADES = 1e-3
NO_ROWS = "A formula has no rows: choose the loss of a model as the data."

A_MODEL = "The model on its rows is shown in place of the surface in 3-D."


def gradient_descent_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return rates that end a little beyond where gradient descent diverges, and lengths that fit the domain.

    Examples
    --------
    >>> from dmlib.neural import GradientDescent
    >>> from dmlib.problem import prepare_surface
    >>> ranges = gradient_descent_ranges(GradientDescent(), prepare_surface("x^2 + 3*y^2", (-3, 3, -3, 3)))
    >>> ranges["learning_rate"], ranges["adaptive_rate"], ranges["batch_size"][:19]
    ((0.00049, 0.5), (0.0015, 1.5), 'A formula has no ro')
    """
    x, z, _ = X.grid(SIZE)
    H = X.hessian(np.stack(np.meshgrid(x, z), axis=-1).reshape(-1, 2))
    curvature = np.abs(np.linalg.eigvalsh(H[np.isfinite(H).all(axis=(1, 2))])).max(
        axis=1, initial=0.0
    )
    x0, x1, y0, y1 = X.domain
    length = min(x1 - x0, y1 - y0) / 4
    bent = curvature[curvature > 1e-9]
    most = min(max(BEYOND * 2 / float(np.median(bent)), 1e-6), 1e3) if len(bent) else length
    ranges: dict[str, Range] = {
        "learning_rate": outward(most * DECADES, most),
        "adaptive_rate": outward(length * DECADES, length),
    }
    if not X.n_rows:
        return ranges | {"batch_size": NO_ROWS}
    return ranges | {"batch_size": (1, min(X.n_rows, 100)), "turn": A_MODEL}
