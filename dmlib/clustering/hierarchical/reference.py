"""Agglomerative clustering by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.algorithm import AgglomerativeClustering
from dmlib.clustering.hierarchical.scene import shown_height
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_agglomerative(
    X: Floats,
    model: AgglomerativeClustering,
    n_clusters: int,
    linkage: str,
    metric: str,
    cut: float | None = None,
) -> Any:
    """Fit scikit-learn's AgglomerativeClustering."""
    from scipy.spatial.distance import pdist, squareform
    from sklearn import cluster

    if metric == "chebyshev" and linkage != "single":  # not known there
        X, metric = squareform(pdist(X, metric)), "precomputed"
    reference = cluster.AgglomerativeClustering(
        n_clusters, linkage=linkage, metric=metric, compute_distances=True
    )
    reference.fit(X)
    reference.children_ = np.sort(reference.children_, axis=1)
    # For single linkage it writes the two parts of a merge in another order, which only renumbers
    # the clusters.
    first_rows = np.unique(reference.labels_, return_index=True)[1]
    reference.labels_ = model.labels_[first_rows][reference.labels_]
    if cut is not None:
        reference.n_clusters_at_cut_ = 1 + (reference.distances_ > cut).sum()
    return reference


def hierarchical_reference(run: Run[Problem, AgglomerativeClustering]) -> Reference:
    """Return the same tree by scikit-learn.

    Raises
    ------
    Incomparable
        For centroid linkage, and where it merged another one of equally near pairs.
    """
    model = run.model
    if model.linkage == "centroid":
        raise Incomparable("scikit-learn has no centroid linkage.")
    height = shown_height(run)
    cut: dict[str, Any] = {} if isinstance(height, str) else {"cut": height}
    reference = Reference(
        fit_agglomerative,
        "X",
        "model",
        n_clusters=model.n_clusters,
        linkage=model.linkage,
        metric=model.metric,
        **cut,
    )
    has_ties = any(step.n_ties for step in model.steps(run.problem.X) if step.phase == "merge")
    if has_ties and not np.array_equal(reference.answer(run).children_, run.fitted.children_):
        raise Incomparable(
            "pairs of clusters were equally near, "
            "and scikit-learn merged another one of them first."
        )
    return reference
