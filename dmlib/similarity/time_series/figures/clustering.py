"""Dendrograms of a small set, by dynamic time warping and value by value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.problem import SeriesProblem
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.figures.small_set import SHAPES, distances_of, small_set


@dataclass(frozen=True)
class Clustering:
    """Two clusterings of the small set by average linkage.

    Attributes
    ----------
    merges : tuple of ndarray of shape (n_series - 1, 4)
        SciPy's linkage by warping, and value by value.
    classes : ndarray of shape (n_series,)
        The shapes.
    agreement : tuple of float
        The adjusted Rand index of three clusters and the shapes, of both.
    """

    merges: tuple[NDArray[np.float64], NDArray[np.float64]]
    classes: NDArray[np.intp]
    agreement: tuple[float, float]


def clustering(run: Run[SeriesProblem, DynamicTimeWarping]) -> go.Figure:
    """Draw both dendrograms, as the run measures and transforms."""
    return plot_clustering(clustering_data(run.model))


def clustering_data(model: DynamicTimeWarping) -> Clustering:
    """Cluster the small set by warping in the run's band, and value by value.

    Examples
    --------
    >>> len(clustering_data(DynamicTimeWarping()).merges[0])
    17
    """
    classes = small_set()[1]
    radius = model.radius if model.window == "sakoe-chiba" else None
    warped, straight = _merges(model, radius), _merges(model, 0)
    agreement = _agreement(warped, classes), _agreement(straight, classes)
    return Clustering((warped, straight), classes, agreement)


def _merges(model: DynamicTimeWarping, radius: int | None) -> NDArray[np.float64]:
    distances = squareform(distances_of(model, radius), checks=False)
    return np.asarray(linkage(distances, "average"))


def _agreement(merges: NDArray[np.float64], classes: NDArray[np.intp]) -> float:
    labels = fcluster(merges, len(SHAPES), "maxclust")
    return float(adjusted_rand_score(classes, labels))


def plot_clustering(data: Clustering) -> go.Figure:
    """Draw the dendrograms below each other; symbols and colours below are the shapes."""
    figure = make_subplots(
        rows=2, cols=1, subplot_titles=("by warping", "value by value"), vertical_spacing=0.16
    )
    symbols = ("circle", "square", "triangle-up")
    for row, merges in enumerate(data.merges, start=1):
        tree = dendrogram(merges, no_plot=True)
        for x, y in zip(tree["icoord"], tree["dcoord"], strict=True):
            style = {"mode": "lines", "line": {"color": MUTED}, "hoverinfo": "skip"}
            figure.add_scatter(x=x, y=y, **style, showlegend=False, row=row, col=1)
        leaves = np.array(tree["leaves"])
        places = 5.0 + 10.0 * np.arange(len(leaves))
        for code, shape in enumerate(SHAPES):
            members = data.classes[leaves] == code
            marker = {"size": 10, "symbol": symbols[code], "color": class_color(figure, code)}
            figure.add_scatter(
                x=places[members],
                y=np.zeros(members.sum()),
                mode="markers",
                marker=marker,
                name=shape,
                showlegend=row == 1,
                hovertemplate=f"{shape}<extra></extra>",
                row=row,
                col=1,
            )
        figure.update_xaxes(visible=False, row=row, col=1)
        figure.update_yaxes(title_text="height", row=row, col=1)
    warped, straight = data.agreement
    title = (
        "Three clusters agree with the shapes by an adjusted Rand index of"
        f" {warped:.2f} by warping, {straight:.2f} without."
    )
    note = (
        "Average linkage of 18 made-up series."
        " The symbols are the shapes, which the clustering does not know."
    )
    finish(figure, title, note, 420)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.05})
