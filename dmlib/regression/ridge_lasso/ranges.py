"""Ranges of λ that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.params import Range, outward

MIN_RATIO = 3e-4  # the smallest λ of the slider by the largest


def penalty_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the range of λ: up to where the lasso selects no column, or ridge shrinks nearly to 0.

    Examples
    --------
    >>> from dmlib.regression import Lasso
    >>> penalty_ranges(Lasso(), [[1.0], [2.0], [3.0], [6.0]], [2.0, 3.0, 7.0, 8.0])
    {'alpha': (0.0059, 20.0)}
    """
    if y is None:
        return {}
    problem = model.penalised(X, y)
    ridge = 30 * float(np.diag(problem.gram).max())
    lasso = 2.2 * float(np.abs(problem.moments).max())
    share = model.share
    top = min(lasso / max(share, 0.05), 1e9) if share else ridge
    if not 1e-6 < top < 1e11:
        return {}
    return {"alpha": outward(MIN_RATIO * top, top)}
