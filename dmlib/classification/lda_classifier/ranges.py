"""Ranges of discriminant analysis that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def lda_ranges(model: Any, X: ArrayLike, y: ArrayLike) -> dict[str, Range]:
    """Return the range of the number of axes: no more than columns, and one less than classes.

    Examples
    --------
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> lda_ranges(LinearDiscriminantAnalysis(), [[0.0, 1.0], [3.0, 5.0], [2.0, 2.0]], [0, 1, 2])
    {'n_components': (1, 2)}
    >>> lda_ranges(LinearDiscriminantAnalysis(), [[0.0, 1.0], [3.0, 5.0], [2.0, 2.0]], [0, 1, 1])
    {'n_components': 'Two classes have one axis.'}
    """
    n_axes = min(np.shape(X)[1], len(np.unique(np.asarray(y))) - 1)
    few = (
        "Two classes have one axis."
        if len(np.unique(np.asarray(y))) < 3
        else "One column has one axis."
    )
    return {"n_components": (1, n_axes) if n_axes > 1 else few}
