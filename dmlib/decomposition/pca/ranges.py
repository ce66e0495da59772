"""Ranges of principal components that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range

MAX_COMPONENTS = 20


def pca_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of k: no more components than columns, or than rows.

    Examples
    --------
    >>> from dmlib.decomposition import PCA
    >>> pca_ranges(PCA(), [[0.0, 1.0, 2.0], [3.0, 5.0, 4.0]])
    {'n_components': (1, 2)}
    """
    return {"n_components": (1, max(1, min(MAX_COMPONENTS, *np.asarray(X).shape)))}
