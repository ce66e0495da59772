"""Prices that matter for the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range

DECADES = 1e4  # from the lowest price to the highest


def alpha_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the prices up to that from which the lasso has no coefficient left.

    Ridge regression has no such price: there it is the one that shrinks a coefficient to a hundredth.

    Examples
    --------
    >>> from dmlib.regression import Lasso
    >>> alpha_range(Lasso(), [[-1.0], [0.0], [1.0]], [-3.0, 0.0, 3.0])
    {'alpha': (0.0012, 12.0)}
    """
    if y is None:
        return {}
    columns, target = np.asarray(X, float), np.asarray(y, float)
    Xc, yc = columns - columns.mean(axis=0), target - target.mean()
    highest = 100 * float((Xc**2).sum(axis=0).max(initial=0.0))
    if model.share > 0:
        highest = 2 * float(np.abs(Xc.T @ yc).max(initial=0.0)) / model.share
    highest = float(f"{min(max(highest, 1e-6), 1e9):.2g}")
    return {"alpha": (highest / DECADES, highest)}
