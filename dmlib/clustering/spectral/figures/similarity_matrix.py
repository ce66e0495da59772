"""The similarity matrix in the order of the clusters, which are squares on its diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from dmlib.clustering.spectral.algorithm import SpectralClustering
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import GraphProblem, Problem

MAX_PIXELS = 150  # along a side: 22 kB


@dataclass(frozen=True)
class SimilarityMatrixData:
    """A matrix of similarities in the order of clusters."""

    weights: NDArray[
        np.float64
    ]  # (n_shown, n_shown): the weights of the edges; the diagonal is no edge
    ends: tuple[int, ...]  # after how many of the rows shown each cluster ends
    inside: float  # the share of all weight that is on edges inside clusters
    n_rows: int  # the number of rows before some were left out


def similarity_matrix_data(
    weights: Any, labels: ArrayLike, *, max_pixels: int = MAX_PIXELS
) -> SimilarityMatrixData:
    """Order a matrix of similarities, dense or sparse, by clusters.

    Of more than ``most`` rows only so many, evenly spaced in the order, are kept.

    Examples
    --------
    >>> data = similarity_matrix_data(np.array([[0, 1, 4], [1, 0, 1], [4, 1, 0]]), [0, 1, 0])
    >>> data.weights.tolist(), data.ends, round(data.inside, 3)
    ([[0.0, 4.0, 1.0], [4.0, 0.0, 1.0], [1.0, 1.0, 0.0]], (2, 3), 0.667)
    """
    W = np.array(weights.toarray() if sparse.issparse(weights) else weights, float)
    np.fill_diagonal(W, 0)
    codes = np.asarray(labels)
    same = codes[:, None] == codes
    order = np.argsort(codes, kind="stable")
    order = order[evenly(len(order), max_pixels)]
    ends = np.cumsum(np.bincount(codes[order])).tolist()
    return SimilarityMatrixData(
        W[np.ix_(order, order)], tuple(ends), float(W[same].sum() / W.sum()), len(codes)
    )


def similarity_matrix(run: Run[Problem | GraphProblem, SpectralClustering]) -> go.Figure:
    """Draw the similarities, in the order of the clusters."""
    return plot_similarity_matrix(
        similarity_matrix_data(run.fitted.affinity_matrix_, run.fitted.labels_)
    )


def plot_similarity_matrix(data: SimilarityMatrixData) -> go.Figure:
    """Draw the matrix as an image, with lines between clusters."""
    top = data.weights.max(initial=0.0) or 1.0
    shades = np.round(255 * data.weights / top).astype(np.uint8)
    figure = go.Figure(
        go.Heatmap(
            z=shades, zmin=0, zmax=255, colorscale="Blues", showscale=False, hoverinfo="skip"
        )
    )
    for end in data.ends[:-1]:
        line = {"width": 1.5, "color": "#d55e00"}
        figure.add_hline(y=end - 0.5, line=line)
        figure.add_vline(x=end - 0.5, line=line)
    figure.update_xaxes(
        title_text="rows, cluster by cluster",
        showgrid=False,
        showticklabels=False,
        constrain="domain",
    )
    figure.update_yaxes(showgrid=False, showticklabels=False, autorange="reversed", scaleanchor="x")
    title = f"{percent(data.inside)} of all weight is inside clusters."
    note = (
        "Dark: heavy edges. Lines: where one cluster ends. "
        "What lies outside the squares on the diagonal is cut."
    )
    if len(data.weights) < data.n_rows:
        note += f" {len(data.weights)} of the {data.n_rows} rows."
    return finish(figure, title, note, 460)
