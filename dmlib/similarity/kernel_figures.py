"""Objects clustered by the matrix of a kernel: their dendrogram, and kernel k-means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.cluster.hierarchy import dendrogram, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from dmlib.arrays import Floats
from dmlib.clustering import KernelKMeans
from dmlib.pictures.figures.style import MUTED, SYMBOLS, class_color, finish, plain

WITHOUT_CLASSES = 3  # clusters where no classes are known


@dataclass(frozen=True)
class KernelClusters:
    """Objects clustered by their kernel matrix."""

    names: list[str]
    distances: Floats  # (n, n): in feature space
    merges: Floats  # (n - 1, 4): average linkage of these distances, in SciPy's format
    clusters: NDArray[np.intp]  # (n,): by kernel k-means
    classes: list[str]  # of each object; empty where they are not known
    agreement: float  # the adjusted Rand index of clusters and classes; NaN without classes


def kernel_clusters_data(
    K: Floats, names: Sequence[str], classes: Sequence[str] = ()
) -> KernelClusters:
    """Cluster objects by their kernel matrix, into as many clusters as there are classes, or 3.

    Raises
    ------
    ValueError
        If there are fewer than three objects, or fewer distinct ones than clusters.

    Examples
    --------
    >>> K = np.array([[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    >>> data = kernel_clusters_data(K, ["a", "b", "c"], ["x", "x", "y"])
    >>> data.distances.round(3).tolist(), data.agreement
    ([[0.0, 0.0, 1.732], [0.0, 0.0, 1.732], [1.732, 1.732, 0.0]], 1.0)
    """
    if len(K) < 3:
        raise ValueError(f"There are {len(K)} to cluster. Add others, three at least.")
    known = list(classes) if len(set(classes)) > 1 else []
    own = K.diagonal()
    distances = np.sqrt(np.maximum(own[:, None] + own - 2 * K, 0.0))
    np.fill_diagonal(distances, 0.0)
    merges = linkage(squareform(distances, checks=False), "average")
    n_clusters = len(set(known)) or min(WITHOUT_CLASSES, len(K) - 1)
    model = KernelKMeans(n_clusters, kernel="precomputed", random_state=0).fit(K)
    clusters = np.asarray(model.labels_, np.intp)
    agreement = adjusted_rand_score(known, clusters) if known else np.nan
    return KernelClusters(list(names), distances, merges, clusters, known, float(agreement))


def plot_dendrogram(merges: Floats, names: Sequence[str]) -> tuple[go.Figure, NDArray[np.intp]]:
    """Draw a tree of merges, the names on its left; return the figure and the order of the leaves.

    Leaf i of the order stands at the height 5 + 10 i.
    """
    tree = dendrogram(merges, no_plot=True)
    figure = go.Figure()
    for places, heights in zip(tree["icoord"], tree["dcoord"], strict=True):
        figure.add_scatter(
            x=heights, y=places, mode="lines", line={"color": MUTED}, hoverinfo="skip"
        )
    order = np.array(tree["leaves"], np.intp)
    at = 5.0 + 10.0 * np.arange(len(order))
    figure.update_yaxes(tickvals=at, ticktext=[plain(names[leaf]) for leaf in order])
    return figure, order


def plot_kernel_clusters(data: KernelClusters, noun: str, note: str = "") -> go.Figure:
    """Draw the dendrogram, with the clusters of kernel k-means as symbols at its feet."""
    figure, order = plot_dendrogram(data.merges, data.names)
    at = 5.0 + 10.0 * np.arange(len(order))
    for cluster in np.unique(data.clusters).tolist():
        is_member = data.clusters[order] == cluster
        about = [
            " · ".join([plain(data.names[leaf]), *map(plain, data.classes[leaf : leaf + 1])])
            for leaf in order[is_member]
        ]
        figure.add_scatter(
            x=np.zeros(len(about)),
            y=at[is_member],
            mode="markers",
            name=f"cluster {cluster + 1}",
            text=about,
            cliponaxis=False,
            marker={
                "color": class_color(figure, cluster) or MUTED,
                "symbol": SYMBOLS[cluster % len(SYMBOLS)],
                "size": 9,
            },
            hovertemplate="%{text}<extra>%{fullData.name}</extra>",
        )
    figure.update_xaxes(title_text="mean distance in feature space", rangemode="tozero")
    n_clusters = len(np.unique(data.clusters))
    title = (
        f"{len(data.names)} {noun}: average linkage, and {n_clusters} clusters of kernel k-means."
    )
    notes = ["d² = k(a, a) + k(b, b) − 2 k(a, b)."]
    if np.isfinite(data.agreement):
        notes.append(f"Clusters and classes: adjusted Rand index {data.agreement:.3g}.")
    return finish(figure, title, " ".join([*notes, note]).strip(), 90 + 18 * len(data.names))
