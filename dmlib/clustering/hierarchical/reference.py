"""Agglomerative clustering by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.agglomerative_scene import shown_height
from dmlib.clustering.hierarchical.algorithm import AgglomerativeClustering
from dmlib.clustering.hierarchical.divisive import DivisiveClustering
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_ROWS = 300  # that are split by the definition


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


def split_by_definition(
    X: Floats, model: DivisiveClustering, n_clusters: int, metric: str
) -> Answers:
    """Split rows as DIANA is defined, with each mean anew from SciPy's distances."""
    from scipy.cluster.hierarchy import fcluster
    from scipy.spatial.distance import cdist

    from dmlib.comparison import Answers

    D: Any = cdist(X, X, {"manhattan": "cityblock"}.get(metric, metric))
    clusters: list[list[int]] = [list(range(len(X)))]
    splits: list[Any] = []
    while len(splits) < len(X) - 1:
        old = max(clusters, key=lambda rows: (len(rows) > 1, D[rows][:, rows].max()))
        height = D[old][:, old].max()
        rows = list(old)
        splinter: list[int] = []
        while len(rows) > 1:
            gains = D[rows][:, rows].sum(axis=1) / (len(rows) - 1)
            if splinter:
                gains -= D[rows][:, splinter].mean(axis=1)
            if splinter and gains.max() <= 1e-12 * height:
                break
            first = int(np.argmax(gains >= gains.max() - 1e-12 * height))
            splinter.append(rows.pop(first))
        clusters.remove(old)
        clusters += [rows, sorted(splinter)]
        splits.append((rows, splinter, height))
    top, tree = list(range(len(X))), []
    for rows, splinter, height in reversed(splits):
        tree.append([*sorted((top[rows[0]], top[splinter[0]])), height, len(rows + splinter)])
        for row in rows + splinter:
            top[row] = len(X) + len(tree) - 1
    linkage = np.array(tree)
    labels = fcluster(linkage, n_clusters, "maxclust")
    first_rows, codes = np.unique(labels, return_index=True, return_inverse=True)[1:]
    values = {
        "children_": linkage[:, :2],
        "distances_": linkage[:, 2],
        "labels_": model.labels_[first_rows][codes],
    }
    note = "No library of Python has DIANA; these are its definition and SciPy's distances and cut."
    return Answers("scipy.spatial.distance.cdist", values, note)


def hierarchical_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same tree by scikit-learn.

    Raises
    ------
    Incomparable
        For centroid linkage, where it merged another one of equally near pairs, and for divisive
        clustering of many rows.
    """
    model = run.model
    if isinstance(model, DivisiveClustering):
        if len(run.problem.X) > MAX_ROWS:
            raise Incomparable(f"to split more than {MAX_ROWS} rows by the definition is slow.")
        return Reference(
            split_by_definition, "X", "model", n_clusters=model.n_clusters, metric=model.metric
        )
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
