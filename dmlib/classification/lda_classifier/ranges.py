"""Ranges of discriminant analysis that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def lda_ranges(model: Any, X: ArrayLike, y: ArrayLike) -> dict[str, Range]:
    """Return the range of the number of axes: at most the columns, and the classes less one.

    Examples
    --------
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> lda_ranges(LinearDiscriminantAnalysis(), [[0.0, 1.0], [3.0, 5.0], [2.0, 2.0]], [0, 1, 2])
    {'n_components': (1, 2)}
    >>> lda_ranges(LinearDiscriminantAnalysis(), [[0.0, 1.0], [3.0, 5.0], [2.0, 2.0]], [0, 1, 1])
    {'n_components': 'Two classes have one axis.'}
    """
    n_classes = len(np.unique(np.asarray(y)))
    n_axes = min(np.shape(X)[1], n_classes - 1)
    if n_axes > 1:
        return {"n_components": (1, n_axes)}
    source = "Two classes have" if n_classes < 3 else "One column has"
    return {"n_components": f"{source} one axis."}
