"""Kernel k-means put to scikit-learn's k-means on points with this kernel; fuzzy c-means to SciPy's minimiser."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.kernel_kmeans.feature_space import FeatureSpace
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

MAX_ROWS = 1_500
NOTE = (
    "From our centres the minimiser walks downhill; where it finds nothing lower, they are a local"
    " minimum."
)


def kernel_kmeans_reference(run: Run) -> Any:
    """Return scikit-learn's KMeans in coordinates of the feature space, or the objective that SciPy's minimiser finds.

    Any matrix E with E Eᵀ = K has its rows where the kernel puts them.
    """
    if isinstance(run.model, FuzzyCMeans):
        return _minimised(run)
    from sklearn.cluster import KMeans

    model, space = run.model, run.model.feature_space(run.problem.X)
    if len(space.K) > MAX_ROWS:
        raise Incomparable(f"the eigenvectors of more than {MAX_ROWS:,} rows take too long.")
    E = coordinates(space)
    steps = list(model.steps(run.problem.X))
    seeds = [step for step in steps if step.phase == "seed" and step.restart == steps[-1].restart]
    if any(step.relocated for step in steps if step.restart == steps[-1].restart):
        raise Incomparable("a cluster became empty, which scikit-learn fills in another way.")
    start = seeds[-1].centers.T @ E
    reference = KMeans(
        model.n_clusters, init=start, n_init=1, max_iter=model.max_iter, tol=0, algorithm="lloyd"
    )
    return reference.fit(E, sample_weight=space.weights)


def coordinates(space: FeatureSpace) -> Floats:
    """Return coordinates of the rows in feature space, as many as there are rows: the products of them are K.

    Examples
    --------
    >>> E = coordinates(FeatureSpace(np.array([[2.0, 1.0], [1.0, 2.0]]), np.ones(2)))
    >>> (E @ E.T).round(9).tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """
    values, vectors = np.linalg.eigh(space.K)
    scaled: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    return scaled


def _minimised(run: Run) -> Answers:
    from scipy.optimize import minimize

    X, ours = run.problem.X, run.fitted
    if ours.m < 1.1:
        raise Incomparable(
            "with m near 1 the objective is nearly that of k-means, which has no slope to follow."
        )

    def objective(flat: Floats) -> float:
        return -float(type(ours).score(_at(ours, flat), X))

    found = minimize(
        objective, ours.cluster_centers_.ravel(), method="L-BFGS-B", options={"maxiter": 20}
    )
    values = {"inertia_": float(found.fun), "labels_": _at(ours, found.x).predict(X)}
    return Answers("scipy.optimize.minimize", values, NOTE)


def _at(model: Any, flat: Floats) -> Any:
    from copy import copy

    moved = copy(model)
    moved.cluster_centers_ = flat.reshape(model.cluster_centers_.shape)
    return moved


def kernel_kmeans_code(run: Run) -> str:
    """Return code that asks the library the same as ``reference`` for ``X``, after ``model``."""
    if isinstance(run.model, FuzzyCMeans):
        return f"""
# SciPy's minimiser, from our centres, on the objective with the best memberships put in (Bezdek,
# 1981)
from types import SimpleNamespace

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist


def objective(flat, m={run.model.m!r}):
    squares = np.maximum(cdist(X, flat.reshape(model.cluster_centers_.shape), "sqeuclidean"), 1e-300)
    least = squares.min(axis=1, keepdims=True)
    return (least[:, 0] * ((least / squares) ** (1 / (m - 1))).sum(axis=1) ** (1 - m)).sum()


found = minimize(objective, model.cluster_centers_.ravel(), method="L-BFGS-B", options={{"maxiter": 20}})
reference = SimpleNamespace(inertia_=found.fun)
"""
    return """
# scikit-learn has no kernel k-means; this is its k-means on points whose products are the kernel
# matrix
import numpy as np
from sklearn import cluster

space = model.feature_space(np.asarray(X, float))
values, vectors = np.linalg.eigh(space.K)
E = vectors * np.sqrt(np.maximum(values, 0))
steps = list(model.steps(X))
seeds = [step for step in steps if step.phase == "seed" and step.restart == steps[-1].restart]
start = seeds[-1].centers.T @ E
reference = cluster.KMeans(model.n_clusters, init=start, n_init=1, max_iter=model.max_iter, tol=0)
reference.fit(E, sample_weight=space.weights)
"""
