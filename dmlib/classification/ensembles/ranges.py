"""Ranges of the parameters of an ensemble that depend on the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.params import Range


def ensembles_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the range of the number of drawn columns.

    Examples
    --------
    >>> ensembles_ranges(None, [[0.0, 1.0, 2.0]]), ensembles_ranges(None, [[0.0]])
    ({'max_features': (1, 3)}, {'max_features': 'There is only one column.'})
    """
    n_features = X.shape[1] if hasattr(X, "shape") else np.asarray(X).shape[1]
    return {"max_features": (1, n_features) if n_features > 1 else "There is only one column."}
