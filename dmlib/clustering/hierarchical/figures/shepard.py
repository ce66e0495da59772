"""Shepard diagram: the distance of each pair of rows against the height that joins them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import cophenet
from sklearn.utils import check_random_state

from dmlib.clustering.hierarchical.trees import HierarchicalClustering
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_PAIRS = 3000


@dataclass(frozen=True)
class ShepardData:
    """Distances of pairs of rows, and the heights at which the tree joins them."""

    # (n_pairs,): one pair each
    distances: NDArray[np.float64]
    heights: NDArray[np.float64]
    correlation: (
        float  # the cophenetic correlation of all pairs; NaN where one of the two does not vary
    )
    n_pairs: int  # the number of pairs before sampling


def shepard_data(
    model: HierarchicalClustering, X: ArrayLike, *, max_pairs: int = MAX_PAIRS
) -> ShepardData:
    """Compare the distances of the rows with the tree of a model that is fitted to them.

    Of more than ``max_pairs`` pairs a random sample is shown; the correlation is always that of
    all.

    References
    ----------
    R. R. Sokal and F. J. Rohlf (1962), The comparison of dendrograms by objective methods.

    Examples
    --------
    >>> from dmlib.clustering import AgglomerativeClustering
    >>> X = [[0.0], [1.0], [5.0]]
    >>> data = shepard_data(AgglomerativeClustering(linkage="single").fit(X), X)
    >>> data.distances.tolist(), data.heights.tolist()
    ([1.0, 5.0, 4.0], [1.0, 4.0, 4.0])
    """
    distances = model.distances_between(X)
    heights: NDArray[np.float64] = cophenet(model.linkage_)
    chosen = np.arange(len(distances))
    if len(chosen) > max_pairs:
        chosen = np.sort(check_random_state(0).choice(len(chosen), max_pairs, replace=False))
    return ShepardData(
        distances[chosen], heights[chosen], model.cophenetic_correlation(X), len(distances)
    )


def shepard(run: Run[Problem, HierarchicalClustering]) -> go.Figure:
    """Draw how well a tree keeps the distances."""
    return plot_shepard(shepard_data(run.fitted, run.problem.X))


def plot_shepard(data: ShepardData) -> go.Figure:
    """Draw one point per pair, and the line on which the tree keeps the distance."""
    top = float(min(data.distances.max(), data.heights.max()))
    figure = go.Figure()
    figure.add_scattergl(
        x=data.distances.astype(np.float32),
        y=data.heights.astype(np.float32),
        mode="markers",
        marker={"size": 4, "opacity": 0.45, "color": ACCENT},
        hovertemplate="distance %{x:.4g}<br>joined at %{y:.4g}<extra></extra>",
    )
    figure.add_scattergl(
        x=[0, top],
        y=[0, top],
        mode="lines",
        line={"dash": "dash", "width": 2, "color": MUTED},
        hoverinfo="skip",
    )
    figure.update_xaxes(title_text="distance of two rows", rangemode="tozero")
    figure.update_yaxes(title_text="height at which they are joined", rangemode="tozero")
    title = "No correlation: nothing varies."
    if np.isfinite(data.correlation):
        title = f"The cophenetic correlation is {data.correlation:.3f}."
    note = "Dashed: the tree keeps the distance."
    if data.n_pairs > len(data.distances):
        note += f" A random sample of {len(data.distances)} of the {data.n_pairs} pairs."
    return finish(figure, title, note, 380)
