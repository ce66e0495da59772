"""The numbers of components that the data can have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def component_range(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the components up to the number of columns, or of rows less one.

    Examples
    --------
    >>> component_range(None, [[0.0, 1.0, 2.0], [1.0, 0.0, 5.0], [2.0, 2.0, 2.0]])
    {'n_components': (1, 2)}
    """
    n, p = np.asarray(X, float).shape
    return {"n_components": (1, max(1, min(p, n - 1)))}
