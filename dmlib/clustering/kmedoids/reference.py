"""The total deviation of the medoids of k-medoids, by scikit-learn: no library that is installed searches for them."""

from __future__ import annotations

from typing import Any

from dmlib.comparison import Answers
from dmlib.pictures.run import Run

NOTE = (
    "scikit-learn has no k-medoids: it assigns the rows to our medoids and adds their distances, but does not search "
    "for better ones."
)


def kmedoids_reference(run: Run) -> Any:
    """Return the total deviation of the medoids by scikit-learn's distances."""
    from sklearn.metrics import pairwise_distances_argmin_min

    fitted = run.fitted
    near = pairwise_distances_argmin_min(run.problem.X, fitted.cluster_centers_, metric=fitted.metric)[1]
    return Answers("pairwise_distances_argmin_min", {"inertia_": float(near.sum())}, NOTE)


def kmedoids_code(run: Run) -> str:
    """Return code that makes ``reference`` from the medoids of ``model``."""
    return f"""
# scikit-learn has no k-medoids; this assigns the rows to the medoids and adds their distances
from types import SimpleNamespace

from sklearn.metrics import pairwise_distances_argmin_min

nearest, distances = pairwise_distances_argmin_min(X, model.cluster_centers_, metric={run.model.metric!r})
reference = SimpleNamespace(inertia_=distances.sum())
"""
