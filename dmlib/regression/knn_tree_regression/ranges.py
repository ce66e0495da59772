"""The ranges that hang on the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range

MOST = 50


def neighbor_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the numbers of neighbours that the rows can give.

    Examples
    --------
    >>> neighbor_range(None, [[0.0], [1.0], [2.0]])
    {'n_neighbors': (1, 3)}
    """
    return {"n_neighbors": (1, max(1, min(MOST, len(np.asarray(X)))))}


def tree_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the prices of a leaf up to that at which the root is left alone, and the sizes of leaves up to half."""
    half = max(1, min(MOST, len(np.asarray(X)) // 2))
    ranges: dict[str, Range] = {"min_samples_leaf": (1, half), "min_samples_split": (2, max(2, 2 * half))}
    return ranges
