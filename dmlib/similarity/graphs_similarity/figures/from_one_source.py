"""Dijkstra's algorithm and breadth-first search from one node, beside the row of Floyd-Warshall."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import networkx as nx
import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.similarity.graphs_similarity.graphs import length_matrix
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall
from dmlib.trace import look

MOST_NODES = 60


@dataclass(frozen=True)
class FromOneSource:
    """What three searches find from one node.

    Attributes
    ----------
    names : list of str
        The nodes that are reached, in the order in which Dijkstra's algorithm settles them.
    floyd, dijkstra : list of float
        Their distances by either algorithm.
    edges : list of int
        The fewest edges of a path to each, by breadth-first search.
    source : str
        The node.
    n_all : int
        How many nodes there are.
    """

    names: list[str]
    floyd: list[float]
    dijkstra: list[float]
    edges: list[int]
    source: str
    n_all: int


def dijkstra(G: nx.Graph, source: Any, *, weighted: bool = True) -> dict[Any, float]:
    """Return the distances from a node, in the order in which nodes are settled.

    Raises
    ------
    ValueError
        If a length is negative.

    Examples
    --------
    >>> dijkstra(nx.path_graph(3), 1)
    {1: 0.0, 0: 1.0, 2: 1.0}
    """
    nodes = list(G)
    lengths = length_matrix(G, weighted=weighted)
    if (lengths < 0).any():
        raise ValueError("An edge has a negative length: Dijkstra's algorithm needs lengths of at least 0.")
    settled: dict[Any, float] = {}
    queue = [(0.0, nodes.index(source))]
    while queue:
        look()
        distance, i = heappop(queue)
        if nodes[i] in settled:
            continue
        settled[nodes[i]] = distance
        for j in np.flatnonzero(np.isfinite(lengths[i])).tolist():
            if nodes[j] not in settled:
                heappush(queue, (distance + float(lengths[i, j]), j))
    return settled


def breadth_first(G: nx.Graph, source: Any) -> dict[Any, int]:
    """Return the numbers of edges from a node, in the order in which nodes are found.

    Examples
    --------
    >>> breadth_first(nx.path_graph(3), 0)
    {0: 0, 1: 1, 2: 2}
    """
    found = {source: 0}
    queue = deque([source])
    while queue:
        look()
        node = queue.popleft()
        for other in G[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


def from_one_source(run: Run) -> go.Figure:
    """Draw what three searches find from the origin of the run."""
    return plot_from_one_source(from_one_source_data(run))


def from_one_source_data(run: Run) -> FromOneSource:
    """Search from the origin of the run; of another method, from the first node."""
    G = run.problem.graph
    i, weighted = getattr(run.model, "origin", 1) - 1, getattr(run.model, "weighted", True)
    nodes = list(G)
    name = dict(zip(nodes, run.problem.names, strict=True))
    row = floyd_warshall(G, weighted=weighted)[0][i]
    settled = dijkstra(G, nodes[i], weighted=weighted)
    hops = breadth_first(G, nodes[i])
    shown = list(settled)[:MOST_NODES]
    floyd = [float(row[nodes.index(node)]) for node in shown]
    names = [name[node] for node in shown]
    return FromOneSource(
        names, floyd, [settled[v] for v in shown], [hops[v] for v in shown], name[nodes[i]], len(nodes)
    )


def plot_from_one_source(data: FromOneSource) -> go.Figure:
    """Draw the distances in the order in which nodes are settled, and the numbers of edges."""
    names = [plain(name) for name in data.names]
    figure = go.Figure()
    figure.add_scatter(
        x=names, y=data.floyd, mode="markers", name="Floyd-Warshall", marker={"size": 13, "symbol": "circle-open"}
    )
    figure.add_scatter(x=names, y=data.dijkstra, mode="lines+markers", name="Dijkstra")
    figure.add_bar(x=names, y=data.edges, name="breadth-first: edges", opacity=0.4)
    figure.update_xaxes(title_text="node, in the order of Dijkstra's algorithm", type="category")
    figure.update_yaxes(title_text="distance", rangemode="tozero")
    reached = f"{len(data.names)} of {data.n_all} nodes"
    note = "Breadth-first search finds the paths with the fewest edges, not the shortest ones where lengths differ."
    finish(figure, f"Distances from {plain(data.source)} to {reached}.", note, 380)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.25})
