"""Dijkstra's algorithm and breadth-first search from one node, beside the row of Floyd-Warshall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall
from dmlib.similarity.graphs_similarity.single_source import SingleSourcePaths

MAX_NODES = 60


@dataclass(frozen=True)
class FromOneSource:
    """The distances from one node by three searches.

    Attributes
    ----------
    names : list of str
        The nodes that are reached, in the order in which Dijkstra's algorithm settles them.
    floyd, dijkstra : list of float
        Their distances by either algorithm.
    edges : list of int
        The smallest number of edges of a path to each, by breadth-first search.
    source : str
        The node.
    n_all : int
        The number of nodes.
    """

    names: list[str]
    floyd: list[float]
    dijkstra: list[float]
    edges: list[int]
    source: str
    n_all: int


def from_one_source(run: Run[GraphProblem, Any]) -> go.Figure:
    """Draw the distances from the origin of the run by three searches."""
    return plot_from_one_source(from_one_source_data(run))


def from_one_source_data(run: Run[GraphProblem, Any]) -> FromOneSource:
    """Return the distances from the origin of the run, or else from the first node."""
    G, names = run.problem.graph, run.problem.names
    i, weighted = getattr(run.model, "origin", 1) - 1, getattr(run.model, "weighted", True)
    floyd = floyd_warshall(G, weighted=weighted)[0][i].tolist()
    settled, hops = (
        SingleSourcePaths(search, weighted=weighted, origin=i + 1, target=1).fit(G)
        for search in ("dijkstra", "breadth-first")
    )
    distances, edges = settled.distances_.tolist(), hops.distances_.tolist()
    order = settled.order_[:MAX_NODES]
    return FromOneSource(
        names=[names[j] for j in order],
        floyd=[floyd[j] for j in order],
        dijkstra=[distances[j] for j in order],
        edges=[int(edges[j]) for j in order],
        source=names[i],
        n_all=len(names),
    )


def plot_from_one_source(data: FromOneSource) -> go.Figure:
    """Draw the distances in the order in which nodes are settled, and the numbers of edges."""
    names = [plain(name) for name in data.names]
    figure = go.Figure()
    circles = {"mode": "markers", "marker": {"size": 13, "symbol": "circle-open"}}
    figure.add_scatter(x=names, y=data.floyd, name="Floyd-Warshall", **circles)
    figure.add_scatter(x=names, y=data.dijkstra, mode="lines+markers", name="Dijkstra")
    figure.add_bar(x=names, y=data.edges, name="breadth-first: edges", opacity=0.4)
    figure.update_xaxes(title_text="node, in the order of Dijkstra's algorithm", type="category")
    figure.update_yaxes(title_text="distance", rangemode="tozero")
    reached = f"{len(data.names)} of {data.n_all} nodes"
    title = f"Distances from {plain(data.source)} to {reached}."
    note = (
        "Breadth-first search finds the paths with the fewest edges,"
        " not the shortest ones where lengths differ."
    )
    return finish(figure, title, note, 380, legend=True)
