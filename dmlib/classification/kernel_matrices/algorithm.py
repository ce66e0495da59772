"""The kernel matrix row by row, an operation on kernels, and Mercer's test by eigenvalues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.closure import OPERATIONS, TWO_KERNELS, combined
from dmlib.classification.kernel_matrices.ranges import kernel_ranges
from dmlib.classification.kernels import KERNELS, Kernel
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params
from dmlib.trace import look

# Times the rows and the largest eigenvalue: the rounding error of an eigenvalue 0 by LAPACK
ROUNDING = 10 * np.finfo(float).eps
TINY = np.finfo(float).tiny
LARGEST = 1e150  # of a value whose square is a number
Phase = Literal["row", "second", "combine", "eigenvalues", "done"]


@dataclass(frozen=True, eq=False)
class KernelMatrixStep:
    """One step on the way to the eigenvalues of a kernel matrix.

    Attributes
    ----------
    phase : {"row", "second", "combine", "eigenvalues", "done"}
        What was computed.
    index : int
        The row of the matrix, of "row".
    values : ndarray of shape (index + 1,)
        The kernel of this row with those up to it, of "row"; the matrix is symmetric.
    kernel, second_kernel : Kernel
        The two kernels; gamma as a number.
    first, second, matrix : ndarray of shape (n_samples, n_samples) or None
        The matrices of both kernels and of the result, once they are computed.
    eigenvalues : ndarray of shape (n_samples,) or None
        Of ``matrix``, in descending order.
    tolerance : float
        Up to here an eigenvalue counts as 0.
    """

    phase: Phase
    kernel: Kernel
    second_kernel: Kernel
    index: int = -1
    values: Floats | None = None
    first: Floats | None = None
    second: Floats | None = None
    matrix: Floats | None = None
    eigenvalues: Floats | None = None
    tolerance: float = 0.0


class KernelMatrix(BaseEstimator):
    r"""Compute the kernel of all rows with each other, and test whether it can be an inner product.

    By Mercer's condition k is the inner product :math:`\phi(x) \cdot \phi(z)` of some feature space
    if and only if every matrix :math:`K_{ij} = k(x_i, x_j)` is positive semidefinite: :math:`v' K v
    \ge 0` for all v, that is, no eigenvalue is negative.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "laplacian"}, default="rbf"
        The first kernel k₁.
    gamma : {"scale", "auto"} or float, default="scale"
        The factor γ of all kernels but the linear one; "scale" is 1 / (columns · variance), "auto"
        1 / columns.
    degree : int, default=2
        The power of the polynomial kernel.
    coef0 : float, default=1.0
        The constant c of the polynomial and the sigmoid kernel.
    operation : {"none", "sum", "product", "constant", "function", "zero extension"}, default="none"
        The operation on kernels: k₁ + k₂, k₁ · k₂, a · k₁, f(x) k₁(x, z) f(z) with f(x) = ‖x‖, or
        k₁ where both rows lie in a subset of the rows and 0 elsewhere. The subset: the rows with
        the largest values in the first column.
    second : {"linear", "poly", "rbf", "sigmoid", "laplacian"}, default="linear"
        The second kernel k₂ of a sum or a product; it has the same γ, power and constant.
    factor : float, default=2.0
        The constant a of a · k₁. Of negative factors the result is no kernel.
    outside : float, default=0.5
        The share of the rows outside of the subset of a zero extension; 0.5 cuts at the median.

    Attributes
    ----------
    kernel_matrix_ : ndarray of shape (n_samples, n_samples)
        The matrix of the resulting kernel.
    eigenvalues_ : ndarray of shape (n_samples,)
        Its eigenvalues in descending order.
    smallest_eigenvalue_ : float
        The last of them; 0 where it is only rounding.
    rank_ : int
        The number that are not 0: the dimension of the span of the rows in feature space.
    effective_dimension_ : float
        The squared sum of the eigenvalues over the sum of their squares: their number, if all of
        them were equal.
    positive_semidefinite_ : bool
        Whether none is negative, apart from rounding.
    gamma_ : float
        γ as a number.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If the numbers are too large for the kernel.

    Notes
    -----
    O(n^2 d) for the matrix, O(n^3) for the eigenvalues, O(n^2) numbers in memory. An eigenvalue
    counts as 0 up to 10 n times the machine's precision times the largest one. A matrix without
    negative eigenvalues proves nothing for other rows; one with them proves that k is no kernel.

    References
    ----------
    J. Mercer (1909), Functions of positive and negative type, and their connection with the theory
    of integral equations. J. Shawe-Taylor and N. Cristianini (2004), Kernel Methods for Pattern
    Analysis, section 3.4.

    Examples
    --------
    >>> model = KernelMatrix("poly", gamma=1.0, coef0=0.0).fit([[1.0, 2.0], [3.0, 4.0]])
    >>> model.kernel_matrix_.tolist(), model.rank_, model.positive_semidefinite_
    ([[25.0, 121.0], [121.0, 625.0]], 2, True)
    >>> [step.phase for step in KernelMatrix().steps([[1.0, 2.0], [3.0, 4.0]])]
    ['row', 'row', 'eigenvalues', 'done']
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "kernel": Choice(KERNELS),
        "gamma": Number(0.0, np.inf, shown=(0.01, 100.0), log=True, names=("scale", "auto")),
        "degree": Integer(1, 30, shown=(1, 5)),
        "coef0": Number(-1e6, 1e6, shown=(-2.0, 2.0), step=0.1),
        "operation": Choice(OPERATIONS),
        "second": Choice(KERNELS),
        "factor": Number(-1e6, 1e6, shown=(-3.0, 3.0), step=0.1),
        "outside": Number(0.0, 1.0, shown=(0.0, 0.95), step=0.05),
    }
    RANGES: ClassVar[Ranges] = staticmethod(kernel_ranges)

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        gamma: float | str = "scale",
        degree: int = 2,
        coef0: float = 1.0,
        operation: str = "none",
        second: str = "linear",
        factor: float = 2.0,
        outside: float = 0.5,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.operation = operation
        self.second = second
        self.factor = factor
        self.outside = outside

    def fit(self, X: Any, y: Any = None) -> Self:
        """Compute the matrix of the rows and its eigenvalues; ``y`` is ignored."""
        *_, last = self._steps(validate_data(self, X, dtype=np.float64))
        values: Floats = last.eigenvalues
        is_zero = np.abs(values) <= last.tolerance
        squares = float((values**2).sum())
        self.gamma_ = last.kernel.gamma
        self.kernel_matrix_ = last.matrix
        self.eigenvalues_ = values
        self.smallest_eigenvalue_ = 0.0 if is_zero[-1] else float(values[-1])
        self.rank_ = int((~is_zero).sum())
        self.effective_dimension_ = float(values.sum() ** 2 / squares) if squares > 0 else 0.0
        self.positive_semidefinite_ = self.smallest_eigenvalue_ >= 0
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[KernelMatrixStep]:
        """Yield the matrix row by row, the second one, the result, and its eigenvalues."""
        return self._steps(check_array(X, dtype=np.float64))

    def _steps(self, X: Floats) -> Iterator[Any]:
        check_params(self.PARAMS, self.get_params())
        gamma = self._gamma(X)
        kernel = Kernel(self.kernel, gamma, self.degree, self.coef0)
        second_kernel = Kernel(self.second, gamma, self.degree, self.coef0)
        step = KernelMatrixStep("row", kernel, second_kernel)
        K = np.zeros((len(X), len(X)))
        for i in range(len(X)):
            look()
            K[i, : i + 1] = K[: i + 1, i] = _finite(kernel(X[i : i + 1], X[: i + 1])[0])
            yield replace(step, index=i, values=K[i, : i + 1].copy())
        step = replace(step, phase="second", first=K, matrix=K)
        if self.operation in TWO_KERNELS:
            S = _finite(second_kernel(X, X))
            step = replace(step, second=np.tril(S) + np.tril(S, -1).T)
            yield step
        if self.operation != "none":
            matrix = combined(self.operation, X, K, step.second, self.factor, self.outside)
            step = replace(step, phase="combine", matrix=_finite(matrix) + 0.0)  # no entry is -0
            yield step
        values = np.linalg.eigvalsh(step.matrix)[::-1]  # type: ignore[arg-type]
        tolerance = ROUNDING * len(X) * float(np.abs(values).max())
        step = replace(step, phase="eigenvalues", eigenvalues=values, tolerance=tolerance)
        yield step
        yield replace(step, phase="done")

    def _gamma(self, X: Floats) -> float:
        if self.gamma == "auto":
            return 1.0 / int(X.shape[1])
        if self.gamma != "scale":
            return float(self.gamma)
        with np.errstate(over="ignore"):
            spread: float = X.shape[1] * float(X.var())
        _finite(spread)
        return 1.0 / spread if spread > TINY else 1.0


def _finite(values: Any) -> Any:
    if not (np.abs(values) < LARGEST).all():
        raise ValueError("Numbers in the columns are too large for this kernel. Scale the columns.")
    return values
