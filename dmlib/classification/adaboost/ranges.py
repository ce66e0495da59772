"""Parameters of boosting that have no effect on the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def adaboost_ranges(model: Any, X: Any, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return why the variant for many classes has no effect for two.

    Examples
    --------
    >>> adaboost_ranges(None, [[0.0], [1.0]], ["a", "b"])
    {'multiclass': 'For two classes both are the same.'}
    """
    if len(np.unique(np.asarray(y))) > 2:
        return {}
    return {"multiclass": "For two classes both are the same."}
