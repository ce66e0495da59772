"""Kernels: inner products of rows in a feature space that is never built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats

Row = Callable[[int], Floats]

NAMES = ("linear", "poly", "rbf", "sigmoid")
"""The kernels of support vector machines."""
DISTANCES = {"rbf": "sqeuclidean", "laplacian": "cityblock"}
"""The distance of the kernels that decay with one, as SciPy calls it."""
KERNELS = (*NAMES, "laplacian")


@dataclass(frozen=True)
class Kernel:
    r"""One of the usual kernels.

    "linear" is :math:`x \cdot z`, "poly" :math:`(\gamma\, x \cdot z + c)^p`, "rbf"
    :math:`\exp(-\gamma \lVert x - z \rVert^2)`, "laplacian"
    :math:`\exp(-\gamma \lVert x - z \rVert_1)` and "sigmoid" :math:`\tanh(\gamma\, x \cdot z + c)`.

    Parameters
    ----------
    name : {"linear", "poly", "rbf", "sigmoid", "laplacian"}
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
        X = np.asarray(X, np.float64)
        Z = np.asarray(Z, np.float64)
        # Whether the values are finite is checked where they are used.
        with np.errstate(over="ignore", invalid="ignore"):
            if self.name not in DISTANCES:
                return self._of_products(X @ Z.T)
            # Distances from differences are exact for rows that are far from zero.
            distances: Floats = cdist(X, Z, DISTANCES[self.name])
            distances *= -self.gamma
            return np.exp(distances, out=distances)

    def diagonal(self, X: ArrayLike) -> Floats:
        """Return the kernel of each row of ``X`` with itself."""
        X = np.asarray(X, np.float64)
        if self.name in DISTANCES:
            return np.ones(len(X))
        with np.errstate(over="ignore", invalid="ignore"):
            return self._of_products(np.einsum("ij,ij->i", X, X))

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


def kernel_matrix(
    name: str,
    X: ArrayLike,
    Z: ArrayLike | None = None,
    *,
    gamma: float = 1.0,
    degree: int = 3,
    coef0: float = 0.0,
) -> Floats:
    """Return the kernel of all rows with each other, or with those of another table.

    Parameters
    ----------
    name : {"linear", "poly", "rbf", "sigmoid", "laplacian"}
        The kernel, see :class:`Kernel`.
    X : array-like of shape (n_samples, n_features)
        The rows.
    Z : array-like of shape (m, n_features), optional
        The other rows; by default those of ``X``.
    gamma, degree, coef0 : float, int, float
        What :class:`Kernel` has, with its defaults.

    Returns
    -------
    ndarray of shape (n_samples, m)
        The values.

    Raises
    ------
    ValueError
        If there is no kernel of this name.

    Examples
    --------
    >>> kernel_matrix("poly", [[1.0, 2.0], [3.0, 4.0]], degree=2).tolist()
    [[25.0, 121.0], [121.0, 625.0]]
    """
    if name not in KERNELS:
        raise ValueError(f"name must be one of {', '.join(KERNELS)}; it was {name!r}.")
    return Kernel(name, gamma, degree, coef0)(X, X if Z is None else Z)


def monomials(n_features: int, degree: int, coef0: float = 0.0) -> list[tuple[int, ...]]:
    """Return the columns whose product is each coordinate of a polynomial feature map.

    Pure powers come first.

    With a constant, fewer than ``degree`` may be multiplied.

    Examples
    --------
    >>> monomials(2, 2), monomials(2, 2, coef0=1.0)[3:]
    ([(0, 0), (1, 1), (0, 1)], [(0,), (1,), ()])
    """
    lengths = range(degree, -1, -1) if coef0 else [degree]
    columns = range(n_features)
    products = [
        product for length in lengths for product in combinations_with_replacement(columns, length)
    ]
    return sorted(products, key=lambda product: (-len(product), len(set(product)), product))


def polynomial_features(
    X: ArrayLike, gamma: float = 1.0, coef0: float = 0.0, *, degree: int = 2
) -> Floats:
    r"""Return the rows in the space whose inner product is the kernel "poly".

    A coordinate is a product of columns, weighed by the root of how often it occurs in the power.
    Of degree 2 they are
    :math:`\gamma x_j^2`, then :math:`\sqrt2\, \gamma x_j x_k` for j < k, and with a constant
    :math:`\sqrt{2 \gamma c}\, x_j` and c itself.

    Parameters
    ----------
    X : array-like of shape (n_samples, d)
        The rows.
    gamma, coef0 : float
        The factor :math:`\gamma` and the constant c of the kernel, neither of them negative.
    degree : int
        The power p.

    Returns
    -------
    ndarray of shape (n_samples, n_monomials)
        The features, in the order of :func:`monomials`.

    Raises
    ------
    ValueError
        If the constant is negative: then the kernel is no inner product.

    Examples
    --------
    >>> polynomial_features([[1.0, 2.0]]).round(4).tolist()
    [[1.0, 4.0, 2.8284]]
    >>> lifted = polynomial_features([[1.0, 2.0], [3.0, 4.0]], coef0=1.0, degree=3)
    >>> float((lifted[0] @ lifted[1]).round(9))
    1728.0
    >>> Kernel("poly", degree=3, coef0=1.0)([[1.0, 2.0]], [[3.0, 4.0]]).item()
    1728.0
    """
    if coef0 < 0:
        raise ValueError(
            "With a negative constant the polynomial kernel "
            "is no inner product. Set it to 0 or more."
        )
    X = np.asarray(X, np.float64)
    columns = []
    for product in monomials(X.shape[1], degree, coef0):
        powers = [*(product.count(j) for j in set(product)), degree - len(product)]
        times = factorial(degree) // prod(map(factorial, powers))
        weight = np.sqrt(times * coef0 ** powers[-1]) * gamma ** (len(product) / 2)
        columns.append(weight * X[:, product].prod(axis=1))
    return np.column_stack(columns)


def cached_rows(kernel: Kernel, X: Floats, capacity: int) -> Row:
    """Return a function that computes a row of the kernel matrix of ``X``.

    The ``capacity`` rows used last are cached.

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
    """Return the values, a number or an array, after checking that all are finite.

    Raises
    ------
    ValueError
        If one of them is infinite or not a number.
    """
    if not np.isfinite(values).all():
        raise ValueError(
            "The dual coefficients or intercepts are not finite: numbers in "
            "the columns are too large for this kernel. Scale the columns."
        )
    return values
