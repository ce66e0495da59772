"""What may be made of kernels so that the result is one again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats

TWO_KERNELS = ("sum", "product")
OPERATIONS = ("none", *TWO_KERNELS, "constant", "function", "zero extension")


def border(X: Floats, outside: float) -> float:
    """Return from which value of the first column on rows are in the subset of a zero extension."""
    return float(np.quantile(X[:, 0], outside))


def in_subset(X: Floats, outside: float = 0.5) -> NDArray[np.bool_]:
    """Return which rows a zero extension keeps: all but such a share of them, those with the lowest first column.

    Examples
    --------
    >>> in_subset(np.array([[1.0], [2.0], [3.0]])).tolist()
    [False, True, True]
    """
    kept: NDArray[np.bool_] = X[:, 0] >= border(X, outside)
    return kept


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
        The share of rows that a zero extension leaves out.

    Examples
    --------
    >>> K = np.array([[1.0, 2.0], [2.0, 4.0]])
    >>> combined("product", np.eye(2), K, K, 1.0).tolist()
    [[1.0, 4.0], [4.0, 16.0]]
    """
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # whoever uses the values asks whether they are finite
        if second is not None:
            return first + second if operation == "sum" else first * second
        if operation == "none":
            return first
        if operation == "constant":
            return factor * first
        weights = (
            np.linalg.norm(X, axis=1)
            if operation == "function"
            else in_subset(X, outside).astype(float)
        )
        outer: Floats = first * np.multiply.outer(weights, weights)
        return outer
