"""The same question as k-means put to scikit-learn, and the code that puts it."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.pictures.run import Run


def starting_centers(model: KMeans, X: ArrayLike) -> NDArray[Any]:
    """Return the centres from which the restart began that ``model`` keeps, shape (n_clusters, n_features).

    Examples
    --------
    >>> starting_centers(KMeans(1, init=[[2.0]]), [[0.0], [1.0]]).tolist()
    [[2.0]]
    """
    steps = list(model.steps(X))
    seeds = [step for step in steps if step.phase == "seed" and step.restart == steps[-1].restart]
    centers: NDArray[Any] = seeds[-1].centers
    return centers


def kmeans_reference(run: Run) -> Any:
    """Return scikit-learn's KMeans, fitted to ``X`` from the same starting centres."""
    model, X = run.model, run.problem.X
    from sklearn.cluster import KMeans as Reference

    start = starting_centers(model, X)
    reference = Reference(
        model.n_clusters,
        init=start,
        n_init=1,
        max_iter=model.max_iter,
        tol=model.tol,
        algorithm="lloyd",
    )
    return reference.fit(X)


def kmeans_code(run: Run) -> str:
    """Return code that fits scikit-learn's KMeans as ``reference`` to ``X``, after ``model``."""
    model = run.model
    return f"""
# The same with scikit-learn, from the same starting centres
from sklearn import cluster

steps = list(model.steps(X))
seeds = [step for step in steps if step.phase == "seed" and step.restart == steps[-1].restart]
start = seeds[-1].centers
reference = cluster.KMeans({model.n_clusters}, init=start, n_init=1, max_iter={model.max_iter}, tol={model.tol!r})
reference.fit(X)
"""
