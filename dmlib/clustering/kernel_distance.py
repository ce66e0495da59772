"""Distances of rows in the feature space of a kernel, by the kernel alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from dmlib.arrays import Floats
from dmlib.classification.kernels import Kernel

METRICS = ("rbf", "poly", "laplacian")
"""The kernels that are offered as a distance."""
MAX_ROWS = 5_000  # the distances of so many rows take 200 MB
LARGEST = 1e150  # its square is a number
ROUNDING = 4 * np.finfo(float).eps  # of the terms: a smaller difference is none
FAR = 1e100  # a radius within which all rows are


def kernel_distances(kernel: Kernel, X: Any) -> Floats:
    r"""Return the distances of all rows to each other in the feature space of a kernel.

    :math:`d^2(x, y) = k(x, x) - 2 k(x, y) + k(y, y)`.

    Parameters
    ----------
    kernel : Kernel
        A positive semidefinite kernel.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    ndarray of shape (n_samples, n_samples)
        The distances, symmetric and with zeros on the diagonal.

    Raises
    ------
    ValueError
        If there are too many rows, or their numbers are too large.

    Examples
    --------
    >>> kernel_distances(Kernel("poly", degree=2), [[1.0], [2.0], [-1.0]]).tolist()
    [[0.0, 3.0, 0.0], [3.0, 0.0, 3.0], [0.0, 3.0, 0.0]]
    """
    rows = X.toarray() if issparse(X) else np.asarray(X, float)
    if len(rows) > MAX_ROWS:
        raise ValueError(
            f"A kernel takes the distances of all pairs of {len(rows):,} rows,"
            f" {len(rows) ** 2 * 8 / 1e9:.1f} GB. Take a sample of at most {MAX_ROWS:,} rows."
        )
    K = kernel(rows, rows)
    if not (np.abs(K) < LARGEST).all():
        raise ValueError("Numbers in the columns are too large for this kernel. Scale the columns.")
    K = (K + K.T) / 2
    own = K.diagonal()
    sums = own[:, None] + own
    squares = sums - 2 * K
    squares[squares <= ROUNDING * sums] = 0.0
    np.fill_diagonal(squares, 0.0)
    distances: Floats = np.sqrt(squares)
    return distances


def ball_of(kernel: Kernel, radius: float) -> tuple[str, float] | None:
    """Return the ball of the columns that a ball of feature space is, by its metric and radius.

    Kernels that decay with a distance have one; None for others.

    Examples
    --------
    >>> kernel = Kernel("rbf", gamma=0.5)
    >>> name, radius = ball_of(kernel, 1.0)
    >>> name, round(radius, 4), kernel_distances(kernel, [[0.0], [radius]])[0].round(9).tolist()
    ('euclidean', 1.1774, [0.0, 1.0])
    """
    if kernel.name not in ("rbf", "laplacian"):
        return None
    if radius**2 >= 2 or not kernel.gamma:
        decay = FAR
    else:
        decay = -np.log1p(-(radius**2) / 2) / kernel.gamma
    if kernel.name == "laplacian":
        return "manhattan", float(decay)
    return "euclidean", float(np.sqrt(decay))
