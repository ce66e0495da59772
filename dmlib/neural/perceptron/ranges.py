"""Ranges of Adaline that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range, outward

MIN_SHARE = 1e-4  # of the highest learning rate


def adaline_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the learning rate, up to twice the one from which updates overshoot.

    Examples
    --------
    >>> from dmlib.neural import Adaline
    >>> adaline_ranges(Adaline(), [[-1.0], [1.0]])
    {'learning_rate': (0.0002, 2.0)}
    """
    longest = float((np.asarray(X, float) ** 2).sum(axis=1).max()) + int(model.fit_intercept)
    highest = min(max(4 / longest, 1e-7), 1e6) if longest else 1.0
    return {"learning_rate": outward(highest * MIN_SHARE, highest)}
