"""Classic filters of images."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

FILTERS: Mapping[str, NDArray[np.float64]] = {
    "identity": np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]]),
    "box blur": np.full((3, 3), 1 / 9),
    "Gaussian blur": np.outer([1.0, 2, 1], [1, 2, 1]) / 16,
    "sharpen": np.array([[0.0, -1, 0], [-1, 5, -1], [0, -1, 0]]),
    "Sobel, vertical edges": np.outer([1.0, 2, 1], [-1, 0, 1]),
    "Sobel, horizontal edges": np.outer([-1.0, 0, 1], [1, 2, 1]),
    "Laplace": np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]]),
    "emboss": np.array([[-2.0, -1, 0], [-1, 1, 1], [0, 1, 2]]),
}
"""Kernels of 3 x 3 weights by name."""
