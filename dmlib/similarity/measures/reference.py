"""The distances of two rows, and of the first to all rows, by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.arrays import Floats
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.similarity.measures.algorithm import BITS, PairMeasure, Space
from dmlib.similarity.measures.bags import BagSpace
from dmlib.similarity.measures.mixed import ASYMMETRIC, MixedDistances, MixedSpace

SCIPY_NAMES = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "minkowski": "minkowski",
    "mahalanobis": "mahalanobis",
    "canberra": "canberra",
    "cosine": "cosine",
    "squared_cosine": "cosine",
    "pearson": "correlation",
    "smc": "hamming",
    "jaccard": "jaccard",
    "dice": "dice",
}


def answers(distances: Floats) -> Answers:
    """Return the distance of both points, and those of the first to all rows."""
    from dmlib.comparison import Answers

    values = {"distance_": float(distances[0]), "to_rows_": distances[1:]}
    return Answers("scipy.spatial.distance.cdist", values)


def distances_of_points(
    X: Floats, model: PairMeasure, metric: str, is_squared: bool = False, **options: Any
) -> Answers:
    """Compute distances of rows with SciPy, or 1 minus the squared similarity."""
    from scipy.spatial.distance import cdist

    a, b = model.points(X)
    if metric == "mahalanobis":
        options["VI"] = np.linalg.inv(np.atleast_2d(np.cov(X.T)))
    distances = cdist(a[None], np.vstack([b, X]), metric, **options)[0]
    return answers(1 - (1 - distances) ** 2 if is_squared else distances)


def distances_of_bits(X: Floats, model: PairMeasure, metric: str, above_mean: bool) -> Answers:
    """Compute distances of rows of bits with SciPy."""
    from scipy.spatial.distance import cdist

    a, b = model.points(X)
    threshold = X.mean(axis=0) if above_mean else 0
    return answers(cdist(a[None] > threshold, np.vstack([b, X]) > threshold, metric)[0])


def terms_of_mixed_rows(X: pd.DataFrame, model: MixedDistances) -> tuple[Floats, Floats]:
    """Compute the distances in each column with SciPy, of names and of numbers."""
    from scipy.spatial.distance import cdist

    space = model.space(X)
    a, b = model.points(space.X)
    rows = np.vstack([b, space.X])
    columns = []
    for j, is_name in enumerate(space.names):
        gaps = cdist(a[None, j : j + 1], rows[:, j : j + 1])[0]
        columns.append(np.where(gaps > 0, 1.0, gaps) if is_name else gaps / space.ranges[j])
    terms = np.array(columns)
    return terms[space.names], terms[~space.names]


def distances_of_mixed_rows(X: pd.DataFrame, model: MixedDistances) -> Answers:
    """Return the means over the columns, or the roots of the sums of squares."""
    columns = np.vstack(terms_of_mixed_rows(X, model))
    if model.distance == "heom":
        return answers(np.linalg.norm(np.where(np.isnan(columns), 1.0, columns), axis=0))
    n_counted = (~np.isnan(columns)).sum(axis=0)
    means = np.nansum(columns, axis=0) / np.maximum(n_counted, 1)
    return answers(np.where(n_counted > 0, means, 1.0))


def weighted_distances_of_mixed_rows(X: pd.DataFrame, model: MixedDistances) -> Answers:
    """Return the means of both distances, weighted by their columns, row by row."""
    from scipy.spatial.distance import jaccard, minkowski

    distances = []
    for name_terms, number_terms in zip(
        *(part.T for part in terms_of_mixed_rows(X, model)), strict=True
    ):
        names = name_terms[~np.isnan(name_terms)]
        numbers = number_terms[~np.isnan(number_terms)]
        n, m = len(names), len(numbers)
        # Two sets of pairs (column, name): each column has one pair in both, or one in each.
        in_first = np.concatenate([np.ones(n, bool), np.zeros(n, bool)])
        in_second = np.concatenate([names == 0, names > 0])
        of_names = of_numbers = 0.0
        if n:
            of_names = jaccard(in_first, in_second) if model.of_names == "jaccard" else names.mean()
        if m:
            power = {"manhattan": 1, "euclidean": 2, "chebyshev": np.inf}[model.of_numbers]
            of_numbers = minkowski(numbers, np.zeros(m), power) / m ** (1 / power)
        distances.append((n * of_names + m * of_numbers) / (n + m) if n + m else 1.0)
    return answers(np.array(distances))


def similarity_reference(run: Run[Any, PairMeasure]) -> Reference:
    """Return SciPy's distances, where it has the measure and an answer for these rows."""
    model, data, helpers = run.model, ("X", "model"), (answers,)
    space = model.space(run.problem.data)
    if isinstance(space, MixedSpace):
        if ASYMMETRIC in space.scales:
            raise Incomparable("SciPy leaves out no column that both have not.")
        ask = distances_of_mixed_rows
        if space.metric == "weighted":
            ask = weighted_distances_of_mixed_rows
        return Reference(ask, *data, helpers=(answers, terms_of_mixed_rows))
    reason = _reason(space, np.vstack([*model.points(space.X), space.X]))
    if reason:
        raise Incomparable(reason)
    metric = SCIPY_NAMES[space.metric]
    if space.metric in BITS:
        is_table = not isinstance(space, BagSpace)
        options: dict[str, Any] = {"metric": metric, "above_mean": is_table}
        return Reference(distances_of_bits, *data, helpers=helpers, **options)
    options = {"metric": metric, "p": space.p} if metric == "minkowski" else {"metric": metric}
    if space.metric == "squared_cosine":
        options["is_squared"] = True
    return Reference(distances_of_points, *data, helpers=helpers, **options)


def _reason(space: Space, rows: Floats) -> str:
    """Return why SciPy has no distances of these rows; nothing where it has."""
    metric = space.metric
    if metric not in SCIPY_NAMES:
        return "SciPy has no such measure."
    if metric == "mahalanobis" and _is_singular(space.X):
        return "the covariance of these columns has no inverse."
    if metric in ("cosine", "squared_cosine") and not rows.any(axis=1).all():
        return "a row is all zeros and has no angle."
    if metric == "pearson" and (np.ptp(rows, axis=1) == 0).any():
        return "a row with equal values has no correlation."
    if metric in ("jaccard", "dice") and not space.transformed(rows).any(axis=1).all():
        return "SciPy has no answer for two rows without ones."
    return ""


def _is_singular(X: Floats) -> bool:
    if len(X) < 2:
        return True
    return bool(np.linalg.matrix_rank(np.atleast_2d(np.cov(X.T))) < X.shape[1])
