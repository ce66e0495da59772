"""Component sizes against the threshold: where groups separate, and where one takes all."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.clustering.graph_clustering.algorithm import (
    ThresholdGraphClustering,
    ordered_edges,
    walk,
)
from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem

DASHES = ("solid", "dash", "dot")


@dataclass(frozen=True)
class ComponentSizesData:
    """Component sizes for each threshold."""

    # (n_weights,): the different weights, from the strongest to the weakest
    thresholds: NDArray[np.float64]
    largest: NDArray[np.intp]  # (n_weights,): the size of the largest cluster
    second: NDArray[np.intp]  # (n_weights,): that of the second largest, 0 if there is none
    single: NDArray[np.intp]  # (n_weights,): how many nodes are alone
    current: float  # the threshold of the run
    similar: bool  # whether weights are similarities


def component_sizes(run: Run[GraphProblem, ThresholdGraphClustering]) -> go.Figure:
    """Draw the component sizes of a run's graph."""
    return plot_component_sizes(component_sizes_data(run.model, run.problem.graph))


def component_sizes_data(model: ThresholdGraphClustering, G: nx.Graph) -> ComponentSizesData:
    """Measure the components for all thresholds at once.

    Parameters
    ----------
    model : ThresholdGraphClustering
        Its threshold is the current one.
    G : networkx.Graph
        The graph.

    Returns
    -------
    ComponentSizesData
        The sizes.

    Raises
    ------
    ValueError
        If the graph has no edges.

    Examples
    --------
    >>> G = nx.Graph([(1, 2, {"weight": 9}), (2, 3, {"weight": 4})])
    >>> data = component_sizes_data(ThresholdGraphClustering(5), G)
    >>> data.thresholds.tolist(), data.largest.tolist(), data.single.tolist()
    ([9.0, 4.0], [2, 3], [1, 0])
    """
    edges, weights = ordered_edges(G, model.weights)
    if not len(edges):
        raise ValueError(
            "The graph has no edges, so every threshold "
            "leaves each node alone. Choose another graph."
        )
    last = np.append(weights[1:] != weights[:-1], True)
    partitions = [
        after for (*_, after), is_last in zip(walk(edges, len(G)), last, strict=True) if is_last
    ]
    sizes = [
        np.sort(np.append(np.unique(after, return_counts=True)[1], 0))[::-1] for after in partitions
    ]
    largest, second = (np.array([each[i] for each in sizes]) for i in (0, 1))
    single = np.array([(each == 1).sum() for each in sizes])
    return ComponentSizesData(
        weights[last], largest, second, single, model.threshold, model.weights == "similarity"
    )


def plot_component_sizes(data: ComponentSizesData) -> go.Figure:
    """Draw the sizes as step curves, and the current threshold as a line."""
    figure = go.Figure()
    curves = {
        "largest cluster": data.largest,
        "second largest": data.second,
        "single nodes": data.single,
    }
    order = np.argsort(data.thresholds)
    for (name, values), dash in zip(curves.items(), DASHES, strict=True):
        figure.add_scatter(
            x=data.thresholds[order],
            y=values[order],
            name=name,
            mode="lines+markers",
            line={"shape": "vh" if data.similar else "hv", "dash": dash},
            hovertemplate=f"threshold %{{x}}<br>{name}: %{{y}} nodes<extra></extra>",
        )
    figure.add_vline(x=data.current, line={"color": ACCENT, "dash": "dash"})
    figure.update_xaxes(title_text="threshold")
    figure.update_yaxes(title_text="nodes", rangemode="tozero")
    note = (
        "Where the largest cluster jumps and the second "
        "largest shrinks, one edge merges two groups."
    )
    finish(figure, f"Component sizes for {len(order)} thresholds.", note, 300)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.3})
