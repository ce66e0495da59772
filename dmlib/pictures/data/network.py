"""A Bayesian network as it is drawn: parents above their children, or a class above a circle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments, Texts
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.pictures.tree_layout import fitting
from dmlib.pictures.words import count
from dmlib.problem import NetworkProblem

PANEL = "network"
MAX_NAMES = 20  # nodes whose names have room
MAX_LETTERS = 16
NODE = 9.0  # radius in pixels
RING = 14.0
BELOW = NODE + 14  # pixels from the middle of a node down to its name
GAP = 0.16  # between the head of an arrow and the middle of its node
START = 0.08  # between its start and the middle of that node


def network_panel(reach: float = 2.1, top: float = 1.3) -> Panel:
    """Return the panel of a network, without numbers: only what points to what counts."""
    return Panel(PANEL, Axis("", -reach, reach), Axis("", -2.0, top), "Network")


def circle(n: int) -> Floats:
    """Return places on the unit circle, clockwise from the top, which stays free; shape (n, 2).

    Examples
    --------
    >>> circle(2)[:, 0].tolist()
    [1.0, -1.0]
    """
    angles = np.pi / 2 - 2 * np.pi * (np.arange(n) + 0.5) / max(n, 1)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def layers(problem: NetworkProblem) -> Floats:
    """Return places of the nodes, each below its parents, shape (n_nodes, 2).

    Examples
    --------
    >>> from dmlib.datasets.networks import network
    >>> from dmlib.problem import prepare_network
    >>> layers(prepare_network(network("sprinkler"))).round(2).tolist()
    [[0.0, 1.0], [-0.75, 0.0], [0.75, 0.0], [0.0, -1.0]]
    """
    depth: dict[str, int] = {}
    for node in problem.nodes:
        depth[node.name] = 1 + max((depth[parent] for parent in node.parents), default=-1)
    places = np.zeros((len(problem.nodes), 2))
    deepest = max(depth.values())
    for level in range(deepest + 1):
        members = [i for i, name in enumerate(problem.names) if depth[name] == level]
        x = (np.arange(len(members)) - (len(members) - 1) / 2) * min(1.5, 3.9 / len(members))
        # every other layer is shifted a little: no edge then runs through a node between its ends
        places[members, 0] = x + (0.25 * (-1) ** level if deepest > 2 else 0.0)
        places[members, 1] = 1 - 2 * level / max(deepest, 1)
    return places


def column_places(n: int) -> Floats:
    """Return places of the columns of a table, clockwise, the last at the bottom; shape (n, 2).

    On an ellipse no edge runs through a third node, and a node stays where it is while edges come
    and go.

    Examples
    --------
    >>> (column_places(4).round(2) + 0.0).tolist()
    [[-1.6, 0.0], [0.0, 1.0], [1.6, 0.0], [0.0, -1.0]]
    """
    angles = -np.pi / 2 - 2 * np.pi * np.arange(1, n + 1) / max(n, 1)
    return np.column_stack([1.6 * np.cos(angles), np.sin(angles)])


def node_places(problem: NetworkProblem) -> Floats:
    """Return the places of the nodes, shape (n_nodes, 2): those of their columns, or in layers."""
    columns = problem.columns
    if not columns:
        return layers(problem)
    places: Floats = column_places(len(columns))[[columns.index(name) for name in problem.names]]
    return places


def arrows(starts: ArrayLike, ends: ArrayLike, **attributes: Any) -> Segments:
    """Return arrows between nodes, from edge to edge.

    Examples
    --------
    >>> arrow = arrows([[0.0, 0.0]], [[1.0, 0.0]])
    >>> arrow.x0.round(2).tolist(), arrow.x1.round(2).tolist()
    ([0.08], [0.84])
    """
    pairs = (np.asarray(each, float).reshape(-1, 2) for each in (starts, ends))
    first, last = np.broadcast_arrays(*pairs)
    way = last - first
    length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    way = way / length
    ends = first + START * way, last - GAP * way
    return segments_between(*ends, panel=PANEL, arrow=True, **attributes)


def network_nodes(places: Floats, labels: Sequence[str], **attributes: Any) -> Points:
    """Return the nodes, numbered from 1."""
    common: dict[str, Any] = {"color": [NO_CLASS], "symbol": [0], "size": [NODE], "of": "node"}
    common["numbers"] = np.arange(1, len(places) + 1)
    return points_at(places, panel=PANEL, labels=labels, **common | attributes)


def node_ring(place: Floats) -> Points:
    """Return the ring around the node that a step is about; no place, no ring."""
    return points_at(place, panel=PANEL, color=[0], symbol=[0], size=[RING], hollow=[1], of="")


def node_names(places: Floats, names: Sequence[str], dy: float = BELOW) -> Texts:
    """Return the names of nodes below them; of very many, none."""
    if len(names) > MAX_NAMES:
        places, names = places[:0], ()
    x, y = places.T
    text = [fitting(name, MAX_LETTERS) for name in names]
    return Texts(panel=PANEL, x=x, y=y, text=text, dy=dy, halo=True)


def network_marks(problem: NetworkProblem) -> tuple[Mark, ...]:
    """Return the edges, the nodes and their names."""
    places = node_places(problem)
    edges = np.array(problem.edges, np.intp).reshape(-1, 2)
    return (
        arrows(places[edges[:, 0]], places[edges[:, 1]]),
        network_nodes(places, problem.labels),
        node_names(places, problem.names),
    )


def network_scene(problem: NetworkProblem) -> Scene:
    """Return the network alone, in one frame."""
    n_nodes, n_edges = len(problem.nodes), len(problem.edges)
    caption = f"{count(n_nodes, 'node', 'nodes')} and {count(n_edges, 'edge', 'edges')}."
    return Scene((network_panel(),), network_marks(problem), (Frame(caption),))
