"""The number of parameters of fitted models, each counted as its kind of model has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np


class Size(NamedTuple):
    """The number of parameters of a model, and what they are."""

    n_parameters: int
    unit: str


def model_size(model: Any, n_rows: int) -> Size:
    """Count the free parameters of a fitted model.

    Parameters
    ----------
    model : estimator
        A fitted classifier, regressor or clustering of this library.
    n_rows : int
        The number of rows that it is fitted to: a model without parameters stores them.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier, KNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1, 1]
    >>> model_size(DecisionTreeClassifier().fit(X, y), 5)
    Size(n_parameters=3, unit='tree nodes')
    >>> model_size(KNeighborsClassifier(3).fit(X, y), 5)
    Size(n_parameters=5, unit='rows stored')
    """
    if hasattr(model, "estimators_"):
        parts = [model_size(part, 0) for part in _flat(model.estimators_)]
        return Size(sum(part.n_parameters for part in parts), parts[0].unit if parts else "")
    for attribute, (count, unit) in COUNTS.items():
        if hasattr(model, attribute):
            return Size(int(count(model)), unit)
    return Size(n_rows, "rows stored")


def _flat(values: Any) -> Iterator[Any]:
    """Yield what is in lists and arrays of objects, however they are nested."""
    if isinstance(values, list | tuple) or (
        isinstance(values, np.ndarray) and values.dtype == object
    ):
        for each in values:
            yield from _flat(each)
    elif values is not None:
        yield values


def _entries(model: Any, *attributes: str) -> int:
    """Return how many numbers some attributes hold; an attribute may be a list of arrays."""
    return sum(np.size(part) for name in attributes for part in _flat(getattr(model, name, None)))


def _coefficients(model: Any) -> int:
    """Return the number of coefficients; those of 0 are as good as left out."""
    return int(np.count_nonzero(model.coef_)) + _entries(model, "intercept_")


def _normals(model: Any) -> int:
    """Return the number of means, variances, covariances and shares of normal distributions."""
    k, d = map(int, np.shape(model.means_))
    n_covariances = k * d * (d + 1) // 2
    if hasattr(model, "var_"):
        n_covariances = int(np.size(model.var_))
    elif hasattr(model, "covariances_"):
        shape = np.shape(model.covariances_)
        is_full = shape[-2:] == (d, d) and len(shape) > 1 and model.covariance_type != "diag"
        n_matrices = shape[0] if len(shape) == 3 else 1
        n_covariances = n_matrices * d * (d + 1) // 2 if is_full else int(np.prod(shape))
    return k - 1 + k * d + n_covariances


COUNTS: Mapping[str, tuple[Callable[[Any], int], str]] = {
    "lines_": (
        lambda model: model.tree_.node_count + np.count_nonzero(model.lines_[model.tree_.is_leaf]),
        "tree nodes, coefficients",
    ),
    "tree_": (lambda model: model.tree_.node_count, "tree nodes"),
    "tree": (lambda model: model.tree.node_count, "tree nodes"),
    "intercepts_": (
        lambda model: _entries(model, "coefs_", "intercepts_", "scales_", "shifts_"),
        "weights",
    ),
    "support_vectors_": (lambda model: len(model.support_vectors_), "support vectors"),
    "coef_": (_coefficients, "coefficients"),
    "feature_log_prob_": (
        lambda model: _entries(model, "class_prior_", "theta_", "var_", "feature_log_prob_"),
        "probabilities, means, variances",
    ),
    "total_information_": (
        lambda model: model.class_prior_.size + sum(t.probabilities.size for t in model.tables_),
        "probabilities",
    ),
    "means_": (_normals, "means, covariances, shares"),
    "cluster_centers_": (lambda model: np.size(model.cluster_centers_), "coordinates of centres"),
    "core_sample_indices_": (lambda model: len(model.core_sample_indices_), "core rows stored"),
    "n_samples_fit_": (lambda model: model.n_samples_fit_, "rows stored"),
}
"""By the first fitted attribute that a model has: how its parameters are counted, their unit."""
