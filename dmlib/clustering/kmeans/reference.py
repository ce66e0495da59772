"""k-means by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeans
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


def kmeans_reference(run: Run[Problem, KMeans]) -> Reference:
    """Return the same run by scikit-learn."""
    model = run.model
    return Reference(
        fit_kmeans,
        "X",
        "model",
        helpers=(starting_centers,),
        n_clusters=model.n_clusters,
        max_iter=model.max_iter,
        tol=model.tol,
    )
