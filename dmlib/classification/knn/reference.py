"""The same neighbours by scikit-learn, and the code that asks for them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification import KNeighborsClassifier
from dmlib.classification.knn.pebls import PEBLS
from dmlib.classification.knn.pebls_reference import pebls_code, pebls_reference
from dmlib.classification.nearest import EQUAL
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def knn_reference(run: Run) -> Any:
    """Return scikit-learn's KNeighborsClassifier, fitted to ``X``.

    Where rows are equally far, scikit-learn takes those that its search meets first. To compare, it
    counts the votes of its own distances, with ties in the order in which the rows are stored.
    """
    X, y = run.problem.training.arguments
    from sklearn import neighbors

    if isinstance(run.model, PEBLS):
        return pebls_reference(run)

    fitted = run.fitted
    if fitted.metric in ("mahalanobis", "cosine"):
        raise Incomparable("rounding decides there which of equally far rows are neighbours.")
    if fitted.metric_.nominal.any() and np.isinf(fitted.metric_.p):
        raise Incomparable("scikit-learn has no maximum of differences for nominal columns.")
    stored = _coordinates(fitted, X)
    reference = neighbors.KNeighborsClassifier(
        fitted.n_neighbors, weights=fitted.weights, algorithm="kd_tree", p=fitted.metric_.p
    ).fit(stored, y)
    reference.kneighbors = partial(_kneighbors, reference, fitted, stored)
    return reference


def _coordinates(fitted: KNeighborsClassifier, X: Any) -> NDArray[np.float64]:
    """Return numbers whose Minkowski distances are those of the rows: a coordinate for each nominal value."""
    import pandas as pd

    frame = pd.DataFrame(X)
    codes = np.column_stack(
        [
            column.cat.codes.where(column.cat.codes >= 0, np.nan)
            if nominal
            else column.to_numpy(float)
            for (_, column), nominal in zip(frame.items(), fitted.metric_.nominal, strict=True)
        ]
    )
    codes = np.where(np.isnan(codes), fitted.typical_, codes)
    numbers = pd.DataFrame(codes[:, ~fitted.metric_.nominal])
    names = [
        (codes[:, [j]] == np.arange(len(frame.iloc[:, j].cat.categories)))
        * 0.5 ** (1 / fitted.metric_.p)
        for j in np.flatnonzero(fitted.metric_.nominal)
    ]
    return np.hstack([numbers.to_numpy(), *names])


def _kneighbors(
    reference: Any, fitted: KNeighborsClassifier, stored: Any, X: Any, return_distance: bool = True
) -> Any:
    """Return the neighbours by scikit-learn's distances; of equally far ones those that are stored first."""
    from sklearn.metrics import pairwise_distances

    p = reference.p
    name = {1.0: "manhattan", np.inf: "chebyshev"}.get(p, "minkowski")
    D = pairwise_distances(
        _coordinates(fitted, X), stored, metric=name, **({"p": p} if name == "minkowski" else {})
    )
    order = D.argsort(axis=1, kind="stable")
    ordered = np.take_along_axis(D, order, axis=1)
    group = np.cumsum(np.diff(ordered, axis=1, prepend=ordered[:, :1]) > EQUAL * ordered, axis=1)
    nearest = np.take_along_axis(order, np.lexsort((order, group), axis=1), axis=1)[
        :, : reference.n_neighbors
    ]
    return (np.take_along_axis(D, nearest, axis=1), nearest) if return_distance else nearest


def knn_code(run: Run) -> str:
    """Return code that fits scikit-learn's KNeighborsClassifier as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    if isinstance(model, PEBLS):
        return pebls_code(run)
    order = 'float("inf")' if np.isinf(model.p) else repr(model.p)
    metric, prepare = f"metric={model.metric!r}, p={order}", ""
    if model.metric == "mahalanobis":
        prepare = "\nfrom numpy import cov, linalg"
        metric = (
            'metric="mahalanobis", algorithm="brute", metric_params={"VI":'
            " linalg.inv(cov(numbers.T))}"
        )
    return f"""
# The same with scikit-learn; equally far rows may be taken in another order.
# It takes numbers only, so that names become columns of 0 and 1.
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier as Reference{prepare}

numbers = pd.get_dummies(pd.DataFrame(X), dtype=float).to_numpy()
reference = Reference({model.n_neighbors}, weights={model.weights!r}, {metric})
reference.fit(numbers, y)
print("Training error:", (model.predict(X) != y).mean())
print("Training error, by the library:", (reference.predict(numbers) != y).mean())
"""
