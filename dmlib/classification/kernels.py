"""Kernels: inner products of rows in a feature space that is never built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]
Row = Callable[[int], Floats]

NAMES = ("linear", "poly", "rbf", "sigmoid")


@dataclass(frozen=True)
class Kernel:
    r"""One of the four usual kernels.

    "linear" is :math:`x \cdot z`, "poly" :math:`(\gamma\, x \cdot z + c)^p`, "rbf"
    :math:`\exp(-\gamma \lVert x - z \rVert^2)` and "sigmoid" :math:`\tanh(\gamma\, x \cdot z + c)`.

    Parameters
    ----------
    name : {"linear", "poly", "rbf", "sigmoid"}
        Which one.
    gamma : float
        The factor :math:`\gamma`; "linear" has none.
    degree : int
        The power p of "poly".
    coef0 : float
        The constant c of "poly" and "sigmoid".

    Notes
    -----
    "sigmoid" is not positive semidefinite in general, so it is an inner product in no space.

    Examples
    --------
    >>> Kernel("poly", gamma=1.0, degree=2)([[1.0, 2.0]], [[3.0, 4.0]]).tolist()
    [[121.0]]
    >>> Kernel("rbf", gamma=0.5)([[0.0]], [[0.0], [2.0]]).round(4).tolist()
    [[1.0, 0.1353]]
    """

    name: str
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 0.0

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> Floats:
        """Return the kernel of all rows of ``X`` with all rows of ``Z``."""
        X, Z = np.asarray(X, np.float64), np.asarray(Z, np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # whoever uses the values asks whether they are finite
            if self.name != "rbf":
                return self._of_products(X @ Z.T)
            distances: Floats = cdist(X, Z, "sqeuclidean")  # from differences: exact for rows that are far from zero
            distances *= -self.gamma
            return np.exp(distances, out=distances)

    def diagonal(self, X: ArrayLike) -> Floats:
        """Return the kernel of each row of ``X`` with itself."""
        X = np.asarray(X, np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.ones(len(X)) if self.name == "rbf" else self._of_products(np.einsum("ij,ij->i", X, X))

    def _of_products(self, products: Floats) -> Floats:
        if self.name == "linear":
            return products
        products *= self.gamma
        products += self.coef0
        if self.name == "sigmoid":
            return np.tanh(products, out=products)
        power = np.ones_like(products)
        for _ in range(self.degree):  # many times faster than ``**``, which takes logarithms
            power *= products
        return power


def quadratic_features(X: ArrayLike, gamma: float = 1.0, coef0: float = 0.0) -> Floats:
    r"""Return the rows in the space whose inner product is the kernel "poly" of degree 2.

    The columns are :math:`\gamma x_j^2`, then :math:`\sqrt2\, \gamma x_j x_k` for j < k, and with a constant
    :math:`\sqrt{2 \gamma c}\, x_j` and c itself.

    Parameters
    ----------
    X : array-like of shape (n_samples, d)
        The rows.
    gamma, coef0 : float
        The factor :math:`\gamma` and the constant c of the kernel, neither of them negative.

    Returns
    -------
    ndarray of shape (n_samples, d (d + 1) / 2) or, with a constant, (n_samples, (d + 1) (d + 2) / 2)
        The features.

    Raises
    ------
    ValueError
        If the constant is negative: then the kernel is no inner product.

    Examples
    --------
    >>> quadratic_features([[1.0, 2.0]]).round(4).tolist()
    [[1.0, 4.0, 2.8284]]
    >>> lifted = quadratic_features([[1.0, 2.0], [3.0, 4.0]], coef0=1.0)
    >>> (lifted[0] @ lifted[1]).round(9), Kernel("poly", degree=2, coef0=1.0)([[1.0, 2.0]], [[3.0, 4.0]]).item()
    (np.float64(144.0), 144.0)
    """
    if coef0 < 0:
        raise ValueError("With a negative constant the quadratic kernel is no inner product. Set it to 0 or more.")
    X = np.asarray(X, np.float64)
    first, second = np.triu_indices(X.shape[1], 1)
    parts = [gamma * X**2, np.sqrt(2) * gamma * X[:, first] * X[:, second]]
    if coef0 > 0:
        parts += [np.sqrt(2 * gamma * coef0) * X, np.full((len(X), 1), coef0)]
    return np.hstack(parts)


def cached_rows(kernel: Kernel, X: Floats, capacity: int) -> Row:
    """Return a function that gives a row of the kernel matrix of ``X``; the ``capacity`` rows used last are kept.

    Examples
    --------
    >>> row = cached_rows(Kernel("linear"), np.array([[1.0, 2.0], [0.0, 1.0]]), capacity=2)
    >>> row(0).tolist(), row(0) is row(0)
    ([5.0, 2.0], True)
    """

    def row(i: int) -> Floats:
        values: Floats = finite(kernel(X[i : i + 1], X)[0])
        return values

    return lru_cache(maxsize=capacity)(row)


def finite(values: Any) -> Any:
    """Return the values.

    Raises
    ------
    ValueError
        If one of them is infinite or not a number.
    """
    if not np.isfinite(values).all():
        raise ValueError(
            "The dual coefficients or intercepts are not finite: numbers in the columns are too large for this kernel. "
            "Scale the columns."
        )
    return values
