"""Kernel matrices by scikit-learn, and their eigenvalues by NumPy."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.algorithm import KernelMatrix
from dmlib.comparison import Answers
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def eigenvalues_of_kernel(
    X: Floats,
    gamma: float,
    kernel: str,
    degree: int,
    coef0: float,
    operation: str,
    second: str,
    factor: float,
    outside: float,
) -> Answers:
    """Compute the kernel matrix by scikit-learn, and its eigenvalues by NumPy."""
    from sklearn.metrics.pairwise import pairwise_kernels

    from dmlib.comparison import Answers

    params = {"gamma": gamma, "degree": degree, "coef0": coef0, "filter_params": True}
    K = pairwise_kernels(X, metric=kernel, **params)
    if operation == "sum":
        K = K + pairwise_kernels(X, metric=second, **params)
    elif operation == "product":
        K = K * pairwise_kernels(X, metric=second, **params)
    elif operation == "constant":
        K = factor * K
    elif operation == "function":
        lengths = np.linalg.norm(X, axis=1)
        K = K * np.outer(lengths, lengths)
    elif operation == "zero extension":
        in_subset = X[:, 0] >= np.quantile(X[:, 0], outside)
        K = K * np.outer(in_subset, in_subset)
    eigenvalues = np.linalg.eigvalsh(K)[::-1]
    squares = (K**2).sum()
    values = {
        "kernel_matrix_": K,
        "eigenvalues_": eigenvalues,
        "smallest_eigenvalue_": eigenvalues[-1],
        "effective_dimension_": K.trace() ** 2 / squares if squares > 0 else 0.0,
    }
    return Answers("sklearn.metrics.pairwise.pairwise_kernels, numpy.linalg.eigvalsh", values)


def kernels_reference(run: Run[Problem, KernelMatrix]) -> Reference:
    """Return the same matrix and eigenvalues by libraries."""
    model = run.model
    names = ("kernel", "degree", "coef0", "operation", "second", "factor", "outside")
    params = {name: getattr(model, name) for name in names}
    return Reference(eigenvalues_of_kernel, "X", "model.gamma_", **params)
