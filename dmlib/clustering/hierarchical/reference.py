"""The same question as agglomerative clustering put to scikit-learn, and the code that puts it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import squareform

from dmlib.clustering.hierarchical.algorithm import AgglomerativeClustering
from dmlib.clustering.hierarchical.scene import shown_height
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def hierarchical_reference(run: Run) -> Any:
    """Return scikit-learn's AgglomerativeClustering, fitted to ``X`` and numbered alike.

    It has no centroid linkage, and may choose another one of equally near pairs.
    """
    model, X = run.model, run.problem.X
    from sklearn.cluster import AgglomerativeClustering as Reference

    if model.linkage == "centroid":
        raise Incomparable("scikit-learn has no centroid linkage.")
    ours = run.fitted
    given, metric = (
        (squareform(ours.distances_between(X)), "precomputed")
        if _only_here(model)
        else (X, model.metric)
    )
    reference = Reference(
        model.n_clusters, linkage=model.linkage, metric=metric, compute_distances=True
    ).fit(given)
    reference.children_ = np.sort(reference.children_, axis=1)
    if not np.array_equal(reference.children_, ours.children_) and any(
        step.n_ties for step in model.steps(X) if step.phase == "merge"
    ):
        raise Incomparable(
            "pairs of clusters were equally near, and scikit-learn merged another one of them"
            " first."
        )
    # For single linkage it writes the two parts of a merge in another order, which only renumbers
    # the clusters.
    _, first = np.unique(reference.labels_, return_index=True)
    reference.labels_ = ours.labels_[first][reference.labels_]
    return reference


def hierarchical_code(run: Run) -> str:
    """Return code that fits the library's equivalent as ``reference`` to ``X``, after ``model``."""
    model = run.model
    height = shown_height(run)
    k, linkage, metric = model.n_clusters, model.linkage, model.metric
    cut = ""
    if not isinstance(height, str):
        cut = f'print("Clusters of a cut at {height:.6g}:", len(set(model.cut({height!r}))))\n'
    if linkage == "centroid":
        return f"""
{cut}# The tree with SciPy; scikit-learn has no centroid linkage
import types

from scipy.cluster import hierarchy

tree = hierarchy.linkage(X, "centroid")
print("Largest difference of the two trees:", abs(tree - model.linkage_).max())
reference = types.SimpleNamespace(distances_=tree[:, 2], n_clusters_={k})
"""
    if _only_here(model):
        return f"""
{cut}# The same with scikit-learn, from the distances
from scipy.spatial.distance import pdist, squareform
from sklearn import cluster

distances = squareform(pdist(X, {metric!r}))
reference = cluster.AgglomerativeClustering({k}, linkage={linkage!r}, metric="precomputed", compute_distances=True)
reference.fit(distances)
"""
    return f"""
{cut}# The same with scikit-learn
from sklearn import cluster

reference = cluster.AgglomerativeClustering({k}, linkage={linkage!r}, metric={metric!r}, compute_distances=True)
reference.fit(X)
"""


def _only_here(model: AgglomerativeClustering) -> bool:
    """Return whether scikit-learn has to be given the distances, because it does not know the metric."""
    return model.metric == "chebyshev" and model.linkage != "single"
