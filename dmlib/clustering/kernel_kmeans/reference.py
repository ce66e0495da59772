"""Kernel k-means by scikit-learn's k-means; fuzzy c-means by SciPy's minimiser."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.kernel_kmeans.algorithm import KernelKMeans
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_ROWS = 1_500


def fit_in_feature_space(X: Floats, model: KernelKMeans, n_clusters: int, max_iter: int) -> Any:
    """Fit scikit-learn's KMeans to points whose inner products are the kernel matrix."""
    from sklearn import cluster

    space = model.feature_space(np.asarray(X, float))
    values, vectors = np.linalg.eigh(space.K)
    E = vectors * np.sqrt(np.maximum(values, 0))  # E @ E.T = K
    steps = list(model.steps(X))
    seeds = [step for step in steps if step.phase == "seed" and step.restart == steps[-1].restart]
    start = seeds[-1].centers.T @ E
    reference = cluster.KMeans(n_clusters, init=start, n_init=1, max_iter=max_iter, tol=0)
    return reference.fit(E, sample_weight=space.weights)


def minimise_objective(X: Floats, centers: Floats, m: float) -> Answers:
    """Go downhill from our centres by SciPy, on the objective with the best memberships put in."""
    from scipy.optimize import minimize
    from scipy.spatial.distance import cdist

    from dmlib.comparison import Answers

    def objective(numbers: Floats) -> float:
        squares = cdist(X, numbers.reshape(centers.shape), "sqeuclidean")
        squares = np.maximum(squares, 1e-300)
        nearest = squares.min(axis=1)
        sums = ((nearest[:, None] / squares) ** (1 / (m - 1))).sum(axis=1)
        return float((nearest * sums ** (1 - m)).sum())

    result = minimize(objective, centers.ravel(), method="L-BFGS-B", options={"maxiter": 20})
    labels = cdist(X, result.x.reshape(centers.shape)).argmin(axis=1)
    note = "Where the minimiser finds nothing lower, our centres are a local minimum."
    return Answers("scipy.optimize.minimize", {"inertia_": result.fun, "labels_": labels}, note)


def kernel_kmeans_reference(run: Run[Problem, KernelKMeans | FuzzyCMeans]) -> Reference:
    """Return scikit-learn's KMeans in feature space, or the minimum that SciPy finds.

    Raises
    ------
    Incomparable
        If there are too many rows, a cluster became empty, or the objective has no slope.
    """
    model = run.model
    if isinstance(model, FuzzyCMeans):
        if model.m < 1.1:
            raise Incomparable(
                "with m near 1 the objective is nearly that "
                "of k-means, which has no slope to follow."
            )
        return Reference(minimise_objective, "X", "model.cluster_centers_", m=model.m)
    if len(run.problem.X) > MAX_ROWS:
        raise Incomparable(f"the eigenvectors of more than {MAX_ROWS:,} rows take too long.")
    steps = list(model.steps(run.problem.X))
    if any(step.relocated for step in steps if step.restart == steps[-1].restart):
        raise Incomparable("a cluster became empty, which scikit-learn fills in another way.")
    return Reference(
        fit_in_feature_space, "X", "model", n_clusters=model.n_clusters, max_iter=model.max_iter
    )
