"""k nearest neighbours and PEBLS by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification import PEBLS
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def coordinates(X: Any, typical: Floats, p: float) -> Floats:
    """Encode rows by numbers with the same Minkowski distances, each nominal value by 0 and 1."""
    import pandas as pd

    columns = []
    for (_, column), value in zip(pd.DataFrame(X).items(), typical, strict=True):
        if column.dtype == "category":
            codes = column.cat.codes.replace(-1, int(value))
            columns.append(np.eye(len(column.cat.categories))[codes] * 0.5 ** (1 / p))
        else:
            columns.append(column.fillna(value).to_numpy(float)[:, None])
    return np.hstack(columns)


def fit_nearest_neighbours(
    X: Any, y: ArrayLike, typical: Floats, n_neighbors: int, weights: str, p: float
) -> Any:
    """Fit scikit-learn's nearest neighbours; of equidistant rows those that are stored first."""
    from sklearn.neighbors import KNeighborsClassifier

    def squared(distances: Floats) -> Floats:
        is_same = (distances == 0).any(axis=1, keepdims=True)
        return np.where(is_same, distances == 0, 1 / np.where(is_same, 1, distances) ** 2)

    stored = coordinates(X, typical, p)
    votes = squared if weights == "squared_distance" else weights
    reference = KNeighborsClassifier(n_neighbors, weights=votes, algorithm="kd_tree", p=p)
    search = reference.fit(stored, y).kneighbors

    def kneighbors(rows: Any, return_distance: bool = True) -> Any:
        distances, indices = search(coordinates(rows, typical, p), len(stored))
        is_farther = np.diff(distances, axis=1, prepend=distances[:, :1]) > 1e-12 * distances
        order = np.lexsort((indices, is_farther.cumsum(axis=1)), axis=1)[:, :n_neighbors]
        indices = np.take_along_axis(indices, order, axis=1)
        return (
            (np.take_along_axis(distances, order, axis=1), indices) if return_distance else indices
        )

    reference.kneighbors = kneighbors
    return reference


def class_frequencies(rows: Any, X: Any, y: Any) -> Floats:
    """Encode nominal values by their class frequencies in ``X, y``; divide numbers by the range."""
    import pandas as pd

    prior = pd.Series(y).value_counts(normalize=True).sort_index()
    columns = []
    for name, column in pd.DataFrame(X).items():
        values = pd.DataFrame(rows)[name]
        if column.dtype == "category":
            frequencies = pd.crosstab(column.to_numpy(), y, normalize="index")
            columns.append(frequencies.reindex(values.astype(object)).fillna(prior).to_numpy())
        else:
            columns.append(values.to_numpy(float)[:, None] / (np.ptp(column) or 1.0))
    return np.hstack(columns)


def nearest_column(distances: Floats) -> Any:
    """Return the first column with the smallest distance of each row, up to rounding."""
    return (distances <= distances.min(axis=1, keepdims=True) * (1 + 1e-12)).argmax(axis=1)


def fit_exemplars(X: Any, y: Any, weighted: bool) -> Any:
    """Fit scikit-learn's nearest neighbour to class frequencies, with the weights of PEBLS."""
    from sklearn.metrics import pairwise_distances
    from sklearn.neighbors import KNeighborsClassifier

    stored = class_frequencies(X, X, y)
    weights = np.ones(len(stored))
    if weighted:
        distances = pairwise_distances(stored, metric="manhattan")
        np.fill_diagonal(distances, np.inf)
        nearest = nearest_column(distances)
        uses = np.bincount(nearest, minlength=len(stored))
        correct = np.bincount(nearest[y[nearest] == y], minlength=len(stored))
        weights = (uses + 1) / (correct + 1)
    reference = KNeighborsClassifier(1, algorithm="kd_tree", metric="manhattan").fit(stored, y)

    def kneighbors(rows: Any, return_distance: bool = True) -> Any:
        places = class_frequencies(rows, X, y)
        distances = pairwise_distances(places, stored, metric="manhattan") * weights
        nearest = nearest_column(distances)[:, None]
        return (
            (np.take_along_axis(distances, nearest, axis=1), nearest)
            if return_distance
            else nearest
        )

    reference.kneighbors = kneighbors
    return reference


def knn_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same neighbours by scikit-learn.

    Raises
    ------
    dmlib.comparison.Incomparable
        If rounding decides which of equidistant rows are neighbours, or scikit-learn lacks the
        distance.
    """
    model = run.model
    if isinstance(model, PEBLS):
        helpers = class_frequencies, nearest_column
        return Reference(fit_exemplars, "X", "y", helpers=helpers, weighted=model.weighted)
    metric = run.fitted.metric_
    if metric.name in ("mahalanobis", "cosine"):
        raise Incomparable("rounding decides there which of equally far rows are neighbours.")
    if metric.nominal.any() and np.isinf(metric.p):
        raise Incomparable("scikit-learn has no maximum of differences for nominal columns.")
    return Reference(
        fit_nearest_neighbours,
        "X",
        "y",
        "model.typical_",
        helpers=(coordinates,),
        n_neighbors=model.n_neighbors,
        weights=model.weights,
        p=metric.p,
    )
