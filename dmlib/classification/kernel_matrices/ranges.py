"""Ranges of the parameters of kernels, and the parameters that the chosen kernels have."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.classification.kernel_matrices.closure import TWO_KERNELS
from dmlib.clustering.ranges import gamma_range
from dmlib.params import Range

USES = {
    "gamma": ("rbf", "poly", "sigmoid", "laplacian"),
    "degree": ("poly",),
    "coef0": ("poly", "sigmoid"),
}


def kernel_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of gamma by the spread, and why a parameter has no effect.

    Examples
    --------
    >>> from dmlib.classification import KernelMatrix
    >>> kernel_ranges(KernelMatrix("rbf"), [[0.0], [2.0]])["gamma"]
    (0.01, 100.0)
    >>> kernel_ranges(KernelMatrix("rbf"), [[0.0], [2.0]])["degree"]
    'None of the chosen kernels has it; poly does.'
    """
    has_second = model.operation in TWO_KERNELS
    kernels = {model.kernel, model.second} if has_second else {model.kernel}
    ranges: dict[str, Range] = {"gamma": gamma_range(X)}
    for name, users in USES.items():
        if not kernels & set(users):
            verb = "do" if len(users) > 1 else "does"
            ranges[name] = f"None of the chosen kernels has it; {' and '.join(users)} {verb}."
    if not has_second:
        ranges["second"] = "Only a sum and a product have a second kernel."
    if model.operation != "constant":
        ranges["factor"] = "Only the operation constant has a factor."
    if model.operation != "zero extension":
        ranges["outside"] = "Only a zero extension leaves rows out."
    return ranges
