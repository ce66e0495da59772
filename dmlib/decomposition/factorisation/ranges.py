"""The range of the number of parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def part_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return up to as many parts as rows or columns, and up to 24.

    Examples
    --------
    >>> part_range(None, [[0.0, 1.0, 2.0], [1.0, 0.0, 5.0]])
    {'n_components': (1, 2)}
    """
    return {"n_components": (1, min(24, *np.asarray(X).shape))}
