"""Number of clusters of a tree: the heights of its last merges, and silhouettes of cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots
from scipy.spatial.distance import squareform
from sklearn.metrics import silhouette_score

from dmlib.clustering.hierarchical.algorithm import AgglomerativeClustering
from dmlib.clustering.hierarchical.dendrogram import cut_tree
from dmlib.clustering.hierarchical.scene import shown_clusters
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run

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
    silhouettes: NDArray[
        np.float64
    ]  # (n_cuts,): the mean silhouette, from -1 to 1; NaN where it is not defined
    # the k with the widest gap, and the k with the largest mean silhouette
    widest: int | None
    highest: int | None
    current: int  # the k on the screen


def tree_sweep_data(model: AgglomerativeClustering, X: ArrayLike, current: int) -> TreeSweepData:
    """Measure the cuts of a fitted tree into up to 12 clusters; ``current`` is the k on the screen.

    The silhouettes use the model's own distances of the rows that it is fitted to.

    References
    ----------
    P. J. Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
    cluster analysis.

    Examples
    --------
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> data = tree_sweep_data(AgglomerativeClustering(linkage="average").fit(X), X, 2)
    >>> data.gaps.tolist(), data.widest, data.highest
    ([0.0, 9.0, 0.0, 1.0], 2, 2)
    """
    D = squareform(model.distances_between(X))
    rising = np.concatenate([[0.0], np.maximum.accumulate(model.distances_)])[
        ::-1
    ]  # of k = 2, 3, ... and at last 0
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


def tree_sweep(run: Run) -> go.Figure:
    """Draw the cuts to choose from."""
    current = shown_clusters(run).n_clusters_
    return plot_tree_sweep(tree_sweep_data(run.fitted, run.problem.X, current))


def plot_tree_sweep(data: TreeSweepData) -> go.Figure:
    """Draw heights above silhouettes, with the current k and the two suggestions marked."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    curves = [
        ("height of the next merge", data.heights, data.widest, slice(1, None)),
        ("mean silhouette", data.silhouettes, data.highest, slice(None)),
    ]
    for row, (name, values, chosen, part) in enumerate(curves, start=1):
        emphasis = data.k[part] == chosen
        figure.add_scatter(
            x=data.k[part],
            y=values[part],
            mode="lines+markers",
            marker={
                "size": np.where(emphasis, 14, 7),
                "symbol": np.where(emphasis, "star", "circle"),
            },
            hovertemplate=f"k = %{{x}}<br>{name} %{{y:.5g}}<extra></extra>",
            row=row,
            col=1,
        )
        figure.update_yaxes(
            title_text=name, rangemode="tozero" if row == 1 else "normal", row=row, col=1
        )
    if data.current <= data.k.max():
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(dtick=1, showgrid=False, range=[0.6, max(int(data.k.max()), 2) + 0.4])
    figure.update_xaxes(title_text="clusters, k", row=2, col=1)
    gap = (
        f"The gap below the next merge is widest at k = {data.widest}"
        if data.widest
        else "No gap between merges"
    )
    best = (
        f"the silhouette is highest at k = {data.highest}"
        if data.highest
        else "no silhouette is defined"
    )
    note = f"Stars: rules of thumb. Dotted: current k = {data.current}."
    return finish(figure, f"{gap}; {best}.", note, 380)
