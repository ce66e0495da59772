"""Cuts of several partitions of one graph: by each Laplacian, k-means, and a single row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.spectral.algorithm import SpectralClustering
from dmlib.clustering.spectral.graph_partitioning import SpectralGraphClustering
from dmlib.clustering.spectral.similarity_graph import GraphCuts, graph_cuts
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem, Problem

LAPLACIANS = {
    "random_walk": "random walk",
    "symmetric": "symmetric",
    "unnormalised": "unnormalised",
}


@dataclass(frozen=True)
class CutsComparedData:
    """The cuts of several partitions."""

    names: tuple[str, ...]  # what each partition is called
    cuts: tuple[GraphCuts, ...]  # what each cuts
    current: int  # the one on the screen


def cuts_compared_data(
    model: SpectralClustering, X: Any, y: Sequence[int] | NDArray[np.intp] | None = None
) -> CutsComparedData:
    """Measure other partitions on the graph of a model that is fitted to ``X``.

    They are those of the three Laplacians, of k-means among the rows themselves (nodes of a graph
    have none), of the known classes ``y``, and the one that parts the row of the smallest degree
    from all others.

    Examples
    --------
    >>> X = [[0.0], [1.0], [5.0], [6.0]]
    >>> data = cuts_compared_data(SpectralClustering(2, random_state=0).fit(X), X)
    >>> data.names[-1], data.cuts[0].normalized_cut < data.cuts[-1].normalized_cut
    ('one row alone', True)
    """
    W = model.affinity_matrix_
    partitions: dict[str, ArrayLike] = {}
    for laplacian, name in LAPLACIANS.items():
        same = laplacian == model.laplacian
        partitions[name] = (
            model.labels_ if same else clone(model).set_params(laplacian=laplacian).fit(X).labels_
        )
    if not isinstance(model, SpectralGraphClustering):
        kmeans = KMeans(model.n_clusters, n_init=model.n_init, random_state=model.random_state)
        partitions["k-means"] = kmeans.fit(X).labels_
    if y is not None and np.min(y) >= 0:
        partitions["known classes"] = y
    own = graph_cuts(W, np.arange(W.shape[0]))
    partitions["one row alone"] = np.arange(W.shape[0]) == own.volumes.argmin()
    cuts = tuple(graph_cuts(W, labels) for labels in partitions.values())
    return CutsComparedData(tuple(partitions), cuts, list(LAPLACIANS).index(model.laplacian))


def cuts_compared(run: Run[Problem | GraphProblem, SpectralClustering]) -> go.Figure:
    """Draw other cuts of the same graph."""
    return plot_cuts_compared(cuts_compared_data(run.fitted, run.problem.data, run.problem.y))


def plot_cuts_compared(data: CutsComparedData) -> go.Figure:
    """Draw the three measures as bars, with the partition on the screen in colour."""
    measures = {
        "cut": [cuts.cut for cuts in data.cuts],
        "ratio cut": [cuts.ratio_cut for cuts in data.cuts],
        "normalised cut": [cuts.normalized_cut for cuts in data.cuts],
    }
    figure = make_subplots(rows=3, cols=1, shared_yaxes=True, vertical_spacing=0.13)
    color = [ACCENT if i == data.current else MUTED for i in range(len(data.names))]
    names = [
        f"{name} ({len(cuts.sizes)})" for name, cuts in zip(data.names, data.cuts, strict=True)
    ]
    for row, (measure, values) in enumerate(measures.items(), start=1):
        hover = f"%{{y}}<br>{measure} %{{x:.5g}}<extra></extra>"
        figure.add_bar(
            x=values,
            y=names,
            orientation="h",
            marker={"color": color},
            hovertemplate=hover,
            row=row,
            col=1,
        )
        figure.update_xaxes(title_text=measure, rangemode="tozero", row=row, col=1)
        figure.update_yaxes(autorange="reversed", row=row, col=1)
    best = [int(np.argmin(values)) for values in measures.values()]
    title = (
        f"Smallest cut: {data.names[best[0]]}; ratio cut: "
        f"{data.names[best[1]]}; normalised cut: {data.names[best[2]]}."
    )
    note = (
        "In brackets the number of parts. "
        "Partitions with fewer parts cut less. In colour: the one on the stage."
    )
    finish(figure, title, note, 560)
    return figure.update_layout(margin={"l": 130})
