"""The scores of detectors by scikit-learn, SciPy and pandas."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.anomaly_detection.fences import BoxPlotFences
from dmlib.anomaly_detection.isolation_forest import IsolationForest
from dmlib.anomaly_detection.local_outlier_factor import LocalOutlierFactor
from dmlib.anomaly_detection.mahalanobis import MahalanobisDistance
from dmlib.arrays import Floats
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def box_plot_scores(X: Floats) -> Any:
    """Take the quartiles of pandas, and measure in interquartile ranges."""
    import pandas as pd

    from dmlib.comparison import Answers

    frame = pd.DataFrame(X)
    low, high = frame.quantile(0.25), frame.quantile(0.75)
    length = (high - low).where(high > low)
    outside = (
        ((low - frame) / length)
        .clip(lower=0)
        .combine(((frame - high) / length).clip(lower=0), np.maximum)
    )
    return Answers("pandas.DataFrame.quantile", {"scores_": outside.fillna(0).max(axis=1)})


def mahalanobis_scores(X: Floats) -> Any:
    """Measure distances from the mean with SciPy."""
    from scipy.spatial.distance import cdist

    from dmlib.comparison import Answers

    inverse = np.linalg.inv(np.atleast_2d(np.cov(X, rowvar=False)))
    distances = cdist(X, X.mean(axis=0)[None], "mahalanobis", VI=inverse).ravel()
    return Answers("scipy.spatial.distance.cdist", {"scores_": distances})


def neighbor_distances(X: Floats, n_neighbors: int) -> Any:
    """Ask SciPy's k-d tree for the k-th nearest other row."""
    from scipy.spatial import cKDTree

    from dmlib.comparison import Answers

    distances = cKDTree(X).query(X, [n_neighbors + 1])[0][:, 0]  # a row itself is the first
    return Answers("scipy.spatial.cKDTree", {"scores_": distances})


def fit_local_outlier_factor(X: Floats, n_neighbors: int) -> Any:
    """Fit scikit-learn's LocalOutlierFactor."""
    from sklearn.neighbors import LocalOutlierFactor

    reference = LocalOutlierFactor(n_neighbors=n_neighbors).fit(X)
    reference.scores_ = -reference.negative_outlier_factor_
    return reference


def cut_rows(X: Floats, tree: Any, node: int, depth: int) -> list[tuple[int, int]]:
    """Follow all rows down a tree; return the depth and the size of the leaf of each."""
    if tree.features[node] < 0:
        return [(depth, tree.sizes[node])] * len(X)
    right = X[:, tree.features[node]] > tree.thresholds[node]
    paths = np.empty((len(X), 2), int)
    for side in (0, 1):
        if (right == side).any():
            paths[right == side] = cut_rows(X[right == side], tree, 2 * node + 1 + side, depth + 1)
    return [(depth, size) for depth, size in paths.tolist()]


def forest_scores(X: Floats, trees: Any, n_drawn: int) -> Any:
    """Take our trees, since random cuts differ, and scikit-learn's path lengths of their leaves."""
    from sklearn.ensemble._iforest import _average_path_length

    from dmlib.comparison import Answers

    paths = np.array([cut_rows(X, tree, 0, 0) for tree in trees])
    spared = [_average_path_length(sizes) for sizes in paths[:, :, 1]]
    average = _average_path_length([n_drawn])[0]
    scores = 2 ** -((paths[:, :, 0] + spared).mean(axis=0) / average)
    note = "The random trees are ours: scikit-learn's generator draws others."
    return Answers("sklearn.ensemble.IsolationForest", {"scores_": scores}, note)


def detector_reference(run: Run[Problem, Any]) -> Reference:
    """Return the scores of the same rows by a library.

    Raises
    ------
    Incomparable
        If the library takes no such rows.
    """
    model, X = run.model, run.problem.X
    if isinstance(model, IsolationForest):
        drawn = min(model.max_samples, len(X))
        return Reference(forest_scores, "X", "model.trees_", helpers=(cut_rows,), n_drawn=drawn)
    if isinstance(model, BoxPlotFences):
        return Reference(box_plot_scores, "X")
    if isinstance(model, MahalanobisDistance):
        spread = X.std(axis=0)
        scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        if np.linalg.matrix_rank(scaled) < X.shape[1]:
            raise Incomparable(
                "The covariance matrix has no inverse, which SciPy needs; here it is the "
                "pseudoinverse."
            )
        return Reference(mahalanobis_scores, "X")
    k = min(model.n_neighbors, len(X) - 1)
    if not k:
        raise Incomparable("A single row has no neighbours.")
    if isinstance(model, LocalOutlierFactor):
        return Reference(fit_local_outlier_factor, "X", n_neighbors=k)
    return Reference(neighbor_distances, "X", n_neighbors=k)
