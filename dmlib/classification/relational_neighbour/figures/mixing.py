"""The mixing matrix: the edges within and between classes, against chance."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.classification.relational_neighbour.algorithm import WeightedVoteRelationalNeighbor
from dmlib.classification.relational_neighbour.homophily import Homophily, homophily
from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import GraphProblem

MAX_CELLS = 400  # with their count written in


def mixing(run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> go.Figure:
    """Draw the mixing matrix of a run's graph."""
    data = homophily(run.problem)
    if data is None:
        raise ValueError("No edge joins two nodes whose class is known. Choose another graph.")
    return plot_mixing(data, run.problem.classes)


def plot_mixing(data: Homophily, classes: tuple[str, ...]) -> go.Figure:
    """Draw the counts as a heat map; the tooltip has the expected counts."""
    names = [plain(name) for name in classes]
    ticks = {
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "showgrid": False,
        "zeroline": False,
    }
    texts = [
        [f"{n} ({chance:.1f})" for n, chance in zip(*rows, strict=True)]
        for rows in zip(data.mixing, data.expected, strict=True)
    ]
    figure = go.Figure(
        go.Heatmap(
            z=data.mixing.astype(float),
            customdata=data.expected,
            text=texts,
            texttemplate="%{text}" if data.mixing.size <= MAX_CELLS else None,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{z} edges; at random %{customdata:.1f}<extra></extra>",
        )
    )
    figure.update_xaxes(**ticks)
    figure.update_yaxes(autorange="reversed", **ticks)
    title = f"Edge homophily {data.same} of {data.n_edges} = {percent(data.share)}"
    if np.isfinite(data.assortativity):
        title += f", assortativity {data.assortativity:.3f}"
    note = (
        "Edges between each two classes, in brackets the number "
        "expected at random. Edges within a class: diagonal."
    )
    return finish(figure, f"{title}.", note, max(220, min(520, 140 + 42 * len(names))))
