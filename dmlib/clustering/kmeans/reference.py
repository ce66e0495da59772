"""k-means by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.kmeans.kcentroids import KCentroids
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def starting_centers(model: KMeans, X: Floats) -> Floats:
    """Return the centres from which the best restart began, shape (n_clusters, n_features).

    Examples
    --------
    >>> import numpy as np
    >>> starting_centers(KMeans(1, init=[[2.0]]), np.array([[0.0], [1.0]])).tolist()
    [[2.0]]
    """
    steps = list(model.steps(X))
    seeds = [step for step in steps if step.phase == "seed" and step.restart == steps[-1].restart]
    return seeds[-1].centers


def fit_kmeans(X: Floats, model: KMeans, n_clusters: int, max_iter: int, tol: float) -> Any:
    """Fit scikit-learn's KMeans from the same starting centres."""
    from sklearn import cluster

    start = starting_centers(model, X)
    reference = cluster.KMeans(n_clusters, init=start, n_init=1, max_iter=max_iter, tol=tol)
    return reference.fit(X)


def alternate(X: Floats, model: KCentroids, metric: str, max_iter: int) -> Answers:
    """Alternate scikit-learn's nearest centres and its centroids of classes."""
    import numpy as np
    from sklearn.metrics import pairwise_distances, pairwise_distances_argmin
    from sklearn.neighbors import NearestCentroid
    from sklearn.preprocessing import normalize

    from dmlib.comparison import Answers

    centers, labels = starting_centers(model, X), None
    if metric == "correlation":
        X = X - X.mean(axis=1, keepdims=True)
    has_directions = metric != "manhattan"
    X = normalize(X) if has_directions else X
    n_iter = 0
    while n_iter < max_iter:
        n_iter += 1
        before, labels = labels, pairwise_distances_argmin(X, centers, metric=metric)
        if before is not None and np.array_equal(labels, before):
            break
        kind = "euclidean" if has_directions else "manhattan"
        centers = NearestCentroid(metric=kind).fit(X, labels).centroids_
        centers = normalize(centers) if has_directions else centers
    labels = pairwise_distances_argmin(X, centers, metric=metric)
    distances = pairwise_distances(X, centers, metric=metric)
    values = {
        "cluster_centers_": centers,
        "labels_": labels,
        "inertia_": distances.min(axis=1).sum(),
        "n_iter_": n_iter,
    }
    return Answers("sklearn.neighbors.NearestCentroid", values)


def kmeans_reference(run: Run[Problem, KMeans]) -> Reference:
    """Return the same run by scikit-learn.

    Raises
    ------
    Incomparable
        For a stop by the rows that change, and if a cluster of another distance became empty.
    """
    model = run.model
    if model.change_tol:
        raise Incomparable("scikit-learn stops by the centres, not by the rows that change.")
    if isinstance(model, KCentroids):
        if any(step.relocated for step in run.trace.steps):
            raise Incomparable("a cluster became empty, which has no centre there.")
        return Reference(
            alternate,
            "X",
            "model",
            helpers=(starting_centers,),
            metric=model.metric,
            max_iter=model.max_iter,
        )
    return Reference(
        fit_kmeans,
        "X",
        "model",
        helpers=(starting_centers,),
        n_clusters=model.n_clusters,
        max_iter=model.max_iter,
        tol=model.tol,
    )
