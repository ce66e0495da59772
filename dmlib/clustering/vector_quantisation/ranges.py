"""Ranges of vector quantisation that fit the image."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def code_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of k, up to the distinct rows, and of the patch, up to the image.

    Examples
    --------
    >>> from dmlib.clustering import VectorQuantizer
    >>> code_ranges(VectorQuantizer(), np.zeros((4, 6, 1)))
    {'n_clusters': 'All pixels are equal: one code is enough.', 'patch': (1, 4)}
    """
    image = np.asarray(X, float)
    if image.ndim != 3:
        return {}
    colors = len(np.unique(image.reshape(-1, image.shape[2]), axis=0))
    k_max = min(64, colors)
    codes: Range = (2, k_max) if k_max > 2 else (1, 2)
    if k_max == 1:
        codes = "All pixels are equal: one code is enough."
    side = min(8, *image.shape[:2])
    return {
        "n_clusters": codes,
        "patch": (1, side) if side > 1 else "The image is one pixel high or wide.",
    }
