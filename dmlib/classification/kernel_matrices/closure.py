"""Operations under which kernels are closed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats

TWO_KERNELS = ("sum", "product")
OPERATIONS = ("none", *TWO_KERNELS, "constant", "function", "zero extension")


def border(X: Floats, outside: float) -> float:
    """Return the smallest value in the first column of rows in the subset of a zero extension."""
    return float(np.quantile(X[:, 0], outside))


def in_subset(X: Floats, outside: float = 0.5) -> NDArray[np.bool_]:
    """Return which rows are in the subset of a zero extension: those with the largest first column.

    ``outside`` is the share of the rows that are not.

    Examples
    --------
    >>> in_subset(np.array([[1.0], [2.0], [3.0]])).tolist()
    [False, True, True]
    """
    is_inside: NDArray[np.bool_] = X[:, 0] >= border(X, outside)
    return is_inside


def combined(
    operation: str,
    X: Floats,
    first: Floats,
    second: Floats | None,
    factor: float,
    outside: float = 0.5,
) -> Floats:
    """Return the matrix of the kernel that an operation makes.

    Parameters
    ----------
    operation : str
        One of :data:`OPERATIONS`.
    X : ndarray of shape (n_samples, n_features)
        The rows.
    first, second : ndarray of shape (n_samples, n_samples)
        The matrices of the kernels; only sum and product need the second.
    factor : float
        The constant of "constant".
    outside : float
        The share of rows outside of the subset of a zero extension.

    Examples
    --------
    >>> K = np.array([[1.0, 2.0], [2.0, 4.0]])
    >>> combined("product", np.eye(2), K, K, 1.0).tolist()
    [[1.0, 4.0], [4.0, 16.0]]
    """
    # Whether the values are finite is checked where they are used.
    with np.errstate(over="ignore", invalid="ignore"):
        if second is not None:
            return first + second if operation == "sum" else first * second
        if operation == "none":
            return first
        if operation == "constant":
            return factor * first
        if operation == "function":
            weights = np.linalg.norm(X, axis=1)
        else:
            weights = in_subset(X, outside).astype(float)
        return np.asarray(first * np.multiply.outer(weights, weights))
