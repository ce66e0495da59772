"""Number of clusters of a tree: the heights of its last merges, and silhouettes of cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import squareform
from sklearn.metrics import silhouette_score

from dmlib.clustering.hierarchical.agglomerative_scene import shown_clusters
from dmlib.clustering.hierarchical.dendrogram import cut_tree
from dmlib.clustering.hierarchical.trees import HierarchicalClustering
from dmlib.clustering.k_figures import KCurve, k_curves
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_CLUSTERS = 12


@dataclass(frozen=True)
class TreeSweepData:
    """The cuts of a tree into 1, 2, ... clusters."""

    k: NDArray[np.intp]  # (n_cuts,): the numbers of clusters
    # (n_cuts,): the height of the merge that would leave one cluster less; 0 for one cluster, where
    # there is none
    heights: NDArray[np.float64]
    # (n_cuts,): how much higher that merge is than the one before: how far a cut can move and leave
    # the same clusters
    gaps: NDArray[np.float64]
    # (n_cuts,): the mean silhouette, from -1 to 1; NaN where it is not defined
    silhouettes: NDArray[np.float64]
    # the k with the widest gap, and the k with the largest mean silhouette
    widest: int | None
    highest: int | None
    current: int  # the k on the screen


def tree_sweep_data(model: HierarchicalClustering, X: ArrayLike, current: int) -> TreeSweepData:
    """Measure the cuts of a fitted tree into up to 12 clusters; ``current`` is the k on the screen.

    The silhouettes use the model's own distances of the rows that it is fitted to.

    References
    ----------
    P. J. Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
    cluster analysis.

    Examples
    --------
    >>> from dmlib.clustering import AgglomerativeClustering
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> data = tree_sweep_data(AgglomerativeClustering(linkage="average").fit(X), X, 2)
    >>> data.gaps.tolist(), data.widest, data.highest
    ([0.0, 9.0, 0.0, 1.0], 2, 2)
    """
    D = squareform(model.distances_between(X))
    # Of k = 2, 3, ... and at last 0
    rising = np.concatenate([[0.0], np.maximum.accumulate(model.distances_)])[::-1]
    k = np.arange(1, min(MAX_CLUSTERS, len(D)) + 1)
    heights = np.concatenate([[0.0], rising])[: len(k)]
    gaps = np.concatenate([[0.0], rising[:-1] - rising[1:]])[: len(k)]
    silhouettes = np.array([_silhouette(D, cut_tree(model.linkage_, int(n))) for n in k])
    widest = int(k[gaps.argmax()]) if gaps.max() > 0 else None
    highest = int(k[np.nanargmax(silhouettes)]) if np.isfinite(silhouettes).any() else None
    return TreeSweepData(k, heights, gaps, silhouettes, widest, highest, current)


def _silhouette(D: NDArray[np.float64], labels: NDArray[np.intp]) -> float:
    defined = 1 < labels.max() + 1 < len(D)
    return float(silhouette_score(D, labels, metric="precomputed")) if defined else np.nan


def tree_sweep(run: Run[Problem, HierarchicalClustering]) -> go.Figure:
    """Draw the cuts to choose from."""
    current = shown_clusters(run).n_clusters_
    return plot_tree_sweep(tree_sweep_data(run.fitted, run.problem.X, current))


def plot_tree_sweep(data: TreeSweepData) -> go.Figure:
    """Draw heights above silhouettes, with the current k and the two suggestions marked."""
    curves = (
        KCurve("height of the next merge", data.k[1:], data.heights[1:], data.widest),
        KCurve("mean silhouette", data.k, data.silhouettes, data.highest),
    )
    gap, best = "No gap between merges", "no silhouette is defined"
    if data.widest:
        gap = f"The gap below the next merge is widest at k = {data.widest}"
    if data.highest:
        best = f"the silhouette is highest at k = {data.highest}"
    note = f"Stars: rules of thumb. Dotted: current k = {data.current}."
    return finish(k_curves(curves, data.current), f"{gap}; {best}.", note, 380)
