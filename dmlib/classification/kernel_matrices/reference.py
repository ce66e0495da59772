"""The same matrix by scikit-learn and its eigenvalues by NumPy, and the code that computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from dmlib.classification.kernel_matrices.closure import TWO_KERNELS, combined
from dmlib.comparison import Answers
from dmlib.pictures.run import Run

USES = {
    "linear": (),
    "rbf": ("gamma",),
    "laplacian": ("gamma",),
    "sigmoid": ("gamma", "coef0"),
    "poly": ("gamma", "degree", "coef0"),
}
"""The options that scikit-learn's kernels take."""


def kernels_reference(run: Run) -> Any:
    """Return scikit-learn's kernels, joined as ours are, and NumPy's eigenvalues."""
    model, X = run.model, run.problem.X
    first, second = (
        pairwise_kernels(X, metric=name, **_options(run, name))
        for name in (model.kernel, model.second)
    )
    K = combined(
        model.operation,
        X,
        first,
        second if model.operation in TWO_KERNELS else None,
        model.factor,
        model.outside,
    )
    values = {"kernel_matrix_": K, "eigenvalues_": np.linalg.eigvalsh(K)[::-1]}
    return Answers("sklearn.metrics.pairwise.pairwise_kernels, numpy.linalg.eigvalsh", values)


def _options(run: Run, name: str) -> dict[str, Any]:
    values = run.model.get_params() | {"gamma": run.fitted.gamma_}
    return {option: values[option] for option in USES[name]}


def _expression(run: Run) -> str:
    """Return the matrix as an expression of ``X``."""
    model = run.model
    first = _kernel(run, model.kernel)
    if model.operation in TWO_KERNELS:
        return f"{first} {'+' if model.operation == 'sum' else '*'} {_kernel(run, model.second)}"
    if model.operation == "constant":
        return f"{model.factor!r} * {first}"
    weights = {
        "function": "np.linalg.norm(X, axis=1)",
        "zero extension": f"(X[:, 0] >= np.quantile(X[:, 0], {model.outside!r}))",
    }.get(model.operation)
    return f"{first} * np.outer({weights}, {weights})" if weights else first


def _kernel(run: Run, name: str) -> str:
    more = "".join(f", {option}={value!r}" for option, value in _options(run, name).items())
    return f"pairwise_kernels(X, metric={name!r}{more})"


def kernels_code(run: Run) -> str:
    """Return code that computes matrix and eigenvalues as ``reference``, after ``model``."""
    return f"""
# The same with scikit-learn and NumPy
import types

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

X = np.asarray(X, float)
K = {_expression(run)}
values = np.linalg.eigvalsh(K)[::-1]
reference = types.SimpleNamespace(smallest_eigenvalue_=values[-1], effective_dimension_=K.trace() ** 2 / (K**2).sum())
"""
