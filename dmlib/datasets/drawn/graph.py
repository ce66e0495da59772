"""A graph that a person draws: nodes where they were put, edges with or without a weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.containers import GraphData
from dmlib.datasets.drawn.digits import ADVICE, DRAW_BOX, read_digits, write_digits
from dmlib.datasets.drawn.points import class_name, decode_points, encode_points

MAX_NODES = 64
MAX_EDGES = 400
MAX_WEIGHT = 40.95
WEIGHT_STEP = 0.01

_LENGTHS = {2: 2, 3: 4}  # digits of an edge by its columns: one for each node, two for a weight


def encode_graph(nodes: Any, edges: Any = ()) -> str:
    """Write a graph as text that needs no escaping in a link.

    Parameters
    ----------
    nodes : array-like of shape (n_nodes, 3)
        x and y in [0, 10], and the number of the class, as in `encode_points`.
    edges : array-like of shape (n_edges, 2) or (n_edges, 3)
        The numbers of the two nodes and, where edges have weights, the weight from 0.01 to 40.95,
        rounded to 0.01.

    Returns
    -------
    str
        The nodes as `encode_points` writes them, a full stop, and for each edge one character a
        node; with weights a second full stop follows the first, and each edge has two more
        characters for the weight in steps of 0.01.

    Raises
    ------
    ValueError
        If there are more than 64 nodes or 400 edges, or an edge joins a node to itself, comes
        again, or has another weight.

    Examples
    --------
    >>> encode_graph([[0, 0, 0], [10, 2.5, 1]], [[0, 1]])
    'AAAAA-gPoB.AB'
    >>> encode_graph([[0, 0, 0], [10, 2.5, 1]], [[0, 1, 2.5]])
    'AAAAA-gPoB..ABD6'
    """
    text = encode_points(nodes)
    E = _checked(len(np.asarray(nodes)), edges)
    if E.shape[1] == 2:
        return f"{text}.{write_digits(_pairs(E), 2)}"
    weights = np.rint(E[:, 2] / WEIGHT_STEP).astype(np.int64)
    return f"{text}..{write_digits(_pairs(E) << 12 | weights, 4)}"


def decode_graph(text: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Read a graph from the text in a link.

    Parameters
    ----------
    text : str
        What `encode_graph` wrote.

    Returns
    -------
    nodes : ndarray of shape (n_nodes, 3)
        x, y and the number of the class.
    edges : ndarray of shape (n_edges, 2) or (n_edges, 3)
        The numbers of the two nodes and, where edges have weights, the weight.

    Raises
    ------
    ValueError
        If the text is not such a text.

    Examples
    --------
    >>> nodes, edges = decode_graph("AAAAA-gPoB..ABD6")
    >>> edges.tolist()
    [[0.0, 1.0, 2.5]]
    """
    head, match, tail = text.partition(".")
    if not match:
        raise ValueError(f"The edges of the graph in the link are missing. {ADVICE}")
    nodes = decode_points(head)
    columns = 3 if tail.startswith(".") else 2
    tail = tail.removeprefix(".")
    if len(tail) > MAX_EDGES * _LENGTHS[columns]:
        raise ValueError(f"The link holds more than {MAX_EDGES} edges. Draw fewer edges.")
    numbers = read_digits(tail, _LENGTHS[columns], "edges")
    pairs = numbers >> 12 if columns == 3 else numbers
    edges = np.column_stack([pairs >> 6, pairs & 63]).astype(float)
    if columns == 3:
        edges = np.column_stack([edges, (numbers & 4095) / (1 / WEIGHT_STEP)])
    return nodes, _checked(len(nodes), edges)


def drawn_graph(nodes: Any, edges: Any = (), *, directed: bool = False) -> GraphData:
    """Return a drawn graph.

    Parameters
    ----------
    nodes, edges : array-like
        As in `encode_graph`.
    directed : bool
        Whether an edge goes from its first node to its second.

    Returns
    -------
    GraphData
        The nodes 1, 2, 3, ... with their positions and, where there are two or more, their classes
        A, B, ...

    Raises
    ------
    ValueError
        As in `encode_graph`.

    Examples
    --------
    >>> sorted(drawn_graph([[1, 2, 0], [3, 4, 1]], [[0, 1, 2.5]]).graph.edges(data="weight"))
    [('1', '2', 2.5)]
    """
    import networkx as nx

    P = decode_points(encode_points(nodes))
    graph = (nx.DiGraph if directed else nx.Graph)(box=DRAW_BOX)
    for i, (x, y, code) in enumerate(P.tolist()):
        graph.add_node(str(i + 1), pos=(x, y), **{"class": class_name(int(code))})
    for u, v, *weight in _checked(len(P), edges).tolist():
        graph.add_edge(
            str(int(u) + 1), str(int(v) + 1), **({"weight": weight[0]} if weight else {})
        )
    target = "class" if len(np.unique(P[:, 2])) > 1 else None
    return GraphData(
        graph,
        target,
        name="drawn",
        title="Drawn graph",
        description="A graph that you drew.",
        source="Drawn by hand.",
        licence="Yours.",
    )


def _pairs(edges: NDArray[np.float64]) -> NDArray[np.int64]:
    start, end = edges[:, :2].astype(np.int64).T
    pairs: NDArray[np.int64] = start << 6 | end
    return pairs


def _checked(n_nodes: int, edges: Any) -> NDArray[np.float64]:
    """Return the edges of a graph, two or three columns."""
    E = np.asarray(edges, float)
    E = (
        E.reshape(-1, E.shape[1] if E.ndim == 2 and E.shape[1] in _LENGTHS else 2)
        if not E.size
        else E
    )
    if E.ndim != 2 or E.shape[1] not in _LENGTHS:
        raise ValueError("Each edge needs two nodes, and perhaps a weight.")
    if n_nodes > MAX_NODES or len(E) > MAX_EDGES:
        raise ValueError(
            f"The graph has {n_nodes} nodes and {len(E)} edges; the limits are {MAX_NODES} and"
            f" {MAX_EDGES}. Draw fewer."
        )
    if not np.isin(E[:, :2], np.arange(n_nodes)).all():
        raise ValueError(f"An edge ends at a node that there is not. {ADVICE}")
    if (E[:, 0] == E[:, 1]).any() or len(np.unique(E[:, :2], axis=0)) < len(E):
        raise ValueError(
            "An edge joins a node to itself or comes again. Draw every edge once, between two"
            " nodes."
        )
    if E.shape[1] == 3 and not ((E[:, 2] >= WEIGHT_STEP) & (E[:, 2] <= MAX_WEIGHT)).all():
        raise ValueError(
            f"The weight of an edge must be a number from {WEIGHT_STEP} to {MAX_WEIGHT}."
        )
    return E
