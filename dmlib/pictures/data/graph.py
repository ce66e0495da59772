"""A graph as it is drawn: nodes in their classes, edges by weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments, Texts
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.pictures.words import num
from dmlib.problem import GraphProblem

MAX_NAMES = 40
"""Nodes of larger graphs are named by their tooltips only."""

MAX_WEIGHTS = 60
"""The weights of more edges are shown by their widths only."""

WIDTHS = (1.0, 2.25, 4.0)  # pixels: of the light, the middle and the heavy third of the edges
NODE, SMALL_NODE = 7.0, 5.0  # radius in pixels, with a name and without
BOND_GAP = 0.011  # share of the width of the panel between the lines of a double bond
GAP = 0.022  # share of the width of the panel that an arrow ends before the middle of its node


def graph_panel(problem: GraphProblem, margin: float = 0.1) -> Panel:
    """Return the panel of the graph, without numbers: only who is joined to whom counts.

    It fits the nodes, with a margin as a share of their extent; that of a graph with an attribute
    ``box``, which is being drawn, stays as it is.
    """
    box = problem.graph.graph.get("box")
    (x0, x1), (y0, y1) = (box or bounds(column, margin) for column in problem.positions.T)
    return Panel("data", Axis("", x0, x1), Axis("", y0, y1), equal=True)


def graph_marks(problem: GraphProblem) -> tuple[Mark, ...]:
    """Return edges, nodes, names and weights."""
    x, y = problem.positions.T
    named = len(problem.names) <= MAX_NAMES
    color = np.array([NO_CLASS], np.uint8)
    if problem.y is not None:
        color = np.where(problem.y < 0, NO_CLASS, problem.y).astype(np.uint8)
    nodes = Points(
        x=x,
        y=y,
        color=color,
        size=[NODE if named else SMALL_NODE],
        labels=problem.labels,
        classes=problem.classes,
        data=True,
    )
    return (*graph_edges(problem), nodes, *graph_names(problem))


def graph_names(problem: GraphProblem, dy: float = -NODE - 5) -> list[Mark]:
    """Return the names of the nodes and the weights of the edges, as far as they can be read."""
    marks: list[Mark] = []
    x, y = problem.positions.T
    if len(problem.names) <= MAX_NAMES:
        marks.append(Texts(x=x, y=y, text=problem.names, dy=dy, halo=True))
    if problem.weighted and len(problem.edges) <= MAX_WEIGHTS:
        middle = problem.positions[problem.edges].mean(axis=1)
        weights = [num(weight) for weight in problem.weights]
        marks.append(Texts(x=middle[:, 0], y=middle[:, 1], text=weights, halo=True))
    return marks


def graph_edges(problem: GraphProblem, widths: tuple[float, ...] = WIDTHS) -> list[Segments]:
    """Return the edges, one mark for each width: of the light, the middle and the heavy third."""
    start, end, edge = edge_lines(problem)
    third = (_thirds(problem.weights) if problem.weighted else np.zeros(len(problem.edges), int))[
        edge
    ]
    marks = []
    for width, chosen in ((widths[k], third == k) for k in range(len(WIDTHS))):
        if chosen.any():
            (x0, y0), (x1, y1) = start[chosen].T, end[chosen].T
            marks.append(Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=width, arrow=problem.directed))
    return marks


def edge_lines(
    problem: GraphProblem,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Return start and end of each line, and its edge: a double bond has two lines side by side.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> edge_lines(prepare_graph(nx.Graph([(0, 1, {"order": 2}), (1, 2)])))[2]
    array([0, 0, 1])
    """
    start, end = edge_ends(problem)
    orders = problem.orders
    edge = np.repeat(np.arange(len(orders)), orders)
    place = np.arange(len(edge)) - np.repeat(np.cumsum(orders) - orders, orders)
    way = (end - start)[edge]
    length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    panel = graph_panel(problem)
    distance = BOND_GAP * (panel.x.high - panel.x.low) * (place - (orders[edge] - 1) / 2)
    aside = way[:, ::-1] * [-1, 1] / length * distance[:, None]
    return start[edge] + aside, end[edge] + aside, edge


def edge_ends(problem: GraphProblem) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return start and end of each edge, (n_edges, 2) each; of a directed one, before its node."""
    start, end = problem.positions[problem.edges[:, 0]], problem.positions[problem.edges[:, 1]]
    if problem.directed:
        way = end - start
        length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
        panel = graph_panel(problem)
        end = end - way / length * np.minimum(GAP * (panel.x.high - panel.x.low), length / 2)
    return start, end


def _thirds(weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return 0, 1 or 2 for the light, middle and heavy edges; equal weights stay together."""
    low, high = weights.min(), weights.max()
    third: NDArray[np.intp] = np.minimum(
        (weights - low) / (high - low) * len(WIDTHS), len(WIDTHS) - 1
    ).astype(np.intp)
    return third


def bond_notes(problem: GraphProblem) -> list[str]:
    """Return the sentence on the lines of double and triple bonds, where there are any."""
    names = [name for order, name in ((2, "double"), (3, "triple")) if order in problem.orders]
    lines = [f"{('two', 'three')[name == 'triple']} lines a {name}" for name in names]
    return [f"One line is a single bond, {' and '.join(lines)} one."] if lines else []


def graph_scene(problem: GraphProblem) -> Scene:
    """Return the graph alone, in one frame."""
    n_nodes, n_edges = len(problem.names), len(problem.edges)
    kind = " directed" if problem.directed else ""
    caption = f"{n_nodes} nodes and {n_edges}{kind} edges."
    if problem.weighted:
        caption = (
            f"{caption[:-1]} of weight {problem.weights.min():.4g} to {problem.weights.max():.4g}."
        )
    notes = ["The wider an edge, the larger its weight."] if problem.weighted else []
    notes += bond_notes(problem)
    legend = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    return Scene(
        (graph_panel(problem),), graph_marks(problem), (Frame(caption),), notes, legend=legend
    )
